import type { Address } from '../chain/address.ts';
import type { TokenFacts } from './token-reads.ts';

/** The questions about all tokens: pages of mints in an order, and what a list says of each. */
export interface MarketReads {
  /** Mints of a page, in its order. */
  listMints(mark: number, window: ListWindow): Promise<readonly ListPlace[]>;
  /** What list rows say of each mint from a minute on, in the order given. */
  listTokens(mints: readonly Address[], mark: number, since: number): Promise<readonly ListedToken[]>;
  stats(spans: StatsSpans): Promise<StoreStats>;
}

/** Where a token stands in a list: its creation's position, or its newest swap's. */
export interface ListPlace {
  readonly mint: Address;
  readonly slot: number;
  readonly block_index: number;
  readonly ix_index: number;
}

export interface ListWindow {
  readonly sort: 'newest' | 'last_trade';
  /** Undefined = both. */
  readonly graduated: boolean | undefined;
  readonly creator: Address | undefined;
  /** Creation time, Unix seconds, half-open; undefined = open. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly limit: number;
  /** Tokens after it: older, or of the same place with a greater mint. */
  readonly cursor: ListPlace | undefined;
}

export interface ListedToken {
  readonly mint: Address;
  readonly facts: TokenFacts;
  /** Minutes with trades, oldest first, one per quote. */
  readonly minutes: readonly MinuteTrades[];
  /** Last prices before those minutes, one per quote. */
  readonly earlier: readonly QuotePrice[];
  /** Positions: wallets that ever traded it, one in each quote. */
  readonly traders: number;
}

export interface MinuteTrades {
  /** Unix seconds. */
  readonly start: number;
  readonly quote_mint: Address | '';
  readonly trades: number;
  /** Raw quote units. */
  readonly volume: bigint;
  /** Last price, raw quote over raw token; 0 when no swap of the minute prices the token. */
  readonly close: number;
}

export interface QuotePrice {
  readonly quote_mint: Address | '';
  /** Raw quote over raw token. */
  readonly price: number;
}

/** Unix seconds. */
export interface StatsSpans {
  readonly minute: number;
  readonly fiveMinutes: number;
  readonly hour: number;
}

export interface StoreStats {
  readonly tokens: number;
  readonly graduated: number;
  /** Tokens created with a quote that is not SOL. */
  readonly otherQuotes: number;
  readonly positions: number;
  readonly swaps: number;
  readonly tips: number;
  readonly swapsMinute: number;
  readonly swapsFiveMinutes: number;
  readonly swapsHour: number;
  readonly tokensHour: number;
  readonly tipsHour: number;
  /** Time of the newest block, Unix seconds; 0 without one. */
  readonly newestTime: number;
  readonly tables: readonly TableSize[];
  readonly tipWallets: readonly {
    readonly tip_wallet: Address | '';
    readonly count: number;
    readonly lamports: bigint;
  }[];
  readonly topTokens: readonly { readonly mint: Address | ''; readonly volume: bigint; readonly trades: number }[];
  /** Swaps per minute of the hour, oldest first. */
  readonly minutes: readonly { readonly start: number; readonly swaps: number }[];
}

export interface TableSize {
  readonly name: string;
  readonly bytes: number;
  readonly compressed: number;
  readonly uncompressed: number;
  readonly parts: number;
}
