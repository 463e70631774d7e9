import type { Address } from '../../chain/address.ts';
import type { HoldingRow, PositionRow, SwapRow } from '../../store/clickhouse/schema/tables.ts';

/** Rows that the rules of "Holders and intelligence" (docs/research.md) are given. */

/** A wallet's trades of the token in one quote, folded. */
export type TradePosition = Omit<PositionRow, 'mint' | 'block_index' | 'ix_index'>;

/** A wallet's cost and result in the order of everything, of one that moved tokens outside of trades. */
export type StrictResult = Pick<
  HoldingRow,
  'wallet' | 'slot' | 'quote_mint' | 'quotes' | 'basis' | 'basis_tokens' | 'realized_pnl' | 'pnl_known'
>;

/** Tokens that a wallet got and gave outside of trades, raw units. */
export interface WalletFlow {
  readonly wallet: Address;
  readonly received: bigint;
  readonly sent: bigint;
  readonly burnt: bigint;
  /** Put into pools, less what was taken out. */
  readonly provided: bigint;
  /** Signed: what balances show in transactions with a venue, and no event explains. */
  readonly unexplained: bigint;
}

/** A swap that may be an event, newest first in lists. */
export type NotableSwap = Pick<
  SwapRow,
  | 'slot'
  | 'block_index'
  | 'ix_index'
  | 'time'
  | 'signature'
  | 'trader'
  | 'is_buy'
  | 'quote_mint'
  | 'quote_amount'
  | 'token_amount'
>;

/** A send or a burn that may be an event. */
export interface NotableMove extends Pick<SwapRow, 'slot' | 'block_index' | 'ix_index' | 'time' | 'signature'> {
  readonly isBurn: boolean;
  readonly wallet: Address;
  /** '' for burns, and where several sent to several. */
  readonly receiver: Address | '';
  readonly amount: bigint;
}

/** Source of a wallet's first money, as far as known at its first trade. */
export interface WalletFunding {
  readonly funder: Address | undefined;
  /** The registry's name of the funder. */
  readonly label: string | undefined;
  /** Unix seconds at which that transfer made the account; undefined when it did not, or is not known. */
  readonly madeAt: number | undefined;
}

/** A launch's swap as far as wallets are concerned. */
export type LaunchSwap = Pick<
  SwapRow,
  'slot' | 'block_index' | 'ix_index' | 'time' | 'trader' | 'is_buy' | 'token_amount' | 'protocol_actor'
>;
