import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import type { FlushFigures } from '../report/flush-log.ts';

/** Sizes and slots of a flush of these batches, at least one. */
export function sizeOf(
  batches: readonly RowBatch[],
): Pick<FlushFigures, 'batches' | 'rows' | 'bytes' | 'firstSlot' | 'lastSlot'> {
  let rows = 0;
  let bytes = 0;
  for (const { tables } of batches) {
    for (const table of tables.values()) {
      rows += table.rows;
      bytes += table.bytes.length;
    }
  }
  return {
    batches: batches.length,
    rows,
    bytes,
    firstSlot: batches[0]?.firstSlot ?? 0,
    lastSlot: batches.at(-1)?.lastSlot ?? 0,
  };
}
