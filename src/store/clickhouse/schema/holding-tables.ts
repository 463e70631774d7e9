import type { RowOf, TableLayout } from './table-layout.ts';

/**
 * Absolute post-state of the ordered fold of trades and movements per (mint, wallet), of wallets that moved
 * tokens outside of trades: the row with the newest last place wins, so writing one twice changes nothing.
 */
export const HOLDINGS = {
  name: 'holdings',
  columns: {
    mint: 'account',
    wallet: 'account',
    /** Place of the last swap or movement folded in. */
    slot: 'u32',
    block_index: 'u32',
    ix_index: 'u16',
    /** Raw units by trades and unexplained deltas. */
    estimate: 'i64',
    /** Raw units by everything. */
    balance: 'i64',
    /** False once more had left than was seen to arrive. */
    estimate_known: 'bool',
    balance_known: 'bool',
    /** False when movements were lost to retention before they were folded. */
    whole: 'bool',
    received: 'u64',
    sent: 'u64',
    burnt: 'u64',
    /** Put into pools, less what was taken out. */
    provided: 'i64',
    unexplained: 'i64',
    quote_mint: 'address',
    /** In how many quotes the wallet traded: 0, 1, or 2 for more. */
    quotes: 'u8',
    /** Cost of the tokens held with a known basis, raw quote, by the order of everything. */
    basis: 'u64',
    basis_tokens: 'u64',
    realized_pnl: 'i64',
    pnl_known: 'bool',
    /** Movements folded in. */
    moves: 'u32',
    /** Of the first movement. */
    first_time: 'time',
    first_slot: 'u32',
    last_time: 'time',
  },
} as const satisfies TableLayout;

export type HoldingRow = RowOf<typeof HOLDINGS>;
