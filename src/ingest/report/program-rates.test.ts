import { describe, expect, it } from 'vitest';
import { extent } from '../../../test/support/extent.ts';
import type { BlockFacts } from '../../facts/fact.ts';
import { emptyFactLists } from '../../facts/fact-lists.ts';
import { createRandom, type Random } from '../../simulator/random.ts';
import { createProgramRates, type ProgramRates, type RatedProgram } from './program-rates.ts';

/** Facts of a block in which each program made so many. Of most lists only the length is looked at. */
function blockOf(counts: Partial<Record<RatedProgram, number>>): BlockFacts {
  const venues: readonly RatedProgram[] = ['pump', 'pump_amm', 'equities'];
  const lists = {
    ...emptyFactLists(),
    swaps: venues.flatMap((program, venue) => Array.from({ length: counts[program] ?? 0 }, () => ({ venue }))),
    transfers: { length: counts.token ?? 0 },
    fundings: { length: counts.system ?? 0 },
  };
  return lists as unknown as BlockFacts;
}

/**
 * Traffic as markets make it: Poisson around a mean that wanders between a
 * third and three times its usual, with bursts on top and now and then an empty block.
 */
function traffic(random: Random, usual: number): () => number {
  let level = 1;
  return () => {
    level = Math.min(3, Math.max(1 / 3, level * Math.exp((random.next() - 0.5) * 0.1)));
    if (random.chance(0.02)) return 0;
    return random.poisson(usual * level * (random.chance(0.02) ? 5 : 1));
  };
}

/** Feeds blocks in. Gives in how many blocks the program was first told to have dropped; undefined when never. */
function play(rates: ProgramRates, program: RatedProgram, blocks: number, next: () => number): number | undefined {
  for (let block = 1; block <= blocks; block += 1) {
    rates.add(blockOf({ [program]: next() }));
    if (rates.rates()[program].dropped) return block;
  }
  return undefined;
}

const SEEDS = Array.from({ length: extent(2, 12) }, (_, seed) => `rates ${seed}`);
/** Busy, ordinary and rare: facts per block. */
const USUAL = [200, 30, 4, 0.4, 0.05];

describe('rates of programs', () => {
  it.each(USUAL)('raise no false alarm over hours of ordinary noise around %d facts per block', (usual) => {
    for (const seed of SEEDS) {
      const next = traffic(createRandom(seed), usual);
      expect(play(createProgramRates(), 'token', 5_000, next)).toBeUndefined();
    }
  });

  it.each([200, 30, 4])(
    'tell within a minute or two when %d facts per block fall to nothing, and when they return',
    (usual) => {
      for (const seed of SEEDS) {
        const rates = createProgramRates();
        const next = traffic(createRandom(seed), usual);
        expect(play(rates, 'token', 3_000, next)).toBeUndefined();
        expect(play(rates, 'token', 300, () => 0)).toBeLessThanOrEqual(250);
        // However long it lasts, silence does not become usual.
        for (let block = 0; block < 12_000; block += 1) rates.add(blockOf({}));
        expect(rates.rates().token.dropped).toBe(true);
        for (let block = 0; block < 250; block += 1) rates.add(blockOf({ token: Math.round(usual) }));
        expect(rates.rates().token.dropped).toBe(false);
      }
    },
  );

  it('tell of a fall to a twentieth too', () => {
    const rates = createProgramRates();
    const random = createRandom('a twentieth');
    expect(play(rates, 'pump', 2_000, () => random.poisson(60))).toBeUndefined();
    expect(play(rates, 'pump', 200, () => random.poisson(3))).toBeLessThanOrEqual(150);
  });

  it('tell of rare events later, and of a program that was never seen nothing', () => {
    const rates = createProgramRates();
    const random = createRandom('rare');
    expect(play(rates, 'equities', 9_000, () => random.poisson(0.2))).toBeUndefined();
    expect(play(rates, 'equities', 600, () => 0)).toBeGreaterThan(100);
    expect(rates.rates().system).toEqual({ recent: undefined, usual: undefined, dropped: false });
  });

  it('hold each program against itself', () => {
    const rates = createProgramRates();
    for (let block = 0; block < 2_000; block += 1) rates.add(blockOf({ pump: 20, token: 50 }));
    for (let block = 0; block < 200; block += 1) rates.add(blockOf({ token: 50 }));
    const { pump, token } = rates.rates();
    expect(pump.dropped).toBe(true);
    expect(pump.usual).toBeCloseTo(20);
    expect(token).toEqual({ recent: 50, usual: 50, dropped: false });
  });
});
