import { ORIGIN } from './origin.ts';
import type { RowOf, TableLayout } from './table-layout.ts';

export const TOKEN_CREATIONS = {
  name: 'token_creations',
  columns: {
    mint: 'account',
    ...ORIGIN,
    creator: 'address',
    fee_creator: 'address',
    name: 'string',
    symbol: 'string',
    uri: 'string',
    bonding_curve: 'address',
    decimals: 'u8',
    token_program: 'address',
    quote_mint: 'address',
    mayhem: 'bool',
    cashback: 'bool',
    holder_reward: 'bool',
    creator_fee_bps: 'u32',
    curve_depth: 'u8',
    /** 0 when the event did not carry them. */
    virtual_token_reserves: 'u64',
    virtual_quote_reserves: 'u64',
    real_token_reserves: 'u64',
    supply: 'u64',
  },
} as const satisfies TableLayout;

export const CURVE_COMPLETIONS = {
  name: 'curve_completions',
  columns: { mint: 'account', ...ORIGIN, bonding_curve: 'address', user: 'account' },
} as const satisfies TableLayout;

export const TOKEN_GRADUATIONS = {
  name: 'token_graduations',
  columns: {
    mint: 'account',
    ...ORIGIN,
    pool: 'address',
    quote_mint: 'address',
    token_amount: 'u64',
    quote_amount: 'u64',
    migration_fee: 'u64',
    /** Kept since the 44th migration; '' on rows from before. */
    user: 'address',
  },
} as const satisfies TableLayout;

export const CREATOR_CHANGES = {
  name: 'creator_changes',
  columns: { mint: 'account', ...ORIGIN, previous: 'address', creator: 'address', reason: 'string' },
} as const satisfies TableLayout;

export const POOLS = {
  name: 'pools',
  columns: {
    mint: 'account',
    ...ORIGIN,
    pool: 'address',
    quote_mint: 'address',
    inverted: 'bool',
    canonical: 'bool',
    creator: 'address',
    token_decimals: 'u8',
    quote_decimals: 'u8',
    token_amount: 'u64',
    quote_amount: 'u64',
  },
} as const satisfies TableLayout;

export const LIQUIDITY = {
  name: 'liquidity',
  columns: {
    mint: 'account',
    ...ORIGIN,
    pool: 'address',
    user: 'account',
    is_deposit: 'bool',
    token_amount: 'u64',
    quote_amount: 'u64',
    lp_amount: 'u64',
  },
} as const satisfies TableLayout;

export const FEE_PAYOUTS = {
  name: 'fee_payouts',
  columns: {
    mint: 'address',
    ...ORIGIN,
    recipient: 'account',
    quote_mint: 'address',
    amount: 'u64',
    kind: 'string',
  },
} as const satisfies TableLayout;

export type TokenCreationRow = RowOf<typeof TOKEN_CREATIONS>;
export type CurveCompletionRow = RowOf<typeof CURVE_COMPLETIONS>;
export type TokenGraduationRow = RowOf<typeof TOKEN_GRADUATIONS>;
export type CreatorChangeRow = RowOf<typeof CREATOR_CHANGES>;
