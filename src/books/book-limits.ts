import type { ShelfLimits } from './book-set.ts';

/** Rows of a token that its book holds at most; questions that reach further are answered by the store. */
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

/** As deep as a filtered page looks, and one more, which tells whether there is a next one. Rows are shown of fewer of them. */
export const DEFAULT_LIST_LIMITS: ListLimits = {
  maxBytes: 64 * 1024 * 1024,
  maxBooks: 10_000,
  tokens: 20_001,
};

/** Books are dropped for their number only where they are smaller than this, most of which nobody asks for twice. */
const SMALL_BOOK_BYTES = 128 * 1024;

/**
 * Books of tokens within so many bytes. Every largest page of the API fits into
 * one: 500 rows, 5,000 ticks, 1,500 candles and the one before them, 500 holders
 * four times over.
 */
export function bookLimits(maxBytes: number): BookLimits {
  return {
    maxBytes,
    maxBooks: Math.ceil(maxBytes / SMALL_BOOK_BYTES),
    maxSections: 24,
    sizes: { rows: 1_000, ticks: 5_001, candles: 1_501, activitySwaps: 20_000, holders: 2_000 },
  };
}

export const DEFAULT_BOOK_LIMITS = bookLimits(256 * 1024 * 1024);
