import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extent } from '../../test/support/extent.ts';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { address } from '../../test/support/token-world-rows.ts';
import type { Address } from '../chain/address.ts';
import { MarketWindows, type SlotSwaps } from './market-windows.ts';
import { Portions } from './portions.ts';
import type { CountedSwap } from './trade-chunk.ts';
import { type WindowTotals, windowTotals } from './window-totals.ts';

const NOW = 1_790_000_000;
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;
const MINTS = [11, 12, 13].map(address);
const QUOTES: readonly (Address | '')[] = ['', address(31)];

const swap: fc.Arbitrary<CountedSwap<Address>> = fc.record({
  mint: fc.constantFrom(...MINTS),
  quote_mint: fc.constantFrom(...QUOTES),
  trader: fc.constant<Address | ''>(address(21)),
  venue: fc.nat(2),
  is_buy: fc.boolean(),
  protocol_actor: fc.constant(false),
  quote_amount: fc.bigInt({ min: 0n, max: 10n ** 12n }),
  price: fc.constant(1),
  priced: fc.constant(true),
});

/** Seconds to the next block: moments, minutes, hours, and the edges of them. */
const gap = fc.oneof(fc.nat(3), fc.constantFrom(59, 60, 61, 3_599, 3_600, 3_601), fc.nat(30_000));
const shapes = fc.array(fc.record({ gap, swaps: fc.array(swap, { minLength: 1, maxLength: 3 }) }), {
  minLength: 1,
  maxLength: 25,
});
const seconds = fc.oneof(
  fc.constantFrom(MINUTE_S, 300, HOUR_S, 5_400, DAY_S - MINUTE_S, DAY_S, DAY_S + MINUTE_S, 2 * DAY_S, 7 * DAY_S),
  fc.integer({ min: 1, max: 168 * 60 }).map((minutes) => minutes * MINUTE_S),
);

/** Blocks that end now, and windows that took them in. */
function marketOf(made: readonly { readonly gap: number; readonly swaps: readonly CountedSwap<Address>[] }[]) {
  let time = NOW - made.reduce((sum, each) => sum + each.gap, 0);
  const blocks: SlotSwaps[] = made.map((each, index) => {
    time += each.gap;
    return { slot: 400 + index, time, swaps: each.swaps };
  });
  const windows = new MarketWindows();
  for (const block of blocks) windows.add(block);
  return { blocks, windows };
}

/** The second with which a window begins, in plain words: to the second, by minutes up to a day, by hours beyond. */
function sinceOf(length: number, now: number): number {
  if (length === 300 || length === HOUR_S) return now - length;
  const width = length > DAY_S ? HOUR_S : MINUTE_S;
  return now - (now % width) - Math.ceil(length / width) * width;
}

function plainly(blocks: readonly SlotSwaps[], since: number): unknown {
  const sums = new Map<string, { trades: number; volume: bigint }>();
  for (const each of blocks.filter(({ time }) => time >= since).flatMap(({ swaps }) => swaps)) {
    const key = `${each.mint} ${each.quote_mint}`;
    const known = sums.get(key) ?? { trades: 0, volume: 0n };
    sums.set(key, { trades: known.trades + 1, volume: known.volume + each.quote_amount });
  }
  return inOrder(sums);
}

function told(totals: WindowTotals): unknown {
  const sums = new Map<string, { trades: number; volume: bigint }>();
  for (const mint of new Set(totals.mints())) {
    for (const { quote, trades, volume } of totals.of(mint)) {
      const known = sums.get(`${mint} ${quote}`) ?? { trades: 0, volume: 0n };
      sums.set(`${mint} ${quote}`, { trades: known.trades + trades, volume: known.volume + volume });
    }
  }
  return inOrder(sums);
}

function inOrder(sums: ReadonlyMap<string, { readonly trades: number; readonly volume: bigint }>) {
  return [...sums].filter(([, { trades }]) => trades > 0).sort(([a], [b]) => (a < b ? -1 : 1));
}

const portions = () => new Portions(createHandClock());

describe('totals of a window of any length', () => {
  it('are what a plain sum over its blocks comes to', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(shapes, seconds, async (made, length) => {
        const { blocks, windows } = marketOf(made);
        const totals = await windowTotals(windows, length, portions());
        expect(totals.since).toBe(sinceOf(length, windows.now));
        // At least as long as it was asked for, whatever second it is.
        expect(totals.since).toBeLessThanOrEqual(windows.now - length);
        expect(told(totals)).toEqual(plainly(blocks, totals.since));
        compared += 1;
      }),
      { numRuns: extent(150, 3_000) },
    );
    expect(compared).toBeGreaterThan(0);
  });

  it('follow blocks that come behind the sum, and say when the window has moved on', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, seconds, fc.nat(130), fc.array(swap), async (made, length, later, swaps) => {
        const { blocks, windows } = marketOf(made);
        const totals = await windowTotals(windows, length, portions());
        const { since } = totals;
        const block = { slot: 10_000, time: windows.now + later, swaps };
        windows.add(block);
        const isStanding = [300, HOUR_S, DAY_S, 7 * DAY_S].includes(length);
        expect(totals.follow()).toBe(isStanding || sinceOf(length, windows.now) === since ? 'whole' : 'moved');
        if (sinceOf(length, windows.now) === since || isStanding) {
          expect(told(totals)).toEqual(plainly([...blocks, block], sinceOf(length, windows.now)));
        }
      }),
      { numRuns: extent(100, 2_000) },
    );
  });

  it.each([600, 5_400, 30 * HOUR_S])(
    'say when a bucket was replaced that had been added up, of %i seconds',
    async (length) => {
      const bought = { mint: MINTS[0]!, quote_mint: '' as const, trader: '' as const, venue: 0, is_buy: true } as const;
      const [swap] = [{ ...bought, protocol_actor: false, quote_amount: 5n, price: 1, priced: true }];
      const windows = new MarketWindows();
      windows.add({ slot: 1, time: NOW - 400, swaps: [swap] });
      windows.add({ slot: 9, time: NOW, swaps: [swap] });
      const totals = await windowTotals(windows, length, portions());
      expect([totals.follow(), volumeOf(totals)]).toEqual(['whole', 10n]);
      windows.add({ slot: 10, time: NOW + 1, swaps: [swap] });
      expect([totals.follow(), volumeOf(totals)]).toEqual(['whole', 15n]);
      // A slot that came late, within the hour.
      windows.add({ slot: 2, time: NOW - 390, swaps: [swap] });
      expect(totals.follow()).toBe('replaced');
      const again = await windowTotals(windows, length, portions());
      expect([again.follow(), volumeOf(again)]).toEqual(['whole', 20n]);
      // Minutes before it, and hours, as the store has them.
      windows.replaceMinute(NOW - 390 - ((NOW - 390) % MINUTE_S), []);
      expect(again.follow()).toBe('replaced');
      const third = await windowTotals(windows, length, portions());
      const [series] = windows.book.of(swap.mint);
      const counts = { buys: 1, sells: 0, low: 5, high: 0 };
      windows.replaceHour(NOW - (NOW % HOUR_S) - 10 * HOUR_S, [{ series: series!, venue: 0, counts }]);
      expect(third.follow()).toBe('replaced');
    },
  );
});

function volumeOf(totals: WindowTotals): bigint {
  return [...new Set(totals.mints())].flatMap((mint) => totals.of(mint)).reduce((sum, { volume }) => sum + volume, 0n);
}
