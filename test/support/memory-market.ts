import { comparePlaces } from '../../src/books/place.ts';
import type { Address } from '../../src/chain/address.ts';
import { newestTime } from '../../src/chain/newest-time.ts';
import type { MarketReads } from '../../src/features/tokens/list-reads.ts';
import type { ListPlace, ListWindow } from '../../src/features/tokens/mint-reads.ts';
import type { PositionRow, SwapRow } from '../../src/store/clickhouse/schema/tables.ts';
import type { ListedToken } from '../../src/token/listed-reads.ts';
import type { TradeFigures } from '../../src/token/trade-figures.ts';
import type { KnownTraders } from '../../src/token/trader-count.ts';
import { newestBlocks } from './memory-windows.ts';
import type { BookReads } from './token-books.ts';
import type { WorldBlock } from './token-world-rows.ts';

/** The store's questions about all tokens answered over plain blocks, which `visible` hands out as they are committed. */
export function createMemoryMarket(visible: () => readonly WorldBlock[], tokens: BookReads): MarketReads {
  function rows<K extends 'creations' | 'swaps' | 'positions' | 'graduations'>(table: K): WorldBlock[K][number][] {
    return visible().flatMap((block): WorldBlock[K][number][] => block[table]);
  }

  const market: MarketReads = {
    listScreened: (mints, mark) => market.listTokens(mints, mark),
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
    async listTokens(mints, mark) {
      return Promise.all(
        mints.map(async (mint): Promise<ListedToken> => {
          const positions = rows('positions').filter((row) => row.mint === mint && row.first_slot <= mark);
          return {
            mint,
            facts: await tokens.token(mint, mark),
            traders: tradersOf(positions),
          };
        }),
      );
    },
    async listFigures(mints, mark, wall, isStepped = false) {
      const now = newestTime(
        newestBlocks(visible(), mark).map(({ time }) => time),
        wall,
      );
      const upToMark = rows('swaps').filter((row) => (row.slot <= mark || row.partial) && row.time <= now);
      return mints.map((mint) =>
        figuresOf(upToMark.filter((row) => row.mint === mint).sort(comparePlaces), { now, isStepped }),
      );
    },
  };
  return market;
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

function tradersOf(positions: readonly PositionRow[]): KnownTraders {
  const quotes = new Set(positions.map(({ quote_mint }) => quote_mint));
  const traders = new Set(positions.flatMap(({ trader }) => (trader === '' ? [] : [trader])));
  return { count: traders.size, quotes: quotes.size, quote: [...quotes][0] ?? '', wallets: [...traders] };
}

/** What swaps in order come to at a second. */
function figuresOf(
  swaps: readonly SwapRow[],
  { now, isStepped }: { readonly now: number; readonly isStepped: boolean },
): TradeFigures {
  const before = (own: readonly SwapRow[], seconds: number) =>
    own.findLast(({ priced, time }) => priced && time < now - seconds)?.price ?? 0;
  const inHour = (of: readonly SwapRow[]) => of.filter(({ time }) => time >= now - 3_600);
  // Thirty steps of two minutes; the first begins with the hour, each other one behind the end of the one before.
  const stepsOf = (own: readonly SwapRow[]) =>
    Array.from({ length: 30 }, (_, step) => {
      const [from, to] = [now - 3_600 + 120 * step, now - 3_480 + 120 * step];
      const inStep = ({ priced, time }: SwapRow) =>
        priced && (time > from || (step === 0 && time === from)) && time <= to;
      return own.findLast(inStep)?.price ?? 0;
    });
  return {
    now,
    isStepped,
    trades: inHour(swaps).length,
    quotes: [...new Set(swaps.map((row) => row.quote_mint))].map((quote_mint) => {
      const own = swaps.filter((row) => row.quote_mint === quote_mint);
      const volume = inHour(own).reduce((sum, row) => sum + row.quote_amount, 0n);
      return {
        quote_mint,
        volume,
        beforeFive: before(own, 300),
        beforeHour: before(own, 3_600),
        ...(isStepped && { steps: stepsOf(own) }),
      };
    }),
  };
}
