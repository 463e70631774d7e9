import { ORIGIN } from './origin.ts';
import type { RowOf, TableLayout } from './table-layout.ts';

/** `quote_mint` is '' for SOL everywhere. `*_decimals` is 255 while unknown. */
export const SWAPS = {
  name: 'swaps',
  columns: {
    mint: 'account',
    ...ORIGIN,
    venue: 'u8',
    pool: 'address',
    trader: 'account',
    is_buy: 'bool',
    quote_mint: 'address',
    quote_decimals: 'u8',
    token_decimals: 'u8',
    quote_amount: 'u64',
    token_amount: 'u64',
    price_quote: 'u64',
    price_token: 'u64',
    /** Raw quote over raw token: for sorting and candles, never for money. */
    price: 'f64',
    fee: 'u64',
    creator_fee: 'u64',
    lp_fee: 'u64',
    /** True on inverted pools, whose three fees are in the token's raw units. */
    fee_in_token: 'bool',
    fee_creator: 'address',
    virtual_quote_reserves: 'u64',
    virtual_token_reserves: 'u64',
    real_quote_reserves: 'u64',
    real_token_reserves: 'u64',
    /** False when the event did not carry reserves: the four above are then 0 and unknown. */
    reserves_known: 'bool',
    priced: 'bool',
    protocol_actor: 'bool',
    /** 0 no, 1 yes, 2 unknown (partial input). */
    bundled: 'u8',
    fee_payer: 'account',
    router: 'address',
    tip: 'u64',
    tip_wallet: 'address',
    cu_price: 'u64',
    cu_limit: 'u32',
    priority_fee: 'u64',
    budget_source: 'u8',
    network_fee: 'u64',
    /** Kept since the 55th migration: 0 on rows from before. */
    signatures: 'u8',
  },
} as const satisfies TableLayout;

export const ATTEMPTS = {
  name: 'attempts',
  columns: {
    mint: 'account',
    ...ORIGIN,
    venue: 'u8',
    trader: 'account',
    /** 0 sell, 1 buy, 2 unknown. */
    side: 'u8',
    /** 1 rejected, 2 self_abort, 3 failed_unknown. */
    outcome: 'u8',
    why: 'string',
    /** 0 when unknown. */
    error_code: 'u32',
    program: 'address',
    router: 'address',
    fee_payer: 'account',
    tip: 'u64',
    tip_wallet: 'address',
    cu_price: 'u64',
    cu_limit: 'u32',
    priority_fee: 'u64',
    budget_source: 'u8',
    network_fee: 'u64',
    /** As much of `tip` as its payers had. Like `signatures` kept since the 33rd migration. */
    tip_payable: 'u64',
    /** 0 on rows from before, of which `tip_payable` is not known either. */
    signatures: 'u8',
  },
} as const satisfies TableLayout;

export type SwapRow = RowOf<typeof SWAPS>;
export type AttemptRow = RowOf<typeof ATTEMPTS>;
