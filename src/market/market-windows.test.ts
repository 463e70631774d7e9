import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extent } from '../../test/support/extent.ts';
import { address } from '../../test/support/token-world-rows.ts';
import type { Address } from '../chain/address.ts';
import { MarketWindows, type SlotSwaps } from './market-windows.ts';
import type { WindowName } from './sum-table.ts';
import { countsOf } from './sums.ts';
import type { CountedSwap } from './trade-chunk.ts';

const START = 1_790_000_000;
const MINTS = [11, 12, 13, 14].map(address);
const QUOTES: readonly (Address | '')[] = ['', address(31)];
const TRADERS = [21, 22, 23, 24, 25, 26].map(address);

const swap: fc.Arbitrary<CountedSwap<Address>> = fc.record({
  mint: fc.constantFrom(...MINTS),
  quote_mint: fc.constantFrom(...QUOTES),
  trader: fc.constantFrom<Address | ''>(...TRADERS, ''),
  venue: fc.integer({ min: 0, max: 2 }),
  is_buy: fc.boolean(),
  protocol_actor: fc.integer({ min: 0, max: 5 }).map((die) => die === 0),
  quote_amount: fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 10n }), fc.constant(2n ** 64n - 1n)),
  price: fc.integer({ min: 1, max: 1_000 }),
  priced: fc.integer({ min: 0, max: 3 }).map((die) => die > 0),
});

const swaps = fc.array(swap, { maxLength: 4 });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('newest' as const), skip: fc.nat(2), later: seconds(), swaps }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('withdrawn' as const), blocks: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('late' as const), back: fc.oneof(fc.nat(6), fc.nat(120)), swaps }),
  },
);

/** Mostly a moment, or a part of a window that makes whole ones with its like; at times as long as one, or a halt of the chain. */
function seconds(): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.nat(2) },
    { weight: 6, arbitrary: fc.constantFrom(20, 50, 60, 75, 100) },
    { weight: 3, arbitrary: fc.constantFrom(300, 600, 1_200, 3_500) },
    { weight: 1, arbitrary: fc.constantFrom(3_600, 7_000, 40_000, 90_000) },
  );
}

const stepLists = fc.array(step, { minLength: 30, maxLength: 120 });
/** What leaves a day or a week goes in portions: all that is left of it once somebody looks. */
const portions = fc.record({ cellsAtOnce: fc.integer({ min: 1, max: 3 }), lookEvery: fc.integer({ min: 1, max: 12 }) });

/** Blocks by slot, summed up in the plainest way. */
class Oracle {
  blocks: SlotSwaps[] = [];

  get newest(): SlotSwaps | undefined {
    return this.blocks.at(-1);
  }

  put(block: SlotSwaps): void {
    this.blocks = [...this.blocks.filter(({ slot }) => slot !== block.slot), block].sort((a, b) => a.slot - b.slot);
  }

  since(window: WindowName): number {
    const now = this.newest?.time ?? 0;
    const [width, span] = { five: [1, 301], hour: [1, 3_601], day: [60, 1_441], week: [3_600, 169] }[window] as [
      number,
      number,
    ];
    return now - (now % width) - (span - 1) * width;
  }

  swaps(window: WindowName): CountedSwap<Address>[] {
    return this.blocks.filter(({ time }) => time >= this.since(window)).flatMap((block) => block.swaps);
  }

  priceBefore(mint: Address, quote: Address | '', window: 'five' | 'hour'): number {
    const earlier = this.blocks.filter(({ time }) => time < this.since(window)).flatMap((block) => block.swaps);
    return earlier.findLast((each) => each.mint === mint && each.quote_mint === quote && each.priced)?.price ?? 0;
  }
}

function sumsOf(of: readonly CountedSwap<Address>[]) {
  const buys = of.filter(({ is_buy }) => is_buy).length;
  return { buys, sells: of.length - buys, volume: of.reduce((sum, each) => sum + each.quote_amount, 0n) };
}

const distinct = (of: readonly CountedSwap<Address>[]) =>
  new Set(of.flatMap(({ trader, protocol_actor }) => (protocol_actor || trader === '' ? [] : trader))).size;

function expectAgrees(windows: MarketWindows, oracle: Oracle): void {
  for (const window of ['five', 'hour', 'day', 'week'] as const) {
    const inside = oracle.swaps(window);
    for (const quote of QUOTES) {
      const ofQuote = inside.filter(({ quote_mint }) => quote_mint === quote);
      const market = [0, 1, 2].map((venue) => windows.book.market(quote, venue, window) ?? sumsOf([]));
      expect([window, market]).toEqual([
        window,
        [0, 1, 2].map((venue) => sumsOf(ofQuote.filter((each) => each.venue === venue))),
      ]);
      for (const mint of MINTS) {
        const own = ofQuote.filter((each) => each.mint === mint);
        const series = windows.book.of(mint).find((each) => each.quote === quote);
        expect([window, series === undefined ? sumsOf([]) : windows.book.sums(series, window)]).toEqual([
          window,
          sumsOf(own),
        ]);
        if (window === 'day' || window === 'week' || own.length === 0) continue;
        expect([window, series && windows.book.price(series, window)]).toEqual([
          window,
          oracle.priceBefore(mint, quote, window),
        ]);
      }
    }
    if (window === 'day' || window === 'week') continue;
    expect(windows.hour.activeTraders(window)).toBe(distinct(inside));
    for (const mint of MINTS) {
      expect(windows.hour.tradersOf(mint, window)).toBe(distinct(inside.filter((each) => each.mint === mint)));
    }
  }
}

/** Puts the oracle's minute and hour in the place of what was counted, as a read of the store does. */
function replaceFrom(oracle: Oracle, windows: MarketWindows, time: number): void {
  for (const width of [60, 3_600]) {
    const start = time - (time % width);
    const inside = oracle.blocks.filter((block) => block.time >= start && block.time < start + width);
    const cells = new Map<string, CountedSwap<Address>[]>();
    for (const each of inside.flatMap((block) => block.swaps)) {
      const key = `${each.mint} ${each.quote_mint} ${each.venue}`;
      cells.set(key, [...(cells.get(key) ?? []), each]);
    }
    const counted = [...cells.values()].map((of) => ({
      series: windows.book.take(of[0]!.mint, of[0]!.quote_mint),
      venue: of[0]!.venue,
      counts: countsOf(sumsOf(of)),
    }));
    if (width === 60) windows.replaceMinute(start, counted);
    else windows.replaceHour(start, counted);
    for (const { series } of counted) windows.book.release(series.number);
  }
}

/** The last price of each series in a block. */
function pricesOf({ slot, swaps }: SlotSwaps) {
  const last = new Map(
    swaps
      .filter(({ priced }) => priced)
      .map(({ mint, quote_mint, price }) => [`${mint} ${quote_mint}`, { mint, quote: quote_mint, price, slot }]),
  );
  return [...last.values()];
}

/** Windows that are made anew, as at a start: prices from before the hour come along. */
function madeAnew(oracle: Oracle, cellsAtOnce: number): MarketWindows {
  const windows = new MarketWindows(cellsAtOnce);
  for (const block of oracle.blocks) windows.add(block);
  return windows;
}

describe('sliding windows', () => {
  it('come to what all blocks come to, whatever comes, goes, is late, or stands still', () => {
    let [withdrawn, late, anew] = [0, 0, 0];
    fc.assert(
      fc.property(stepLists, portions, (steps, { cellsAtOnce, lookEvery }) => {
        const oracle = new Oracle();
        let windows = new MarketWindows(cellsAtOnce);
        for (const [at, each] of steps.entries()) {
          const newest = oracle.newest ?? { slot: 1_000, time: START, swaps: [] };
          if (each.kind === 'newest') {
            const block = { slot: newest.slot + 1 + each.skip, time: newest.time + each.later, swaps: each.swaps };
            oracle.put(block);
            windows.add(block);
          } else if (each.kind === 'late') {
            // A slot that was skipped, or one whose block replaces what was seen of it.
            const slot = newest.slot - each.back;
            const before = oracle.blocks.findLast((block) => block.slot <= slot);
            if (before === undefined) continue;
            const block = { slot, time: before.time, swaps: each.swaps };
            const isReplaced = oracle.blocks.some((known) => known.slot === slot && known.swaps.length > 0);
            oracle.put(block);
            if (!windows.add(block)) {
              // The price that a slot of long ago no longer has is to be read anew.
              if (isReplaced) windows = madeAnew(oracle, cellsAtOnce);

              replaceFrom(oracle, windows, before.time);
              windows.noteEarlier(pricesOf(block));
            }
            late += 1;
          } else {
            for (const { slot } of oracle.blocks.slice(-each.blocks).reverse()) {
              oracle.blocks.pop();
              withdrawn += 1;
              if (!windows.withdraw(slot, oracle.newest?.time ?? 0)) {
                windows = madeAnew(oracle, cellsAtOnce);
                anew += 1;
              }
            }
          }
          if (oracle.blocks.length > 0 && at % lookEvery === 0) expectAgrees(windows, oracle);
        }
        if (oracle.blocks.length > 0) expectAgrees(windows, oracle);
      }),
      { numRuns: extent(30, 400) },
    );
    expect(Math.min(withdrawn, late, anew)).toBeGreaterThan(0);
  });

  it('let go of what they forget though each block is a minute behind the one before', () => {
    const windows = new MarketWindows();
    const swaps = [MINTS[0]!].map((mint) => ({
      ...{ mint, quote_mint: '' as const, trader: TRADERS[0]!, venue: 0, is_buy: true, protocol_actor: false },
      ...{ quote_amount: 1n, price: 1, priced: true },
    }));
    for (let at = 0; at < 3_000; at += 1) windows.add({ slot: 1 + at, time: START + 60 * at, swaps });
    expect(windows.day.cells).toBeLessThan(1_441 + 16);
    expect(windows.book.sums(windows.book.find(MINTS[0]!, '')!, 'day').buys).toBe(1_441);
  });
});
