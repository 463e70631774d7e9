import { type Address, WSOL_MINT } from '../chain/address.ts';
import type { Feed } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { TokenReads } from '../queries/token-reads.ts';
import { activityBody, activityOfSums, activitySpans, foldActivity } from './activity.ts';
import { activitySection } from './activity-section.ts';
import type { CandleRange, SwapPage, TickPage, TokenAnswers } from './answers.ts';
import type { BookLimits } from './book-limits.ts';
import { createBookShelf } from './book-shelf.ts';
import { candleFactor, candleQuote } from './candle-quote.ts';
import { candleSection } from './candle-section.ts';
import {
  bucketStart,
  type Candle,
  candleBounds,
  candlesBody,
  INTERVAL_SECONDS,
  mergeCandles,
  selectCandles,
} from './candle-series.ts';
import { holdersBody, rankHolders } from './holder-list.ts';
import { holderSection } from './holder-section.ts';
import { type RowKind, readRows, rowSection } from './row-section.ts';
import { createStampMemo } from './stamp-memo.ts';
import { cutPage, mergePage, type PageRow, swapPageBody } from './swap-page.ts';
import { cutTicks, mergeTicks, type TickCut, ticksBody } from './tick-page.ts';
import { readTicks, tickSection } from './tick-section.ts';
import { tokenSection } from './token-section.ts';
import { creatorOf, isKnown, quoteOf, snapshotBody, type TokenState } from './token-state.ts';

/** Tokens too busy for a book whose sums are shared for a second. */
const SHARED_SUMS = 500;

export interface TokenBooks
  extends Pick<TokenAnswers, 'snapshot' | 'swaps' | 'candles' | 'ticks' | 'activity' | 'holders'> {
  close(): void;
}

export interface TokenBooksDeps {
  readonly reads: TokenReads;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly limits: BookLimits;
}

/**
 * Answers about one token: out of its book, which the first question makes, or
 * by a read of the store when the question reaches further back than the book.
 */
export function createTokenBooks({ reads, feed, clock, limits }: TokenBooksDeps): TokenBooks {
  const { sizes } = limits;
  const shelf = createBookShelf({ feed, limits });
  const busyActivity = createStampMemo<Buffer>(SHARED_SUMS);
  const now = () => Math.floor(clock.now() / 1000);

  /**
   * The kept answer, or a new one that is kept under `key` until the book changes;
   * without a key, or when its maker calls `passing` (the
   * store had a part in it, which trails the feed), it is made anew every time.
   */
  async function answer(
    mint: Address,
    key: string | undefined,
    build: (token: () => TokenState, passing: () => void) => Promise<Buffer>,
  ): Promise<Buffer | undefined> {
    const kept = key === undefined ? undefined : shelf.bodies(mint)?.get(key);
    if (kept !== undefined) return kept;
    const token = await shelf.open(mint, tokenSection(reads, mint));
    if (!isKnown(token.state)) return undefined;
    const bodies = shelf.bodies(mint);
    const version = bodies?.version ?? 0;
    let keeps = key !== undefined;
    const body = await build(
      () => token.state,
      () => {
        keeps = false;
      },
    );
    if (key !== undefined && keeps) bodies?.set(key, body, version);
    return body;
  }

  async function swapRows(
    mint: Address,
    page: SwapPage,
    creator: Address | undefined,
    passing: () => void,
  ): Promise<readonly PageRow[]> {
    const kinds: RowKind[] = ['swaps'];
    if (page.failed) kinds.push('attempts');
    if (page.transfers) kinds.push('transfers');
    const sections = await Promise.all(
      kinds.map((kind) => shelf.open(mint, rowSection(reads, mint, kind, creator, sizes.rows))),
    );
    const spans = sections.map((section) => section.span);
    const hot = cutPage(spans, page);
    if (hot !== undefined) return hot;
    passing();
    const mark = feed.committedSlot;
    const window = { order: page.order, limit: page.limit + 1, cursor: page.cursor };
    const cold = await Promise.all(kinds.map((kind) => readRows(reads, mint, kind, creator, mark, window)));
    return mergePage(cold, spans, page);
  }

  async function candleRows(
    mint: Address,
    range: CandleRange,
    quote: Address | '',
    at: number,
    passing: () => void,
  ): Promise<Candle[]> {
    const bounds = candleBounds(range, at);
    const section = await shelf.open(mint, candleSection(reads, mint, range.interval, quote, sizes.candles));
    const first = section.candles[0];
    if (section.complete || (first !== undefined && first.start < bounds.from)) {
      return selectCandles(section.candles, range, bounds, at);
    }
    passing();
    const mark = feed.committedSlot;
    const step = INTERVAL_SECONDS[range.interval];
    const order = bounds.fromStart ? 'asc' : 'desc';
    const { from, to } = bounds;
    const [inside, before] = await Promise.all([
      reads.candles(mint, mark, { quote, step, from, to, order, limit: range.limit }),
      range.fill ? reads.candles(mint, mark, { quote, step, from: 0, to: from, order: 'desc', limit: 1 }) : [],
    ]);
    return selectCandles(mergeCandles([...before, ...inside], section.candles), range, bounds, at);
  }

  async function tickCut(mint: Address, quote: Address | '', page: TickPage, passing: () => void): Promise<TickCut> {
    const section = await shelf.open(mint, tickSection(reads, mint, quote, sizes.ticks));
    const hot = cutTicks(section.span, page);
    if (hot !== undefined) return hot;
    passing();
    const stored = await readTicks(reads, mint, quote, feed.committedSlot, page);
    return mergeTicks(stored, section.span, page);
  }

  return {
    snapshot: (mint) => answer(mint, 'snapshot', async (token) => snapshotBody(token())),

    swaps(mint, page) {
      const key =
        page.cursor === undefined ? `swaps ${page.order} ${page.limit} ${page.failed} ${page.transfers}` : undefined;
      return answer(mint, key, async (token, passing) =>
        swapPageBody(await swapRows(mint, page, creatorOf(token()), passing), page),
      );
    },

    candles(mint, range) {
      const at = now();
      const bucket = bucketStart(at, INTERVAL_SECONDS[range.interval]);
      const key = `candles ${range.interval} ${range.quote} ${range.from} ${range.to} ${range.limit} ${range.fill} ${bucket}`;
      return answer(mint, key, async (token, passing) => {
        const quote = candleQuote(token(), range.quote);
        const candles = await candleRows(mint, range, quote, at, passing);
        return candlesBody(candles, candleFactor(token(), range.quote));
      });
    },

    ticks(mint, page) {
      const isNewest = page.before === undefined && page.after === undefined;
      return answer(mint, isNewest ? `ticks ${page.quote} ${page.limit}` : undefined, async (token, passing) => {
        const quote = page.quote === WSOL_MINT ? '' : (page.quote ?? quoteOf(token()));
        const cut = await tickCut(mint, quote, page, passing);
        return ticksBody({ mint, quote, creator: creatorOf(token()) }, cut, page);
      });
    },

    activity(mint) {
      const at = now();
      return answer(mint, `activity ${at}`, async () => {
        const section = await shelf.open(mint, activitySection(reads, mint, clock, sizes.activitySwaps));
        if (section.whole) return activityBody(foldActivity(section.swaps, at));
        return busyActivity.get(mint, at, async () =>
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

    close: shelf.close,
  };
}
