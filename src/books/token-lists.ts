import { decodeTokenCursor, encodeTokenCursor } from '../api/contract/token-cursor.ts';
import type { Address } from '../chain/address.ts';
import type { Feed } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { ListPlace, ListWindow, MarketReads } from '../queries/market-reads.ts';
import type { TokenFilter } from './answers.ts';
import { listBody } from './json-text.ts';
import { hourStart, listRowJson } from './list-row.ts';
import { createSecondMemo } from './second-memo.ts';

/** Different lists kept for the second in which they were made. */
const SHARED_LISTS = 200;

export interface TokenLists {
  list(filter: TokenFilter): Promise<Buffer>;
}

export interface TokenListsDeps {
  readonly reads: MarketReads;
  readonly feed: Feed;
  readonly clock: Clock;
}

/** Pages of the token list. The same page is made at most once a second, whoever asks. */
export function createTokenLists({ reads, feed, clock }: TokenListsDeps): TokenLists {
  const pages = createSecondMemo<Buffer>(SHARED_LISTS);

  async function makePage(filter: TokenFilter, now: number): Promise<Buffer> {
    const places = await reads.listMints(feed.committedSlot, windowOf(filter));
    const shown = places.slice(0, filter.limit);
    const tokens = await reads.listTokens(
      shown.map(({ mint }) => mint),
      hourStart(now),
    );
    const rows = tokens.map((token) => Buffer.from(listRowJson(token)));
    return listBody(rows, places.length > filter.limit ? nextCursor(filter, shown) : undefined);
  }

  return {
    list(filter) {
      const now = Math.floor(clock.now() / 1000);
      return pages.get(JSON.stringify(filter), now, () => makePage(filter, now));
    },
  };
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
