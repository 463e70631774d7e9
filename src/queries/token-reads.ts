import type { SwapCursor } from '../api/contract/swap-cursor.ts';
import type { Address } from '../chain/address.ts';
import type { HydratedTokenRow } from '../store/clickhouse/background-tables.ts';
import type {
  AttemptRow,
  CreatorChangeRow,
  CurveCompletionRow,
  PositionRow,
  SwapRow,
  TokenCreationRow,
  TokenGraduationRow,
  TransferRow,
} from '../store/clickhouse/tables.ts';
import type { TokenMetadata } from './token-metadata.ts';

/**
 * The questions about one token, each one bounded read on the table ordered for
 * it. `mark` is the newest slot the store answers for: nothing past it is read,
 * because a flush under way may have written only half of it.
 */
export interface TokenReads {
  token(mint: Address, mark: number): Promise<TokenFacts>;
  /** Rows of one kind in the window's order. */
  swaps(mint: Address, mark: number, window: RowWindow): Promise<readonly SwapRow[]>;
  attempts(mint: Address, mark: number, window: RowWindow): Promise<readonly AttemptRow[]>;
  transfers(mint: Address, mark: number, window: RowWindow): Promise<readonly TransferRow[]>;
  /** Pricing swaps, in the window's order. */
  ticks(mint: Address, mark: number, window: TickWindow): Promise<readonly TickRow[]>;
  /** Ascending. */
  candles(mint: Address, mark: number, window: CandleWindow): Promise<readonly CandleRow[]>;
  /** Swaps since a time, newest first. */
  activitySwaps(mint: Address, mark: number, since: number, limit: number): Promise<readonly ActivityRow[]>;
  /** The same summed up by the store, for tokens with more swaps than one wants to read. */
  activitySums(mint: Address, mark: number, spans: ActivitySpans): Promise<ActivitySums>;
  /** Positions of the `wallets` with the largest balances, empty and negative ones included, in all quotes of each. */
  holders(mint: Address, wallets: number): Promise<readonly HolderRow[]>;
}

/** First news of each kind; the newest for what changes. */
export interface TokenFacts {
  readonly creation: TokenCreationRow | undefined;
  readonly completion: Pick<CurveCompletionRow, PlaceColumns> | undefined;
  readonly graduation: Pick<TokenGraduationRow, PlaceColumns | 'pool'> | undefined;
  readonly creatorChange: Pick<CreatorChangeRow, PlaceColumns | 'creator'> | undefined;
  readonly lastSwap: LatestSwapRow | undefined;
  readonly lastPriced: LatestSwapRow | undefined;
  /** The highest price in each quote that priced it. */
  readonly highs?: readonly PriceHigh[];
  /** While nothing has priced it: the markets it trades in, the one that traded last first, a bounded number of them. */
  readonly markets?: readonly MarketRow[] | undefined;
  /** What the chain's accounts told, where nobody saw the creation. */
  readonly hydrated?: HydratedTokenRow | undefined;
  /** What its document says, once that was read; lists have no more of it than the image. */
  readonly metadata?: TokenMetadata | undefined;
  readonly image?: string | undefined;
  /** That somebody tried to trade it: told only of a mint of which nothing else was seen. */
  readonly attempted?: boolean | undefined;
}

type PlaceColumns = 'slot' | 'block_index' | 'ix_index' | 'time';

export type LatestSwapRow = Pick<
  SwapRow,
  | PlaceColumns
  | 'venue'
  | 'pool'
  | 'quote_mint'
  | 'quote_decimals'
  | 'token_decimals'
  | 'price_quote'
  | 'price_token'
  | 'real_quote_reserves'
  | 'real_token_reserves'
  | 'reserves_known'
>;

/** The swap at the highest price in a quote, the earliest of equal ones. */
export type PriceHigh = Pick<
  SwapRow,
  PlaceColumns | 'quote_mint' | 'quote_decimals' | 'token_decimals' | 'price' | 'price_quote' | 'price_token'
>;

/** The newest swap of a market: a curve, a pool. */
export type MarketRow = LatestSwapRow &
  Pick<SwapRow, 'virtual_quote_reserves' | 'virtual_token_reserves' | 'fee_in_token'>;

export type TickRow = Pick<
  SwapRow,
  | PlaceColumns
  | 'venue'
  | 'trader'
  | 'is_buy'
  | 'quote_mint'
  | 'quote_decimals'
  | 'token_decimals'
  | 'quote_amount'
  | 'price_quote'
  | 'price_token'
>;

export type ActivityRow = Pick<
  SwapRow,
  | 'time'
  | 'trader'
  | 'is_buy'
  | 'quote_mint'
  | 'quote_decimals'
  | 'quote_amount'
  | 'protocol_actor'
  | 'signature'
  | 'ix_index'
>;

/** A position, and in how many quotes wallets ever traded its mint. */
export type HolderRow = PositionRow & { readonly mint_quotes: number };

export interface RowWindow {
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** Rows strictly past it, in the window's order. */
  readonly cursor: SwapCursor | undefined;
}

/** Which swaps make a token's ticks and candles. */
export interface PricingSwaps {
  /** '' is SOL. */
  readonly quote: Address | '';
  /** Those of this pool, whatever they are; '' for those that price the token. */
  readonly pool: Address | '';
}

export interface TickWindow extends PricingSwaps {
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** Swaps strictly past it, in the window's order. */
  readonly cursor: { readonly slot: number; readonly block_index: number; readonly ix_index: number } | undefined;
}

export interface CandleWindow extends PricingSwaps {
  /** Length of a bucket, seconds. */
  readonly step: number;
  /** Unix seconds, half-open on the bucket's start. */
  readonly from: number;
  readonly to: number;
  /** Which end of the range `limit` keeps. The rows come in this order. */
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** Raw quote over raw token; volume in raw quote units. */
export interface CandleRow {
  /** Unix seconds. */
  readonly start: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: bigint;
  readonly trades: number;
}

/** Starts of the windows, Unix seconds, each reaching to the newest swap. */
export interface ActivitySpans {
  readonly windows: readonly [shortest: number, middle: number, longest: number];
  readonly flow: number;
  /** Newest swaps of the longest window to be listed. */
  readonly recentLimit: number;
}

export interface ActivitySums {
  /** One per window, in their order. */
  readonly windows: readonly ActivityCounts[];
  /** One per quote of the longest window. */
  readonly quotes: readonly QuoteSums[];
  /** Minutes with trades, oldest first, one per quote. */
  readonly flow: readonly FlowSums[];
  /** Newest first. */
  readonly recent: readonly Pick<SwapRow, 'time' | 'signature' | 'ix_index'>[];
}

/** Counts over every swap; wallets without the protocol's own. */
export interface ActivityCounts {
  readonly buys: number;
  readonly sells: number;
  readonly buyers: number;
  readonly sellers: number;
}

export interface QuoteSums {
  readonly quote_mint: Address | '';
  /** Of the newest swap in it. */
  readonly quote_decimals: number;
  readonly swaps: number;
  /** Raw quote units, one per window, in their order. */
  readonly volumes: readonly bigint[];
}

export interface FlowSums {
  /** Unix seconds of the minute. */
  readonly start: number;
  readonly quote_mint: Address | '';
  readonly buy: bigint;
  readonly sell: bigint;
}
