import { describe, expect, it } from 'vitest';
import { createHastyClock } from '../../../test/support/hasty-clock.ts';
import { tradeBlock } from '../../../test/support/trade-chain.ts';
import type { RangeStep } from '../../sources/rpc-range.ts';
import { type Coverage, mergeRanges, type SlotRange } from '../../store/clickhouse/coverage.ts';
import type { HoleFigures } from '../report/stats.ts';
import { createHoleFiller, type LateSource } from './hole-filler.ts';
import { createHoles } from './holes.ts';

/** A store with a hole from 11 to 13, and a filler that stops once `enough` is so. */
async function fillWith(
  from: LateSource,
  enough: (figures: HoleFigures) => boolean,
  busy = () => false,
  noRoomFor = 0,
) {
  let coverage: Coverage = [
    { first: 1, last: 10 },
    { first: 14, last: 20 },
  ];
  const added: number[] = [];
  const alarms: (string | undefined)[] = [];
  const stop = new AbortController();
  let looks = 0;
  await createHoleFiller({
    ...{ from, busy, holes: createHoles(), clock: createHastyClock() },
    store: {
      get coverage() {
        return coverage;
      },
    },
    late: {
      add: async ({ slot }) => slot !== noRoomFor && added.push(slot) > 0,
      skipped: async ({ first, last }) => {
        coverage = mergeRanges([...coverage, { first, last }]);
      },
      flush: async () => {
        coverage = mergeRanges([...coverage, ...added.map((slot) => ({ first: slot, last: slot }))]);
      },
      drop() {},
    },
    stats: {
      holes(figures) {
        looks += 1;
        if (enough(figures) || looks > 100) stop.abort();
      },
      alarm: (_code, message) => void alarms.push(message),
    },
  }).run(stop.signal);
  return { added, alarm: alarms.at(-1), looks };
}

const blocks = (...slots: readonly number[]): RangeStep[] =>
  slots.map((slot) => ({ kind: 'block', block: tradeBlock(slot, slot - 1, []) }));

describe('the hole filler', () => {
  it('adds blocks, notes skipped slots, and is done', async () => {
    const read = async function* () {
      yield* blocks(11);
      yield { kind: 'skipped', first: 12, last: 12 } as const;
      yield* blocks(13);
    };
    const { added, alarm, looks } = await fillWith({ read }, ({ count }) => count === 0);
    expect(added).toEqual([11, 13]);
    expect(alarm).toBeUndefined();
    expect(looks).toBeLessThan(5);
  });

  it('does not ask at once again for what the node said nothing of, and goes on after a node that throws', async () => {
    let asked = 0;
    const silent = async function* () {
      asked += 1;
      yield* blocks(11);
    };
    await fillWith({ read: silent }, ({ unavailableSlots }) => unavailableSlots === 2);
    expect(asked).toBe(1);
    // biome-ignore lint/correctness/useYield: it throws before it would
    const broken = async function* (): AsyncGenerator<RangeStep> {
      throw new Error('we are not let in');
    };
    const { alarm, looks } = await fillWith({ read: broken }, ({ oldestAgeMs = 0 }) => oldestAgeMs > 100_000);
    expect(alarm).toMatch(/^3 slots are missing, .*: we are not let in$/);
    expect(looks).toBeGreaterThan(50);
  });

  it('names a block that no table has room for, and fills the rest', async () => {
    const read = async function* ({ first, last }: SlotRange) {
      yield* blocks(...[11, 12, 13].filter((slot) => slot >= first && slot <= last));
    };
    const enough = ({ oldestAgeMs = 0 }: HoleFigures) => oldestAgeMs > 100_000;
    const { added, alarm } = await fillWith({ read }, enough, () => false, 12);
    expect(added).toEqual([11, 13]);
    expect(alarm).toMatch(/^1 slots are missing, the oldest from 12 to 12: .*no table has room for/);
  });

  it('says why nobody is asked', async () => {
    const { alarm } = await fillWith({ missing: 'there is no node' }, ({ unavailableSlots }) => unavailableSlots === 3);
    expect(alarm).toMatch('there is no node');
  });

  it('waits while live blocks wait', async () => {
    let asked = 0;
    const read = async function* () {
      asked += 1;
      yield* blocks(11, 12, 13);
    };
    await fillWith(
      { read },
      ({ oldestAgeMs = 0 }) => oldestAgeMs > 20_000,
      () => true,
    );
    expect(asked).toBe(0);
  });
});
