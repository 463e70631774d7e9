import type { Address } from '../../chain/address.ts';
import type { AmountScaling } from '../../programs/spl-token/mint-account.ts';

/** What the chain's own accounts tell of shares. */
export interface EquityMints {
  mintOf(mint: Address): EquityMint | undefined;
}

/** A mint as it was read last. */
export interface EquityMint {
  /** Raw units. */
  readonly supply: bigint;
  readonly decimals: number;
  /** Shares that a whole token stands for; undefined where it is one, unknown where the chain told but a part. */
  readonly scaling: AmountScaling | 'unknown' | undefined;
  /** Unix milliseconds. */
  readonly readAt: number;
}

/** What shares closed at on their exchange. */
export interface ClosingPrices {
  closeOf(ticker: string): ClosingPrice | undefined;
}

export interface ClosingPrice {
  readonly usd: number;
  /** In New York: `2026-11-25`. */
  readonly date: string;
}

export const NO_EQUITY_MINTS: EquityMints = { mintOf: () => undefined };
export const NO_CLOSING_PRICES: ClosingPrices = { closeOf: () => undefined };
