import type { Address } from '../chain/address.ts';

/**
 * What token routes get their answers from: hot ones out of books in memory,
 * cold ones by one bounded query. Bodies are ready JSON bytes; undefined means
 * that nothing is known of the mint.
 */
export interface TokenAnswers {
  /** Newest slot an answer can contain. */
  indexedSlot(): number;
  snapshot(mint: Address): Promise<Buffer | undefined>;
  /** The snapshot when its body is at hand, without a promise: the hot path waits for nothing. Undefined says nothing of the mint. */
  readySnapshot?(mint: Address): Buffer | undefined;
  swaps(mint: Address, page: SwapPage): Promise<Buffer | undefined>;
  candles(mint: Address, range: CandleRange): Promise<Buffer | undefined>;
  ticks(mint: Address, page: TickPage): Promise<Buffer | undefined>;
  activity(mint: Address): Promise<Buffer | undefined>;
  holders(mint: Address, limit: number): Promise<Buffer | undefined>;
  list(filter: TokenFilter): Promise<Buffer>;
  stats(): Promise<Buffer>;
}

export interface SwapPage {
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly cursor: SwapCursor | undefined;
  readonly failed: boolean;
  readonly transfers: boolean;
}

/** Strictly after (asc) or before (desc) a position, or at the boundary of a second. */
export type SwapCursor =
  | {
      readonly kind: 'position';
      readonly time: number;
      readonly slotModulo: number;
      readonly blockIndex: number;
      readonly ixIndex: number;
    }
  | { readonly kind: 'time'; readonly time: number };

export const CANDLE_INTERVALS = ['1s', '5s', '30s', '1m', '5m', '15m', '1h', '4h', '1d'] as const;
export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

export interface CandleRange {
  readonly interval: CandleInterval;
  /** Unix seconds, half-open on bucket start. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly limit: number;
  /** '' = SOL; undefined = the token's own (SOL, or an equity's stablecoin). */
  readonly quote: Address | '' | undefined;
  readonly fill: boolean;
}

export interface TickPage {
  readonly quote: Address | '' | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
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
