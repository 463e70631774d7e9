import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equity } from '../../programs/registry/index.ts';
import { multiplierAt, readMint } from '../../programs/spl-token/mint-account.ts';
import { EQUITIES } from '../scenery.ts';
import { encodeMint } from './encode-mint.ts';
import { answerMints, simulatedClose, simulatedMint } from './issuers.ts';

const DAY_MS = 86_400_000;
const times = fc.integer({ min: Date.parse('2025-09-01'), max: Date.parse('2032-01-01') });
const share = fc.constantFrom(...EQUITIES);

describe('simulated issuers', () => {
  it('mint and burn by the seed and the time alone, and keep accounts that can be read', () => {
    fc.assert(
      fc.property(fc.string(), share, times, (seed, { mint, decimals }, now) => {
        const fields = simulatedMint(seed, mint, now)!;
        expect(simulatedMint(seed, mint, now)).toEqual(fields);
        expect(readMint(encodeMint(fields))).toEqual({ ...fields, names: undefined });
        // More than the chain gives its markets, and about as much as before.
        const shares = Number(fields.supply) / 10 ** decimals;
        expect(shares).toBeGreaterThan(3_000_000);
        expect(shares).toBeLessThan(5_000_000);
      }),
    );
    const day = Array.from({ length: 360 }, (_, at) => simulatedMint('x', EQUITIES[1]!.mint, 1.8e12 + at * 240_000)!);
    const steps = day.slice(1).map(({ supply }, at) => supply - day[at]!.supply);
    expect(steps.some((step) => step > 0n)).toBe(true);
    expect(steps.some((step) => step < 0n)).toBe(true);
  });

  it('reinvest what shares pay when they said they would, and one pays nothing', () => {
    fc.assert(
      fc.property(share, times, (each, now) => {
        const { scaling } = simulatedMint('y', each.mint, now)!;
        expect(scaling === undefined).toBe(each === EQUITIES[0]);
        if (scaling === undefined) return;
        expect(scaling.nextMultiplier).toBeGreaterThan(scaling.multiplier);
        expect(Number(scaling.nextFrom) * 1_000).toBeGreaterThan(now);
        const then = Number(scaling.nextFrom);
        expect(multiplierAt(simulatedMint('y', each.mint, then * 1_000)!.scaling, then)).toBe(scaling.nextMultiplier);
      }),
    );
  });

  it('have shares that close near what their tokens cost, otherwise from day to day', () => {
    fc.assert(
      fc.property(fc.string(), share, times, (seed, each, now) => {
        const dates = Array.from({ length: 30 }, (_, day) => new Date(now + day * DAY_MS).toISOString().slice(0, 10));
        const closes = dates.map((date) => simulatedClose(seed, each, date));
        expect(Math.abs(closes[0]! / each.dollars - 1)).toBeLessThan(0.1);
        // Two days may round to the same cent.
        expect(new Set(closes).size).toBeGreaterThan(15);
      }),
    );
  });

  it('are asked for as a node is, and know no other mint', () => {
    const at = { seed: 'z', now: 1.8e12, slot: 7 };
    const [first] = EQUITIES;
    const other = 'So11111111111111111111111111111111111111112';
    expect(answerMints(at, 'getMultipleAccounts', [[first!.mint, other]])?.result).toMatchObject({
      context: { slot: 7 },
      value: [{ owner: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' }, null],
    });
    expect(answerMints(at, 'getBlock', [1])).toBeUndefined();
    expect(answerMints(at, 'getMultipleAccounts', ['no list'])).toBeUndefined();
    for (const { mint } of EQUITIES) expect(equity(mint)?.underlying).toMatch(/^[A-Z]+$/);
  });
});
