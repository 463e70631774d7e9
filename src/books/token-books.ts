import { type Address, WSOL_MINT } from '../chain/address.ts';
import type { Feed } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { TokenReads } from '../queries/token-reads.ts';
import { activityBody, activityOfSums, activitySpans, foldActivity } from './activity.ts';
import { activitySection } from './activity-section.ts';
import type { TokenAnswers } from './answers.ts';
import type { BookSizes } from './book-limits.ts';
import { openCandles, openSwapPage, openTicks } from './book-pages.ts';
import type { BookShelf } from './book-shelf.ts';
import { candleFactor, candleQuote } from './candle-quote.ts';
import { bucketStart, candlesBody, INTERVAL_SECONDS } from './candle-series.ts';
import { holdersBody, rankHolders } from './holder-list.ts';
import { holderSection } from './holder-section.ts';
import { createStampMemo } from './stamp-memo.ts';
import { swapPageBody } from './swap-page.ts';
import { ticksBody } from './tick-page.ts';
import { tokenSection } from './token-section.ts';
import { creatorOf, quoteOf, snapshotBody, type TokenState } from './token-state.ts';

/** Tokens too busy for a book whose sums are shared for a second. */
const SHARED_SUMS = 500;
/** What a snapshot's body is kept under. */
const SNAPSHOT_KEY = 'snapshot';

export interface TokenBooks
  extends Pick<TokenAnswers, 'snapshot' | 'swaps' | 'candles' | 'ticks' | 'activity' | 'holders'>,
    Required<Pick<TokenAnswers, 'readySnapshot'>> {}

export interface TokenBooksDeps {
  readonly reads: TokenReads;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly shelf: BookShelf;
  readonly sizes: BookSizes;
}

/**
 * Answers about one token: out of its book, which the first question makes, or
 * by a read of the store when the question reaches further back than the book.
 */
export function createTokenBooks({ reads, feed, clock, shelf, sizes }: TokenBooksDeps): TokenBooks {
  const books = { shelf, reads, feed, sizes };
  const busyActivity = createStampMemo<Buffer>(SHARED_SUMS);
  const now = () => Math.floor(clock.now() / 1000);

  /**
   * The kept answer, or a new one that is kept under `key` until the book changes.
   * Without a key, or when its maker calls `passing`, it is made anew every time.
   */
  async function answer(
    mint: Address,
    key: string | undefined,
    build: (token: () => TokenState, passing: () => void) => Promise<Buffer>,
  ): Promise<Buffer | undefined> {
    const kept = key === undefined ? undefined : shelf.bodies(mint)?.get(key);
    if (kept !== undefined) return kept;
    const { epoch } = shelf;
    const token = await shelf.open(mint, tokenSection(reads, mint));
    if (!token.known) return undefined;
    const bodies = shelf.bodies(mint);
    const version = bodies?.version ?? 0;
    let keeps = key !== undefined;
    const body = await build(
      () => token.state,
      () => {
        keeps = false;
      },
    );
    // The book may be a newer one than what the answer is made of.
    if (key !== undefined && keeps && shelf.epoch === epoch) bodies?.set(key, body, version);
    return body;
  }

  return {
    snapshot: (mint) => answer(mint, SNAPSHOT_KEY, async (token) => snapshotBody(token())),

    readySnapshot: (mint) => shelf.bodies(mint)?.get(SNAPSHOT_KEY),

    swaps(mint, page) {
      const key =
        page.cursor === undefined ? `swaps ${page.order} ${page.limit} ${page.failed} ${page.transfers}` : undefined;
      return answer(mint, key, async (token, passing) =>
        swapPageBody(await openSwapPage({ ...books, passing }, mint, page, creatorOf(token())), page),
      );
    },

    candles(mint, range) {
      const at = now();
      const bucket = bucketStart(at, INTERVAL_SECONDS[range.interval]);
      const key = `candles ${range.interval} ${range.quote} ${range.from} ${range.to} ${range.limit} ${range.fill} ${bucket}`;
      return answer(mint, key, async (token, passing) => {
        const quote = candleQuote(token(), range.quote);
        const candles = await openCandles({ ...books, passing }, mint, range, quote, at);
        return candlesBody(candles, candleFactor(token(), range.quote));
      });
    },

    ticks(mint, page) {
      const isNewest = page.before === undefined && page.after === undefined;
      return answer(mint, isNewest ? `ticks ${page.quote} ${page.limit}` : undefined, async (token, passing) => {
        const quote = page.quote === WSOL_MINT ? '' : (page.quote ?? quoteOf(token()));
        const cut = await openTicks({ ...books, passing }, mint, quote, page);
        return ticksBody({ mint, quote, creator: creatorOf(token()) }, cut, page);
      });
    },

    activity(mint) {
      const at = now();
      return answer(mint, `activity ${at}`, async () => {
        const section = await shelf.open(mint, activitySection(reads, mint, clock, sizes.activitySwaps));
        if (section.whole) return activityBody(foldActivity(section.swaps, at));
        return busyActivity.get(mint, `${at} ${shelf.epoch}`, async () =>
          activityBody(activityOfSums(await reads.activitySums(mint, feed.committedSlot, activitySpans(at)), at)),
        );
      });
    },

    holders(mint, limit) {
      return answer(mint, `holders ${limit}`, async (token, passing) => {
        const section = await shelf.open(mint, holderSection(reads, mint, sizes.holders));
        if (section.sure >= limit) return holdersBody(token(), section.ranked().slice(0, limit));
        passing();
        return holdersBody(token(), rankHolders(await reads.holders(mint, limit)).slice(0, limit));
      });
    },
  };
}
