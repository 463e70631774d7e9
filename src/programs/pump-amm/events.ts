import type { DataOf } from '../layout.ts';
import { ACCOUNT_EVENTS } from './account-events.ts';
import { POOL_EVENTS } from './pool-events.ts';

/** Every event PumpSwap emits or has emitted. */
export const PUMP_AMM_EVENTS = { ...POOL_EVENTS, ...ACCOUNT_EVENTS } as const;

/**
 * `pool…Reserves` are the vaults before the trade, without virtual reserves.
 * For `buy` and `buy_v2`, `quoteAmountIn` is net of fees and `userQuoteAmountIn`
 * what the user paid; for `buy_exact_quote_in` and its v2 it is the other way
 * round. `quoteAmountInWithLpFee` always is what enters the vault.
 */
export type BuyEvent = DataOf<typeof POOL_EVENTS.BuyEvent>;

/** `quoteAmountOut` is before fees, `userQuoteAmountOut` what the user got. Reserves as in BuyEvent. */
export type SellEvent = DataOf<typeof POOL_EVENTS.SellEvent>;
export type CreatePoolEvent = DataOf<typeof POOL_EVENTS.CreatePoolEvent>;
export type DepositEvent = DataOf<typeof POOL_EVENTS.DepositEvent>;
export type WithdrawEvent = DataOf<typeof POOL_EVENTS.WithdrawEvent>;
