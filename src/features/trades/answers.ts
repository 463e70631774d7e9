import type { Body } from '../../books/body-cache.ts';
import type { BookSizes } from '../../books/book-limits.ts';
import type { BookShelf } from '../../books/book-shelf.ts';
import { createRefreshed } from '../../books/refreshed.ts';
import { type Address, WSOL_MINT } from '../../chain/address.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import { createKeptAnswers, type Making, untilNews } from '../../token/kept-answers.ts';
import { quoteDecimalsOf } from '../../token/quote-decimals.ts';
import type { RowReads } from '../../token/row-reads.ts';
import { creatorOf, quoteOf } from '../../token/state.ts';
import type { TokenReads } from '../../token/token-reads.ts';
import { activityBody, activityOfSums, activitySpans, foldActivity } from './activity.ts';
import { activitySection } from './activity-section.ts';
import { candleFactor, candleQuote } from './candle-quote.ts';
import { bucketStart, type CandleRange, candlesBody, INTERVAL_SECONDS } from './candle-series.ts';
import { openCandles, openSwapPage, openTicks } from './pages.ts';
import { pricingSwaps } from './pricing-swaps.ts';
import { type SwapPage, swapPageBody } from './swap-page.ts';
import { type TickPage, ticksBody } from './tick-page.ts';
import type { TradeReads } from './trade-reads.ts';

/** Tokens too busy for a book whose sums are shared. */
const SHARED_SUMS = 500;
/** They are made again after this, or later when that takes long. */
const SUMS_FRESH_MS = 1_000;

/** A token's trades: hot out of its book, cold by one bounded query. */
export interface TradeAnswers {
  swaps(mint: Address, page: SwapPage): Body;
  candles(mint: Address, range: CandleRange): Body;
  ticks(mint: Address, page: TickPage): Body;
  activity(mint: Address): Body;
}

export interface TradeAnswersDeps {
  readonly reads: TokenReads & RowReads & TradeReads;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly shelf: BookShelf;
  readonly sizes: BookSizes;
}

/**
 * Answers about one token's trades: out of its book, which the first question makes,
 * or by a read of the store when the question reaches further back than the book.
 */
export function createTradeAnswers({ reads, feed, clock, shelf, sizes }: TradeAnswersDeps): TradeAnswers {
  const sourceOf = ({ open, mark, passing }: Making) => ({ shelf: { open }, reads, mark, sizes, passing });
  const answer = createKeptAnswers({ reads, shelf });
  // Over a day of a busy token: at most one read of it at a time, however long that takes.
  const busyActivity = createRefreshed<Buffer>({ clock, capacity: SHARED_SUMS, freshMs: SUMS_FRESH_MS });
  const now = () => Math.floor(clock.now() / 1000);

  return {
    swaps(mint, page) {
      const name = `swaps ${page.order} ${page.limit} ${page.failed} ${page.transfers}`;
      return answer(mint, page.cursor === undefined ? untilNews(name) : undefined, async (making) => {
        const opened = await openSwapPage(sourceOf(making), mint, page, creatorOf(making.token()));
        return stampedAs(swapPageBody(opened.page, page), opened.slot);
      });
    },

    candles(mint, range) {
      const at = now();
      const name = `candles ${range.interval} ${range.quote} ${range.from} ${range.to} ${range.limit} ${range.fill}`;
      // The bounds move with the clock, and what they select only from bucket to bucket.
      const stamp = bucketStart(at, INTERVAL_SECONDS[range.interval]);
      return answer(mint, { name, stamp }, async (making) => {
        const { token } = making;
        const pricing = pricingSwaps(token(), candleQuote(token(), range.quote));
        const candles = await openCandles(sourceOf(making), mint, range, pricing, at);
        return candlesBody(candles, candleFactor(token(), range.quote));
      });
    },

    ticks(mint, page) {
      const isNewest = page.before === undefined && page.after === undefined;
      return answer(mint, isNewest ? untilNews(`ticks ${page.quote} ${page.limit}`) : undefined, async (making) => {
        const { token } = making;
        const quote = page.quote === WSOL_MINT ? '' : (page.quote ?? quoteOf(token()));
        const opened = await openTicks(sourceOf(making), mint, pricingSwaps(token(), quote), page);
        const subject = { mint, quote, quoteDecimals: quoteDecimalsOf(token(), quote), creator: creatorOf(token()) };
        return stampedAs(ticksBody(subject, opened.page, page), opened.slot);
      });
    },

    activity(mint) {
      const at = now();
      return answer(mint, { name: 'activity', stamp: at }, async ({ open }) => {
        const busy = `${mint} ${shelf.epoch}`;
        const shared = busyActivity.ready(busy);
        if (shared !== undefined) return shared.value;
        const section = await open(mint, activitySection(reads, mint, clock, sizes.activitySwaps));
        if (section.whole) return activityBody(foldActivity(section.swaps, section.recent, at));
        const sums = await busyActivity.get(busy, async () => {
          const mark = feed.committedSlot;
          const summed = await reads.activitySums(mint, mark, activitySpans(at));
          return stampBody(activityBody(activityOfSums(summed, at)), mark);
        });
        return sums.value;
      });
    },
  };
}

function stampedAs(body: Buffer, slot: number | undefined): Buffer {
  return slot === undefined ? body : stampBody(body, slot);
}
