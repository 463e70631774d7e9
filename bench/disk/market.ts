import type { Address } from '../../src/chain/address.ts';
import type { PositionState } from '../../src/facts/average-cost.ts';
import { toPositionRow } from '../../src/store/clickhouse/schema/position-rows.ts';
import type { RowBatch, RowBytes } from '../../src/store/clickhouse/schema/row-batch.ts';
import { encodeRows } from '../../src/store/clickhouse/schema/row-codec.ts';
import {
  ATTEMPTS,
  type AttemptRow,
  type FactTableName,
  POSITIONS,
  SWAPS,
  type SwapRow,
  TRANSFERS,
  type TransferRow,
} from '../../src/store/clickhouse/schema/tables.ts';
import { foldPositions } from '../../test/support/fold-positions.ts';
import { attemptRow, originsOf, swapRow, transferRow } from './market-rows.ts';
import { createWorld } from './market-world.ts';
import { createRandom } from './random.ts';

/**
 * Rows of a made-up market whose sizes on disk are worth measuring. What decides
 * them, beside the 64 random bytes of a signature, is who trades what how often:
 *
 * - mints by Zipf(0.72), `SWAPS_PER_MINT` swaps each on average; the upper ones trade in a pool;
 * - wallets by Zipf(0.8), `SWAPS_PER_TRADER` swaps each on average, but within a mint most swaps are of
 *   wallets that are in it already: `NEWCOMERS` of them open a position;
 * - amounts: a third of the buys are round sums, seven sells in ten sell everything;
 * - prices follow the curve, or the pool, of every single mint; fees are the programs' own;
 * - attempts are those of bots, a hundredth of the wallets; transfers are airdrops, sweeps and payments.
 */
export interface Market {
  /** Rows of the next `slots` slots, as one batch. */
  next(slots: number): RowBatch;
}

export const SWAPS_PER_SLOT = 115;
export const ATTEMPTS_PER_SLOT = 115;
export const TRANSFERS_PER_SLOT = 200;
const SLOTS_PER_S = 5;

export function createMarket({ swaps, seed, firstSlot, firstTime }: MarketOptions): Market {
  const world = createWorld(createRandom(seed), swaps);
  const positions = new Map<string, PositionState>();
  let slot = firstSlot;
  return {
    next(slots) {
      const first = slot;
      const rows = { swaps: [] as SwapRow[], attempts: [] as AttemptRow[], transfers: [] as TransferRow[] };
      for (; slot < first + slots; slot += 1) {
        const origin = originsOf(world.random, slot, firstTime + Math.floor((slot - firstSlot) / SLOTS_PER_S));
        for (let n = 0; n < SWAPS_PER_SLOT; n += 1) rows.swaps.push(swapRow(world, origin()));
        for (let n = 0; n < ATTEMPTS_PER_SLOT; n += 1) rows.attempts.push(attemptRow(world, origin()));
        for (let n = 0; n < TRANSFERS_PER_SLOT; n += 1) rows.transfers.push(transferRow(world, origin()));
      }
      const changed = [...foldPositions(positions, rows.swaps.map(toPositionSwap))];
      const positionRows = changed.map((key) => toPositionRow(positions.get(key)!));
      const tables = new Map<FactTableName, RowBytes>([
        ['swaps', encodeRows(SWAPS, rows.swaps)],
        ['attempts', encodeRows(ATTEMPTS, rows.attempts)],
        ['transfers', encodeRows(TRANSFERS, rows.transfers)],
        ['positions', encodeRows(POSITIONS, positionRows)],
      ]);
      return { firstSlot: first, lastSlot: slot - 1, closesSlots: true, tables };
    },
  };
}

export interface MarketOptions {
  /** Swaps that the market is made for: the numbers of mints and wallets follow. */
  readonly swaps: number;
  readonly seed: number;
  readonly firstSlot: number;
  /** Unix seconds. */
  readonly firstTime: number;
}

function toPositionSwap(row: SwapRow) {
  return {
    mint: row.mint as Address,
    quoteMint: undefined,
    trader: row.trader as Address,
    slot: row.slot,
    blockIndex: row.block_index,
    ixIndex: row.ix_index,
    time: row.time,
    isBuy: row.is_buy,
    quoteAmount: row.quote_amount,
    tokenAmount: row.token_amount,
    protocolActor: row.protocol_actor,
  };
}
