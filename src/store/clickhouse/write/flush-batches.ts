import { addRange, findRange, mergeRanges, type SlotRange } from '../coverage.ts';
import type { RowBatch } from '../schema/row-batch.ts';
import { FACT_TABLES, type FactTableName } from '../schema/tables.ts';
import { type Flush, newFlushId } from './outbox.ts';

/** Fact tables are partitioned by this many slots, about a day or two, or by a multiple of it, as their migrations say. */
export const PARTITION_SLOTS = 500_000;
/**
 * Largest flush. It stays below what the engine takes as one block even where a
 * rollup makes eight rows of one, so that an insert is always one part.
 */
export const MAX_FLUSH_BYTES = 32 * 1024 ** 2;
/** The same under a lease, where an insert has seconds to come over a network and be written. */
export const MAX_LEASED_FLUSH_BYTES = 4 * 1024 ** 2;

const COLUMNS: ReadonlyMap<FactTableName, readonly string[]> = new Map(
  FACT_TABLES.map(({ name, columns }) => [name, Object.keys(columns)]),
);

/**
 * Leaves out blocks that are whole in `accepted`, and parts of blocks that are whole there, or become so with these
 * batches. With what is accepted then.
 */
export function selectNew(
  batches: readonly RowBatch[],
  accepted: readonly SlotRange[],
): { readonly selected: readonly RowBatch[]; readonly accepted: readonly SlotRange[] } {
  let known = accepted;
  const isNew = ({ lastSlot }: RowBatch) => findRange(known, lastSlot) === undefined;
  const whole: RowBatch[] = [];
  for (const batch of batches) {
    if (!batch.closesSlots || !isNew(batch)) continue;
    known = addRange(known, { first: batch.firstSlot, last: batch.lastSlot });
    whole.push(batch);
  }
  const partial = batches.filter((batch) => !batch.closesSlots && isNew(batch));
  return { selected: [...whole, ...partial], accepted: known };
}

/**
 * Joins batches, one piece of bytes per table, into as few flushes as may be:
 * none crosses the edge of a partition, and none is larger than the limit unless a
 * single block is.
 */
export function joinBatches(batches: readonly RowBatch[], maxBytes = MAX_FLUSH_BYTES): Flush[] {
  const groups: RowBatch[][] = [];
  let bytes = 0;
  let partition: number | undefined;
  for (const batch of batches) {
    const added = sizeOf(batch);
    const its = Math.floor(batch.lastSlot / PARTITION_SLOTS);
    if (partition !== its || bytes + added > maxBytes) {
      groups.push([]);
      bytes = 0;
      partition = its;
    }
    groups.at(-1)!.push(batch);
    bytes += added;
  }
  return groups.map(joinGroup);
}

/** A flush of rows that belong to no slot: none is closed by it, none is partial. */
export function flushOf(tables: RowBatch['tables']): Flush {
  return {
    id: newFlushId(),
    closes: [],
    partialSlots: [],
    tables: [...tables].map(([table, { rows, bytes }]) => ({ table, columns: COLUMNS.get(table)!, rows, bytes })),
  };
}

export function flushBytes({ tables }: Flush): number {
  return tables.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function sizeOf({ tables }: RowBatch): number {
  let sum = 0;
  for (const { bytes } of tables.values()) sum += bytes.length;
  return sum;
}

function joinGroup(batches: readonly RowBatch[]): Flush {
  const pieces = new Map<FactTableName, { rows: number; bytes: Uint8Array[] }>();
  for (const { tables } of batches) {
    for (const [table, { rows, bytes }] of tables) {
      const joined = pieces.get(table) ?? { rows: 0, bytes: [] };
      joined.rows += rows;
      joined.bytes.push(bytes);
      pieces.set(table, joined);
    }
  }
  const closing = batches.filter(({ closesSlots }) => closesSlots);
  return {
    id: newFlushId(),
    closes: mergeRanges(closing.map(({ firstSlot, lastSlot }) => ({ first: firstSlot, last: lastSlot }))),
    partialSlots: [...new Set(batches.filter((batch) => !batch.closesSlots).map(({ lastSlot }) => lastSlot))],
    tables: [...pieces].map(([table, { rows, bytes }]) => ({
      table,
      columns: COLUMNS.get(table)!,
      rows,
      bytes: bytes.length === 1 ? bytes[0]! : Buffer.concat(bytes),
    })),
  };
}
