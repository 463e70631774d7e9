import type { ListLimits } from '../../books/book-limits.ts';
import type { BookMemory } from '../../books/book-set.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import { jsonBody, listBody } from '../../books/json-text.ts';
import { createRefreshed } from '../../books/refreshed.ts';
import { createStampMemo } from '../../books/stamp-memo.ts';
import type { Address } from '../../chain/address.ts';
import { stampBody } from '../../contract/stamp.ts';
import { decodeTokenCursor, encodeTokenCursor } from '../../contract/token-cursor.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Market } from '../../market/market.ts';
import { windowFigures } from '../../market/window-figures.ts';
import { listRow } from '../../token/list-row.ts';
import type { ListedToken } from '../../token/listed-reads.ts';
import { gatherListings } from '../../token/listing-section.ts';
import { newestSlotOf, notSettled, untilCommitted } from '../../token/settled.ts';
import { statusOf } from '../../token/state.ts';
import type { MarketReads } from './list-reads.ts';
import { type ListedRowsDeps, openListedRows } from './listed-rows.ts';
import type { ListPlace, ListWindow } from './mint-reads.ts';
import { createTokenIndex, isOrderAlone } from './token-index.ts';

/** Different pages kept of each kind: out of memory until the next block, out of the store for some seconds. */
const SHARED_LISTS = 200;
/** Times that a page is made of memory, when blocks come while it is; behind these it is the store's. */
const MEMORY_ROUNDS = 3;
/** Times that a page is read from the store at most, when flushes are under way. */
const STORE_ROUNDS = 6;

export interface TokenLists {
  list(filter: TokenFilter): Promise<Buffer>;
  /** What rows of other lists are opened with: they lie in the same memory. */
  readonly rows: Pick<ListedRowsDeps, 'shelf' | 'listings'>;
  /** Of the tokens' rows; the orders are bounded by their number. */
  readonly memory: BookMemory;
  close(): void;
}

export interface TokenListsDeps {
  readonly reads: MarketReads;
  readonly feed: Feed;
  readonly market: Pick<Market, 'ready' | 'version' | 'windows'>;
  readonly clock: Clock;
  readonly limits: ListLimits;
  /** Dollars per SOL, undefined while unknown. */
  readonly solUsd: () => number | undefined;
}

/**
 * Pages of the token list: order and rows out of memory, or by reads of the
 * store over the page's tokens. The same page is made at most once a block,
 * whoever asks; one that the store is asked for, every two
 * seconds, and up to five when that takes long.
 */
export function createTokenLists({ reads, feed, market, clock, limits, solUsd }: TokenListsDeps): TokenLists {
  const pages = createStampMemo<Buffer | undefined>(SHARED_LISTS);
  const stored = createRefreshed<Buffer>({ clock, capacity: SHARED_LISTS });
  const index = createTokenIndex({ reads, feed, clock, size: limits.tokens });
  const shelf = createBookShelf({ feed, limits: { ...limits, maxSections: 1 } });
  const listings = gatherListings(reads);

  /** Orders and rows out of memory, of one slot; undefined when the store has to be asked. */
  async function hotPage(filter: TokenFilter, usd: number | undefined): Promise<Buffer | undefined> {
    for (let round = 1; ; round += 1) {
      // While windows are read the store tells of the same.
      if (!(await market.ready())) return undefined;
      const places = await index.places(windowOf(filter));
      if (places === undefined) return undefined;
      const { version } = index;
      const shown = places.slice(0, filter.limit);
      const opened = await openListedRows(
        { shelf, listings, feed, market },
        shown.map(({ mint }) => mint),
      );
      if (opened === undefined || index.version !== version) {
        // A block came while a row was read: the next time all of them are at hand.
        if (round < MEMORY_ROUNDS) continue;
        return undefined;
      }
      const { tokens, windows, slot } = opened;
      const rows = tokens.map((token) => jsonBody(listRow(token, windowFigures(windows, token.mint), usd)));
      const next = places.length > filter.limit ? nextCursor(filter, shown) : undefined;
      return stampBody(listBody(rows, next), slot);
    }
  }

  /** The same out of the store alone, as it stands at the slot it answers for. */
  async function storedPage(filter: TokenFilter, usd: number | undefined): Promise<Buffer> {
    for (let round = 1; ; round += 1) {
      const mark = feed.committedSlot;
      const places = await reads.listMints(mark, windowOf(filter));
      const shown = places.slice(0, filter.limit);
      const mints = shown.map(({ mint }) => mint);
      const wall = Math.floor(clock.now() / 1_000);
      const [tokens, figures] = await Promise.all([
        reads.listTokens(mints, mark),
        reads.listFigures(mints, mark, wall),
      ]);
      const traded = tokens.flatMap(({ facts }) => [
        ...(facts.highs ?? []),
        ...(facts.lastSwap ? [facts.lastSwap] : []),
      ]);
      const newest = newestSlotOf(traded, newestSlotOf(places, mark));
      if (newest > mark) {
        if (round === STORE_ROUNDS) throw notSettled();
        // The newest swaps of tokens are those of a flush that is under way.
        await untilCommitted(newest, { feed, clock });
        continue;
      }
      const rows = tokens.flatMap((token, place) =>
        hasStatus(token, filter.graduated) ? jsonBody(listRow(token, figures[place]!, usd)) : [],
      );
      return stampBody(listBody(rows, places.length > filter.limit ? nextCursor(filter, shown) : undefined), mark);
    }
  }

  return {
    async list(filter) {
      const usd = solUsd();
      const name = JSON.stringify(filter);
      const fromMemory = isOrderAlone(windowOf(filter))
        ? pages.get(name, `${index.version} ${market.version} ${usd}`, () => hotPage(filter, usd))
        : undefined;
      const page = await fromMemory;
      return page ?? (await stored.get(name, () => storedPage(filter, usd))).value;
    },
    rows: { shelf, listings },
    get memory() {
      return shelf.memory;
    },
    close() {
      index.close();
      shelf.close();
    },
  };
}

/** The order and what is known of its tokens are read one after the other: one may have graduated in between. */
function hasStatus({ mint, facts }: ListedToken, graduated: boolean | undefined): boolean {
  return graduated === undefined || statusOf({ mint, ...facts }) === (graduated ? 'graduated' : 'bonding');
}

/** One more than the page holds, to know whether there is a next one. Bounds in milliseconds include whole seconds. */
function windowOf({ from, to, cursor, ...filter }: TokenFilter): ListWindow {
  return {
    ...filter,
    limit: filter.limit + 1,
    from: from === undefined ? undefined : Math.ceil(from / 1000),
    to: to === undefined ? undefined : Math.ceil(to / 1000),
    cursor: cursorPlace(cursor),
  };
}

function cursorPlace(cursor: string | undefined): ListPlace | undefined {
  const decoded = cursor === undefined ? undefined : decodeTokenCursor(cursor);
  if (decoded === undefined) return undefined;
  const { slot, blockIndex, ixIndex, mint } = decoded;
  return { slot, block_index: blockIndex, ix_index: ixIndex, mint: mint as Address };
}

function nextCursor({ sort }: TokenFilter, shown: readonly ListPlace[]): string | undefined {
  const last = shown.at(-1);
  if (last === undefined) return undefined;
  const { slot, block_index, ix_index, mint } = last;
  return encodeTokenCursor({ sort, slot, blockIndex: block_index, ixIndex: ix_index, mint });
}

export interface TokenFilter {
  readonly sort: 'newest' | 'last_trade';
  /** Undefined = both. */
  readonly graduated: boolean | undefined;
  readonly creator: Address | undefined;
  /** Unix milliseconds, range on created_at, half-open. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}
