import { comparePlaces } from '../../src/books/place.ts';
import type { Address } from '../../src/chain/address.ts';
import type { MarketReads } from '../../src/features/tokens/list-reads.ts';
import type { ListPlace, ListWindow } from '../../src/features/tokens/mint-reads.ts';
import type { SwapRow } from '../../src/store/clickhouse/schema/tables.ts';
import type { ListedToken, MinuteTrades } from '../../src/token/listed-reads.ts';
import type { BookReads } from './token-books.ts';
import type { WorldBlock } from './token-world-rows.ts';

/** The store's questions about all tokens answered over plain blocks, which `visible` hands out as they are committed. */
export function createMemoryMarket(visible: () => readonly WorldBlock[], tokens: BookReads): MarketReads {
  function rows<K extends 'creations' | 'swaps' | 'positions' | 'graduations'>(table: K): WorldBlock[K][number][] {
    return visible().flatMap((block): WorldBlock[K][number][] => block[table]);
  }

  return {
    async listMints(mark, window) {
      const creations = rows('creations').filter((row) => row.slot <= mark || row.partial);
      const traded = window.sort === 'newest' ? creations : newestOf(rows('swaps'));
      const graduated = new Set(rows('graduations').map((row) => row.mint));
      const pricedLast = newestOf(rows('swaps').filter(({ priced }) => priced));
      const places = traded.flatMap((row): ListPlace[] => {
        const birth = creations.find(({ mint }) => mint === row.mint);
        const isSeen = birth !== undefined || graduated.has(row.mint);
        const venue = pricedLast.find(({ mint }) => mint === row.mint)?.venue;
        const status = isSeen ? graduated.has(row.mint) : venue === 0 ? false : venue === 1 ? true : undefined;
        return isListed(window, birth, status) ? [{ ...row, mint: row.mint as Address }] : [];
      });
      const { cursor } = window;
      return places
        .sort(compareListed)
        .filter((place) => cursor === undefined || compareListed(place, cursor) > 0)
        .slice(0, window.limit);
    },
    async listTokens(mints, mark, since) {
      return Promise.all(
        mints.map(async (mint): Promise<ListedToken> => {
          const swaps = rows('swaps')
            .filter((row) => row.mint === mint && (row.slot <= mark || row.partial))
            .sort(comparePlaces);
          const positions = rows('positions').filter((row) => row.mint === mint && row.first_slot <= mark);
          return {
            mint,
            facts: await tokens.token(mint, mark),
            minutes: minutesOf(swaps.filter(({ time }) => time >= since)),
            earlier: earlierPrices(swaps.filter(({ time, priced }) => time < since && priced)),
            traders: new Set(positions.map((row) => `${row.trader} ${row.quote_mint}`)).size,
          };
        }),
      );
    },
  };
}

function isListed(
  { graduated, creator, from = 0, to = Number.POSITIVE_INFINITY }: ListWindow,
  birth: { readonly creator: string; readonly time: number } | undefined,
  /** Undefined for a token that never was on the launchpad. */
  isGraduated: boolean | undefined,
): boolean {
  if (graduated !== undefined && graduated !== isGraduated) return false;
  if (creator === undefined && from === 0 && to === Number.POSITIVE_INFINITY) return true;
  if (birth === undefined || (creator !== undefined && birth.creator !== creator)) return false;
  return birth.time >= from && birth.time < to;
}

/** Negative when `a` is listed before `b`. */
function compareListed(a: ListPlace, b: ListPlace): number {
  return comparePlaces(b, a) || (a.mint < b.mint ? -1 : a.mint > b.mint ? 1 : 0);
}

function newestOf(swaps: readonly SwapRow[]): SwapRow[] {
  const newest = new Map<string, SwapRow>();
  for (const row of swaps.toSorted(comparePlaces)) newest.set(row.mint, row);
  return [...newest.values()];
}

function minutesOf(swaps: readonly SwapRow[]): MinuteTrades[] {
  const key = ({ time, quote_mint }: SwapRow) => `${time - (time % 60)} ${quote_mint}`;
  return [...new Set(swaps.map(key))].map((group) => {
    const ours = swaps.filter((row) => key(row) === group);
    return {
      start: ours[0]!.time - (ours[0]!.time % 60),
      quote_mint: ours[0]!.quote_mint,
      trades: ours.length,
      volume: ours.reduce((sum, row) => sum + row.quote_amount, 0n),
      close: ours.findLast((row) => row.priced)?.price ?? 0,
    };
  });
}

function earlierPrices(priced: readonly SwapRow[]): ListedToken['earlier'] {
  const prices = new Map(priced.map((row) => [row.quote_mint, row.price]));
  return Array.from(prices, ([quote_mint, price]) => ({ quote_mint, price }));
}
