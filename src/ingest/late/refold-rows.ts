import type { WalletState } from '../../facts/wallet-fold.ts';
import { encodeHoldings } from '../../store/clickhouse/schema/holding-rows.ts';
import { encodePositions } from '../../store/clickhouse/schema/position-rows.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import { encodeStale, type StaleMint } from '../../store/clickhouse/write/stale-positions.ts';

/** Positions, or holdings, of one flush: some 10 MB of rows. */
const MAX_ROWS = 50_000;

/**
 * Refolded wallets as the rows of one or more flushes, to be written in order.
 * The last says that these marks are done, and makes those of mints that are to be folded once more: a crash before it
 * leaves the mints stale, and whoever reads meanwhile does not take old positions for new ones, as tables of one flush
 * come in no order.
 */
export function refoldTables(
  states: readonly WalletState[],
  done: readonly StaleMint[],
  marks: readonly StaleMint[],
): readonly RowBatch['tables'][] {
  const flushes: RowBatch['tables'][] = [];
  const positions = states.flatMap((state) => state.positions);
  for (let start = 0; start < positions.length; start += MAX_ROWS) {
    flushes.push(new Map([['positions', encodePositions(positions.slice(start, start + MAX_ROWS))]]));
  }
  const holdings = states.flatMap(({ holding }) => holding ?? []);
  for (let start = 0; start < holdings.length; start += MAX_ROWS) {
    flushes.push(new Map([['holdings', encodeHoldings(holdings.slice(start, start + MAX_ROWS))]]));
  }
  const [answered, again] = [encodeStale(done, true), encodeStale(marks, false)];
  const stale = { rows: answered.rows + again.rows, bytes: Buffer.concat([answered.bytes, again.bytes]) };
  return [...flushes, new Map([['stale_positions', stale]])];
}
