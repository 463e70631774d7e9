import type { RowOf, TableLayout } from './table-layout.ts';

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
    /** Place of the last swap folded in. */
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

/**
 * Mints whose positions have to be folded again, and those that have been: stale
 * while the newest mark is newer than the newest that is done.
 */
export const STALE_POSITIONS = {
  name: 'stale_positions',
  columns: {
    mint: 'account',
    done: 'bool',
    /** Numbers the marks of a store in the order in which they were made. */
    mark: 'u32',
    /** Newest slot of what came late. */
    slot: 'u32',
    /** Oldest slot of what came late and is not folded yet; 0 when it may be of any slot. */
    first_slot: 'u32',
    /** True when only holdings have to be folded again: positions are right. */
    holdings_only: 'bool',
  },
} as const satisfies TableLayout;

export type PositionRow = RowOf<typeof POSITIONS>;
export type StalePositionRow = RowOf<typeof STALE_POSITIONS>;
