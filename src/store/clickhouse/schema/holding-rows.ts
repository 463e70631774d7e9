import type { HoldingState } from '../../../facts/holding.ts';
import type { RowBatch, RowBytes } from './row-batch.ts';
import { encodeRows } from './row-codec.ts';
import { rowConverter } from './row-converter.ts';
import { HOLDINGS, type HoldingRow } from './tables.ts';

const holdingRow = rowConverter<HoldingState, typeof HOLDINGS>(HOLDINGS, {});

/** A holding as the store keeps it. */
export function toHoldingRow(state: HoldingState): HoldingRow {
  return holdingRow(state, false);
}

export function encodeHoldings(states: readonly HoldingState[]): RowBytes {
  return encodeRows<typeof HOLDINGS>(HOLDINGS, states.map(toHoldingRow));
}

/** The batch with these holdings in place of any that it has. */
export function withHoldings(batch: RowBatch, states: readonly HoldingState[]): RowBatch {
  if (states.length === 0 && !batch.tables.has('holdings')) return batch;
  const tables = new Map(batch.tables);
  if (states.length === 0) tables.delete('holdings');
  else tables.set('holdings', encodeHoldings(states));
  return { ...batch, tables };
}

/** The way back: what the fold goes on from. */
export function fromHoldingRow(row: HoldingRow): HoldingState {
  return {
    mint: row.mint,
    wallet: row.wallet,
    slot: row.slot,
    blockIndex: row.block_index,
    ixIndex: row.ix_index,
    estimate: row.estimate,
    balance: row.balance,
    estimateKnown: row.estimate_known,
    balanceKnown: row.balance_known,
    whole: row.whole,
    received: row.received,
    sent: row.sent,
    burnt: row.burnt,
    provided: row.provided,
    unexplained: row.unexplained,
    quoteMint: row.quote_mint === '' ? undefined : row.quote_mint,
    quotes: row.quotes,
    basis: row.basis,
    basisTokens: row.basis_tokens,
    realizedPnl: row.realized_pnl,
    pnlKnown: row.pnl_known,
    moves: row.moves,
    firstTime: row.first_time,
    firstSlot: row.first_slot,
    lastTime: row.last_time,
  };
}
