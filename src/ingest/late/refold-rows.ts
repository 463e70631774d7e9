import type { PositionState } from '../../facts/average-cost.ts';
import { encodePositions } from '../../store/clickhouse/schema/position-rows.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import { encodeStale, type StaleMint } from '../../store/clickhouse/write/stale-positions.ts';

/** Positions of one flush: some 10 MB of rows. */
const MAX_POSITIONS = 50_000;

/**
 * Refolded positions as the rows of one or more flushes, to be written in order.
 * The last says that the marks are done: a crash before it leaves the mints stale, and whoever
 * reads meanwhile does not take old positions for new ones, as tables of one flush come in no order.
 */
export function refoldTables(
  states: readonly PositionState[],
  done: readonly StaleMint[],
): readonly RowBatch['tables'][] {
  const flushes: RowBatch['tables'][] = [];
  for (let start = 0; start < states.length; start += MAX_POSITIONS) {
    flushes.push(new Map([['positions', encodePositions(states.slice(start, start + MAX_POSITIONS))]]));
  }
  return [...flushes, new Map([['stale_positions', encodeStale(done, true)]])];
}
