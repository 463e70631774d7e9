import type { ShelfLimits } from './book-set.ts';

/** How much of a token a book holds; questions that reach further are answered by the store. */
export interface BookSizes {
  /** Newest swaps, attempts and transfers each, as ready JSON. */
  readonly rows: number;
  /** Newest priced swaps for tick pages. */
  readonly ticks: number;
  /** Newest buckets of a candle series. */
  readonly candles: number;
  /** Swaps of the last 24 hours; the store sums up tokens with more. */
  readonly activitySwaps: number;
  /** Largest holders read into a book. */
  readonly holders: number;
}

export interface BookLimits extends ShelfLimits {
  readonly sizes: BookSizes;
}

export interface ListLimits extends Omit<ShelfLimits, 'maxSections'> {
  /** Newest and last traded tokens each that are kept in order. */
  readonly tokens: number;
}

/** Ten largest pages deep; rows of more tokens, because tokens take turns in being traded last. */
export const DEFAULT_LIST_LIMITS: ListLimits = {
  maxBytes: 64 * 1024 * 1024,
  maxBooks: 10_000,
  tokens: 5_000,
};

/**
 * Every largest page of the API fits: 500 rows, 5,000 ticks, 1,500 candles and
 * the one before them, 500 holders four times over.
 */
export const DEFAULT_BOOK_LIMITS: BookLimits = {
  maxBytes: 256 * 1024 * 1024,
  maxBooks: 2_000,
  maxSections: 24,
  sizes: { rows: 1_000, ticks: 5_001, candles: 1_501, activitySwaps: 20_000, holders: 2_000 },
};
