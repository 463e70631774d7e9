import { STALE_POSITIONS } from './stale-positions-table.ts';
import type { RowOf, TableLayout } from './table-layout.ts';

const POSITION = { slot: 'u32', block_index: 'u32', ix_index: 'u16' } as const;
const ORIGIN = { ...POSITION, time: 'time', signature: 'signature', partial: 'bool' } as const;

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
  },
} as const satisfies TableLayout;

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

export const TRANSFERS = {
  name: 'transfers',
  columns: {
    mint: 'account',
    ...ORIGIN,
    sender: 'account',
    receiver: 'account',
    amount: 'u64',
    decimals: 'u8',
    ambiguous: 'bool',
  },
} as const satisfies TableLayout;

export const BURNS = {
  name: 'burns',
  columns: { mint: 'account', ...ORIGIN, owner: 'account', amount: 'u64', decimals: 'u8' },
} as const satisfies TableLayout;

export const UNEXPLAINED_DELTAS = {
  name: 'unexplained_deltas',
  columns: { mint: 'account', ...ORIGIN, owner: 'account', delta: 'i64' },
} as const satisfies TableLayout;

export const FUNDINGS = {
  name: 'fundings',
  columns: { wallet: 'account', ...ORIGIN, funder: 'account', amount: 'u64', created_account: 'bool' },
} as const satisfies TableLayout;

export const BLOCKS = {
  name: 'blocks',
  columns: {
    slot: 'u32',
    blockhash: 'string',
    parent_slot: 'u32',
    time: 'time',
    transactions: 'u32',
    failed: 'u32',
    votes: 'u32',
    swaps: 'u32',
    attempts: 'u32',
    fees: 'u64',
    priority_fees: 'u64',
    tips: 'u64',
  },
} as const satisfies TableLayout;

export const SLOT_TIPS = {
  name: 'slot_tips',
  columns: { slot: 'u32', time: 'time', tip_wallet: 'address', count: 'u32', lamports: 'u64' },
} as const satisfies TableLayout;

/**
 * Absolute post-state of the ordered fold per (mint, quote, trader): the row
 * with the newest last position wins, so writing one twice changes nothing.
 */
export const POSITIONS = {
  name: 'positions',
  columns: {
    mint: 'account',
    quote_mint: 'address',
    trader: 'account',
    /** Position of the last swap folded in. */
    slot: 'u32',
    block_index: 'u32',
    ix_index: 'u16',
    /** Tokens held as far as trades tell, raw; negative when more was sold than bought. */
    token_balance: 'i64',
    tokens_bought: 'u64',
    tokens_sold: 'u64',
    quote_invested: 'u64',
    quote_received: 'u64',
    /** Cost of the tokens still held with a known basis, raw quote. */
    basis: 'u64',
    /** Tokens of the balance whose basis is known. */
    basis_tokens: 'u64',
    realized_pnl: 'i64',
    /** False once a sell took tokens without a basis. */
    pnl_known: 'bool',
    buys: 'u32',
    sells: 'u32',
    first_time: 'time',
    first_slot: 'u32',
    last_time: 'time',
  },
} as const satisfies TableLayout;

export const FACT_TABLES = [
  BLOCKS,
  SLOT_TIPS,
  TOKEN_CREATIONS,
  CURVE_COMPLETIONS,
  TOKEN_GRADUATIONS,
  CREATOR_CHANGES,
  POOLS,
  LIQUIDITY,
  FEE_PAYOUTS,
  SWAPS,
  ATTEMPTS,
  TRANSFERS,
  BURNS,
  UNEXPLAINED_DELTAS,
  FUNDINGS,
  POSITIONS,
  STALE_POSITIONS,
] as const;

export type FactTable = (typeof FACT_TABLES)[number];
export type FactTableName = FactTable['name'];

export type SwapRow = RowOf<typeof SWAPS>;
export type AttemptRow = RowOf<typeof ATTEMPTS>;
export type TokenCreationRow = RowOf<typeof TOKEN_CREATIONS>;
export type CurveCompletionRow = RowOf<typeof CURVE_COMPLETIONS>;
export type TokenGraduationRow = RowOf<typeof TOKEN_GRADUATIONS>;
export type CreatorChangeRow = RowOf<typeof CREATOR_CHANGES>;
export type PoolRow = RowOf<typeof POOLS>;
export type LiquidityRow = RowOf<typeof LIQUIDITY>;
export type FeePayoutRow = RowOf<typeof FEE_PAYOUTS>;
export type TransferRow = RowOf<typeof TRANSFERS>;
export type BurnRow = RowOf<typeof BURNS>;
export type UnexplainedDeltaRow = RowOf<typeof UNEXPLAINED_DELTAS>;
export type FundingRow = RowOf<typeof FUNDINGS>;
export type BlockRow = RowOf<typeof BLOCKS>;
export type SlotTipRow = RowOf<typeof SLOT_TIPS>;
export type PositionRow = RowOf<typeof POSITIONS>;
