import type { Address } from '../chain/address.ts';
import type { Feed } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import type { BookShelf } from './book-shelf.ts';
import type { IntelligenceAnswers } from './intelligence-answers.ts';
import type { LaunchAnswers } from './launch-answers.ts';
import type { MovementAnswers } from './movement-answers.ts';
import type { PackAnswers } from './pack-answers.ts';
import type { PriceAnswers } from './price-answers.ts';
import type { TraderAnswers } from './trader-answers.ts';

/** Every question that books and the store behind them answer, by the group of its routes. */
export interface Answers extends TokenAnswers {
  readonly launch: LaunchAnswers;
  readonly intelligence: IntelligenceAnswers;
  readonly movements: MovementAnswers;
  readonly traders: TraderAnswers;
  readonly prices: PriceAnswers;
  readonly pack: PackAnswers;
}

/** What a group of answers is made of. */
export interface AnswerDeps {
  readonly client: StoreClient;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: Logger;
  /** Books of the tokens that are asked for, shared by all groups. */
  readonly shelf: BookShelf;
  /** Dollars per SOL for figures; undefined while unknown. */
  readonly solUsd: () => number | undefined;
}

/**
 * Ready JSON bytes: at once when they are at hand, so that the hot path waits for
 * nothing, else when they are made. Undefined means that nothing is known of the mint.
 */
export type Body = Buffer | Promise<Buffer | undefined>;

/**
 * What token routes get their answers from: hot ones out of books in memory,
 * cold ones by one bounded query.
 */
export interface TokenAnswers {
  /** Newest slot an answer can contain. */
  indexedSlot(): number;
  snapshot(mint: Address): Body;
  swaps(mint: Address, page: SwapPage): Body;
  candles(mint: Address, range: CandleRange): Body;
  ticks(mint: Address, page: TickPage): Body;
  activity(mint: Address): Body;
  holders(mint: Address, limit: number): Body;
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
