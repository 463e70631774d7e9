import type { ListLimits } from '../../books/book-limits.ts';
import type { BookMemory } from '../../books/book-set.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import { jsonBody, listBody } from '../../books/json-text.ts';
import { createStampMemo } from '../../books/stamp-memo.ts';
import type { Address } from '../../chain/address.ts';
import { decodeTokenCursor, encodeTokenCursor } from '../../contract/token-cursor.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import { statusOf } from '../../token/state.ts';
import type { MarketReads } from './list-reads.ts';
import { listRow } from './list-row.ts';
import type { ListedToken } from './listed-reads.ts';
import { gatherListings, listingSection } from './listing-section.ts';
import type { ListPlace, ListWindow } from './mint-reads.ts';
import { createTokenIndex } from './token-index.ts';

/** Different pages kept until the next block or second. */
const SHARED_LISTS = 200;

export interface TokenLists {
  list(filter: TokenFilter): Promise<Buffer>;
  /** Of the tokens' rows; the orders are bounded by their number. */
  readonly memory: BookMemory;
  close(): void;
}

export interface TokenListsDeps {
  readonly reads: MarketReads;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly limits: ListLimits;
  /** Dollars per SOL, undefined while unknown. */
  readonly solUsd: () => number | undefined;
}

/**
 * Pages of the token list: order and rows out of memory, or by reads of the
 * store over the page's tokens. The same page is made at most once a second
 * and once a block, whoever asks.
 */
export function createTokenLists({ reads, feed, clock, limits, solUsd }: TokenListsDeps): TokenLists {
  const pages = createStampMemo<Buffer>(SHARED_LISTS);
  const market = createTokenIndex({ reads, feed, clock, size: limits.tokens });
  const shelf = createBookShelf({ feed, limits: { ...limits, maxSections: 1 } });
  const listings = gatherListings(reads, clock);

  async function makePage(filter: TokenFilter, now: number, usd: number | undefined): Promise<Buffer> {
    const window = windowOf(filter);
    const places = (await market.places(window)) ?? (await reads.listMints(feed.committedSlot, window));
    const shown = places.slice(0, filter.limit);
    const sections = await Promise.all(
      shown.map(({ mint }) => shelf.open(mint, listingSection(listings, mint, clock))),
    );
    const rows = sections
      .filter(({ token }) => hasStatus(token, filter.graduated))
      .map(({ token }) => jsonBody(listRow(token, now, usd)));
    return listBody(rows, places.length > filter.limit ? nextCursor(filter, shown) : undefined);
  }

  return {
    list(filter) {
      const now = Math.floor(clock.now() / 1000);
      const usd = solUsd();
      return pages.get(JSON.stringify(filter), `${market.version} ${now} ${usd}`, () => makePage(filter, now, usd));
    },
    get memory() {
      return shelf.memory;
    },
    close() {
      market.close();
      shelf.close();
    },
  };
}

/** The store answers for what it has committed; a token may have graduated since. */
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
