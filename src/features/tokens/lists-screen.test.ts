import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLists } from '../../../test/support/followed-lists.ts';
import { LIST_NOW, listWorld, NO_LISTS, SMALL_LISTS, walkPages } from '../../../test/support/list-world.ts';
import { bornOnce, worldBlocks } from '../../../test/support/token-world.ts';
import { QUOTES, type WorldBlock } from '../../../test/support/token-world-rows.ts';
import { DEFAULT_LIST_LIMITS } from '../../books/book-limits.ts';
import { comparePlaces } from '../../books/place.ts';
import { ApiError } from '../../contract/errors.ts';
import type { TokenListRow } from '../../contract/token.ts';
import { floatPrice } from '../../token/price-string.ts';
import { createTokenLists, type TokenFilter } from './lists.ts';
import type { ScreenFilter } from './screen-rules.ts';

const MAX_BLOCKS = 14;
/** Longer than a page out of the store is kept. */
const KEPT_S = 6;
const FILTER: TokenFilter = {
  ...{ sort: 'newest', graduated: undefined, creator: undefined, from: undefined, to: undefined, cursor: undefined },
  limit: 2,
};

const screens: fc.Arbitrary<ScreenFilter> = fc.record(
  {
    minVolume: fc.constantFrom(0n, 1n, 10n ** 11n, 10n ** 12n),
    minTraders: fc.integer({ min: 1, max: 4 }),
    quote: fc.constantFrom(...QUOTES),
    mayhem: fc.boolean(),
    minProgress: fc.constantFrom(0, 0.01, 30, 100),
  },
  { requiredKeys: [] },
);

/** What filters say of a row that a client sees. */
function passes({ minVolume, minTraders, quote, mayhem, minProgress }: ScreenFilter, row: TokenListRow): boolean {
  const isKnown = row.partial === undefined || row.last_price !== undefined || row.quote_mint !== undefined;
  const own = isKnown ? (row.quote_mint ?? '') : undefined;
  if (quote !== undefined && own !== quote) return false;
  if (minVolume !== undefined && (own !== '' || BigInt(row.vol_1h) < minVolume)) return false;
  if (mayhem !== undefined && row.mayhem !== mayhem) return false;
  if (minTraders !== undefined && row.traders < minTraders) return false;
  return minProgress === undefined || (row.curve_progress_pct !== undefined && row.curve_progress_pct >= minProgress);
}

const rowsOf = (bodies: readonly string[]): TokenListRow[] => bodies.flatMap((body) => JSON.parse(body).data);

/** What a token stood at, two minutes after two minutes up to a moment, as plain swaps tell. */
function plainSpark(blocks: readonly WorldBlock[], row: TokenListRow): string[] | undefined {
  const { mint, quote_mint = '', decimals, vol_1h_decimals } = row;
  const now = blocks.at(-1)!.time;
  const priced = blocks
    .flatMap(({ swaps }) => swaps)
    .filter((swap) => swap.mint === mint && swap.priced && swap.price_token > 0n)
    .sort(comparePlaces);
  const newest = priced.at(-1);
  if (newest?.quote_mint !== quote_mint || decimals === undefined || vol_1h_decimals === undefined) return undefined;
  const points = Array.from({ length: 30 }, (_, point) => {
    const end = now - 3_600 + 120 * (point + 1);
    return priced.findLast((swap) => swap.quote_mint === quote_mint && swap.time <= end)?.price ?? 0;
  });
  const factor = 10 ** (decimals - vol_1h_decimals);
  const known = points.filter((price) => price > 0).map((price) => floatPrice(price * factor));
  return known.length === 0 ? undefined : known;
}

describe('lists of tokens that are filtered', () => {
  it('hold the rows that pass, out of memory as out of the store, however few a page looks at', async () => {
    let [shown, left] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        worldBlocks(LIST_NOW, MAX_BLOCKS),
        screens,
        fc.constantFrom('newest' as const, 'last_trade' as const),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(3),
        async (shapes, screen, sort, lookedAt, lag) => {
          const live = listWorld();
          const hot = live.lists(DEFAULT_LIST_LIMITS, undefined, lookedAt);
          const small = live.lists(SMALL_LISTS, undefined, lookedAt);
          const filter = { ...FILTER, sort, screen };
          for (const block of bornOnce(shapes)) {
            live.publish(block, true);
            live.commit(lag);
            await walkPages(hot, filter);
          }
          live.commit(0);
          live.wait(KEPT_S);
          const expected = rowsOf(await walkPages(live.lists(NO_LISTS), { ...FILTER, sort }));
          const told = await walkPages(hot, filter);
          expect(await walkPages(live.lists(NO_LISTS, undefined, lookedAt), filter)).toEqual(told);
          expect(await walkPages(small, filter)).toEqual(told);
          expect(rowsOf(told)).toEqual(expected.filter((row) => passes(screen, row)));
          shown += rowsOf(told).length;
          left += expected.length - rowsOf(told).length;
        },
      ),
      { numRuns: 35 },
    );
    expect(shown).toBeGreaterThan(0);
    expect(left).toBeGreaterThan(0);
  });

  it('are refused while windows are being read, but only where volume decides', async () => {
    const live = listWorld();
    const shapes = fc.sample(worldBlocks(LIST_NOW, MAX_BLOCKS), { numRuns: 1, seed: 3 })[0]!;
    for (const block of bornOnce(shapes)) live.publish(block, true);
    live.commit(0);
    const open = () => Promise.reject(new ApiError('warming_up'));
    const market = { windows: undefined, version: 0, ready: async () => false, open };
    const warming = createTokenLists({ ...live.deps, limits: DEFAULT_LIST_LIMITS, solUsd: () => 150, market });
    await expect(warming.list({ ...FILTER, screen: { minVolume: 1n } })).rejects.toMatchObject({ code: 'warming_up' });
    const screened = { ...FILTER, screen: { minTraders: 1 }, limit: 10 };
    expect(await walkPages(warming, screened)).toEqual(await walkPages(live.lists(NO_LISTS), screened));
  });
});

describe('lists of one status', () => {
  it('hold the rows that have it, out of memory as out of the store, further back than a page looks at', async () => {
    const shown = new Map([true, false].map((graduated) => [graduated, 0]));
    await fc.assert(
      fc.asyncProperty(
        worldBlocks(LIST_NOW, MAX_BLOCKS),
        fc.boolean(),
        fc.constantFrom('newest' as const, 'last_trade' as const),
        fc.record({ limit: fc.integer({ min: 1, max: 3 }), lookedAt: fc.integer({ min: 1, max: 6 }), lag: fc.nat(3) }),
        async (shapes, graduated, sort, { limit, lookedAt, lag }) => {
          const live = listWorld();
          const hot = live.lists(DEFAULT_LIST_LIMITS, undefined, lookedAt);
          const filter = { ...FILTER, sort, limit, graduated };
          for (const block of bornOnce(shapes)) {
            live.publish(block, true);
            live.commit(lag);
            await walkPages(hot, filter);
          }
          live.commit(0);
          live.wait(KEPT_S);
          const expected = rowsOf(await walkPages(live.lists(NO_LISTS), filter));
          expect(rowsOf(await walkPages(hot, filter))).toEqual(expected);
          for (const { status } of expected) expect(status).toBe(graduated ? 'graduated' : 'bonding');
          shown.set(graduated, shown.get(graduated)! + expected.length);
        },
      ),
      { numRuns: 35 },
    );
    for (const [, rows] of shown) expect(rows).toBeGreaterThan(0);
  });

  it('are asked of memory alone where that reaches', async () => {
    const live = listWorld();
    for (const block of bornOnce(fc.sample(worldBlocks(LIST_NOW, MAX_BLOCKS), { numRuns: 1, seed: 3 })[0]!)) {
      live.publish(block, true);
    }
    live.commit(0);
    const { reads } = live.deps;
    const listMints: typeof reads.listMints = (mark, window) => {
      expect(window.graduated).toBe(undefined);
      return reads.listMints(mark, window);
    };
    const deps = { ...live.deps, reads: { ...reads, listMints } };
    const lists = openLists({ ...deps, limits: DEFAULT_LIST_LIMITS, solUsd: () => 150 });
    expect(rowsOf(await walkPages(lists, { ...FILTER, graduated: false })).length).toBeGreaterThan(0);
  });
});

describe('sparks of rows', () => {
  it('are the last prices up to every second minute, out of memory as out of the store', async () => {
    let told = 0;
    await fc.assert(
      fc.asyncProperty(worldBlocks(LIST_NOW, MAX_BLOCKS), fc.nat(3), async (shapes, lag) => {
        const live = listWorld();
        const hot = live.lists(DEFAULT_LIST_LIMITS);
        const filter: TokenFilter = { ...FILTER, sort: 'last_trade', limit: 10, spark: true };
        const blocks = bornOnce(shapes);
        for (const block of blocks) {
          live.publish(block, true);
          live.commit(lag);
        }
        live.commit(0);
        live.wait(KEPT_S);
        const bodies = await walkPages(hot, filter);
        expect(await walkPages(live.lists(NO_LISTS), filter)).toEqual(bodies);
        for (const row of rowsOf(bodies)) {
          expect(row.spark).toEqual(plainSpark(blocks, row));
          if (row.spark !== undefined) told += 1;
        }
      }),
      { numRuns: 35 },
    );
    expect(told).toBeGreaterThan(0);
  });
});
