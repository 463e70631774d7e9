import { type Address, WSOL_MINT } from '../chain/address.ts';
import type { Feed } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { TokenReads } from '../queries/token-reads.ts';
import { activityBody, activityOfSums, activitySpans, foldActivity } from './activity.ts';
import { activitySection } from './activity-section.ts';
import type { Body, TokenAnswers } from './answers.ts';
import type { BodyKey } from './body-cache.ts';
import type { BookSizes } from './book-limits.ts';
import { openCandles, openSwapPage, openTicks } from './book-pages.ts';
import type { BookShelf } from './book-shelf.ts';
import { candleFactor, candleQuote } from './candle-quote.ts';
import { bucketStart, candlesBody, INTERVAL_SECONDS } from './candle-series.ts';
import { holdersBody, rankHolders } from './holder-list.ts';
import { holderSection } from './holder-section.ts';
import { pricingSwaps } from './pricing-swaps.ts';
import { quoteDecimalsOf } from './quote-decimals.ts';
import { createRefreshed } from './refreshed.ts';
import { swapPageBody } from './swap-page.ts';
import { ticksBody } from './tick-page.ts';
import { tokenSection } from './token-section.ts';
import { creatorOf, quoteOf, snapshotBody, type TokenState } from './token-state.ts';

/** Tokens too busy for a book whose sums are shared. */
const SHARED_SUMS = 500;
/** They are made again after this, or later when that takes long. */
const SUMS_FRESH_MS = 1_000;
/** Of answers that time does not change. */
const ANY_TIME = 0;

export type TokenBooks = Pick<TokenAnswers, 'snapshot' | 'swaps' | 'candles' | 'ticks' | 'activity' | 'holders'>;

export interface TokenBooksDeps {
  readonly reads: TokenReads;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly shelf: BookShelf;
  readonly sizes: BookSizes;
  /** Dollars per SOL, undefined while unknown. */
  readonly solUsd: () => number | undefined;
}

/**
 * Answers about one token: out of its book, which the first question makes, or
 * by a read of the store when the question reaches further back than the book.
 */
export function createTokenBooks({ reads, feed, clock, shelf, sizes, solUsd }: TokenBooksDeps): TokenBooks {
  const books = { shelf, reads, feed, sizes };
  // Over a day of a busy token: at most one read of it at a time, however long that takes.
  const busyActivity = createRefreshed<Buffer>({ clock, capacity: SHARED_SUMS, freshMs: SUMS_FRESH_MS });
  const now = () => Math.floor(clock.now() / 1000);

  /**
   * The kept answer, or a new one that is kept under `key` until the book changes.
   * Without a key, or when its maker calls `passing`, it is made anew every time.
   */
  function answer(mint: Address, key: BodyKey | undefined, build: BodyMaker): Body {
    const kept = key === undefined ? undefined : shelf.bodies(mint)?.get(key);
    return kept ?? make(mint, key, build);
  }

  async function make(mint: Address, key: BodyKey | undefined, build: BodyMaker): Promise<Buffer | undefined> {
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
    snapshot(mint) {
      const usd = solUsd();
      // A body of another price of SOL gives way to one of this.
      return answer(mint, { name: 'snapshot', stamp: usd ?? 0 }, async (token) => snapshotBody(token(), usd));
    },

    swaps(mint, page) {
      const name = `swaps ${page.order} ${page.limit} ${page.failed} ${page.transfers}`;
      return answer(mint, page.cursor === undefined ? untilNews(name) : undefined, async (token, passing) =>
        swapPageBody(await openSwapPage({ ...books, passing }, mint, page, creatorOf(token())), page),
      );
    },

    candles(mint, range) {
      const at = now();
      const name = `candles ${range.interval} ${range.quote} ${range.from} ${range.to} ${range.limit} ${range.fill}`;
      // The bounds move with the clock, and what they select only from bucket to bucket.
      const stamp = bucketStart(at, INTERVAL_SECONDS[range.interval]);
      return answer(mint, { name, stamp }, async (token, passing) => {
        const pricing = pricingSwaps(token(), candleQuote(token(), range.quote));
        const candles = await openCandles({ ...books, passing }, mint, range, pricing, at);
        return candlesBody(candles, candleFactor(token(), range.quote));
      });
    },

    ticks(mint, page) {
      const isNewest = page.before === undefined && page.after === undefined;
      return answer(
        mint,
        isNewest ? untilNews(`ticks ${page.quote} ${page.limit}`) : undefined,
        async (token, passing) => {
          const quote = page.quote === WSOL_MINT ? '' : (page.quote ?? quoteOf(token()));
          const cut = await openTicks({ ...books, passing }, mint, pricingSwaps(token(), quote), page);
          const subject = { mint, quote, quoteDecimals: quoteDecimalsOf(token(), quote), creator: creatorOf(token()) };
          return ticksBody(subject, cut, page);
        },
      );
    },

    activity(mint) {
      const at = now();
      return answer(mint, { name: 'activity', stamp: at }, async () => {
        const busy = `${mint} ${shelf.epoch}`;
        const shared = busyActivity.ready(busy);
        if (shared !== undefined) return shared.value;
        const section = await shelf.open(mint, activitySection(reads, mint, clock, sizes.activitySwaps));
        if (section.whole) return activityBody(foldActivity(section.swaps, section.recent, at));
        const sums = await busyActivity.get(busy, async () =>
          activityBody(activityOfSums(await reads.activitySums(mint, feed.committedSlot, activitySpans(at)), at)),
        );
        return sums.value;
      });
    },

    holders(mint, limit) {
      return answer(mint, untilNews(`holders ${limit}`), async (token, passing) => {
        const section = await shelf.open(mint, holderSection(reads, mint, sizes.holders));
        if (section.sure >= limit) return holdersBody(token(), section.ranked().slice(0, limit));
        passing();
        return holdersBody(token(), rankHolders(await reads.holders(mint, limit)).slice(0, limit));
      });
    },
  };
}

/** Makes a body out of the token as it stands when it is asked for; calls `passing` when it is not to be kept. */
type BodyMaker = (token: () => TokenState, passing: () => void) => Promise<Buffer>;

/** The key of an answer that only news of the token change. */
function untilNews(name: string): BodyKey {
  return { name, stamp: ANY_TIME };
}
