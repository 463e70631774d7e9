import type { PositionState } from '../../../facts/average-cost.ts';
import type { RowBatch, RowBytes } from './row-batch.ts';
import { encodeRows } from './row-codec.ts';
import { rowConverter } from './row-converter.ts';
import { POSITIONS, type PositionRow } from './tables.ts';

const positionRow = rowConverter<PositionState, typeof POSITIONS>(POSITIONS, {});

/** A position as the store keeps it. */
export function toPositionRow(state: PositionState): PositionRow {
  return positionRow(state, false);
}

export function encodePositions(states: readonly PositionState[]): RowBytes {
  return encodeRows<typeof POSITIONS>(POSITIONS, states.map(toPositionRow));
}

/** The batch with these positions in place of any that it has. */
export function withPositions(batch: RowBatch, states: readonly PositionState[]): RowBatch {
  if (states.length === 0) return batch;
  return { ...batch, tables: new Map([...batch.tables, ['positions', encodePositions(states)]]) };
}

/** The way back: what the fold goes on from. */
export function fromPositionRow(row: PositionRow): PositionState {
  const { mint, trader } = row;
  return {
    mint,
    quoteMint: row.quote_mint === '' ? undefined : row.quote_mint,
    trader,
    slot: row.slot,
    blockIndex: row.block_index,
    ixIndex: row.ix_index,
    tokenBalance: row.token_balance,
    tokensBought: row.tokens_bought,
    tokensSold: row.tokens_sold,
    quoteInvested: row.quote_invested,
    quoteReceived: row.quote_received,
    basis: row.basis,
    basisTokens: row.basis_tokens,
    realizedPnl: row.realized_pnl,
    pnlKnown: row.pnl_known,
    buys: row.buys,
    sells: row.sells,
    firstTime: row.first_time,
    firstSlot: row.first_slot,
    lastTime: row.last_time,
  };
}
