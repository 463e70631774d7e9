import type { HydratedTokenRow } from '../store/clickhouse/schema/background-tables.ts';
import type {
  CreatorChangeRow,
  CurveCompletionRow,
  SwapRow,
  TokenCreationRow,
  TokenGraduationRow,
} from '../store/clickhouse/schema/tables.ts';
import type { DocumentTexts } from './metadata-reads.ts';

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
  /** Facts out of the chain's accounts, for a token whose creation nobody saw. */
  readonly hydrated?: HydratedTokenRow | undefined;
  /** Fields of its document, once that was read; lists have only the image of them. */
  readonly metadata?: DocumentTexts | undefined;
  readonly image?: string | undefined;
  /** Of a mint of which neither a creation nor a swap was seen. */
  readonly traces?: TokenTraces | undefined;
}

/** What attempts, sends and pools tell of a mint. */
export interface TokenTraces {
  /** Somebody tried to trade it, or sent it. */
  readonly known: boolean;
  /** Undefined while neither a send nor a pool told. */
  readonly decimals: number | undefined;
}

export type PlaceColumns = 'slot' | 'block_index' | 'ix_index' | 'time';

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
