import type { Address } from '../chain/address.ts';
import type { SlotSpan } from '../feed/feed.ts';
import type { RowBatch, RowBytes } from '../store/clickhouse/schema/row-batch.ts';
import type { FactTableName } from '../store/clickhouse/schema/tables.ts';
import type { IngestSnapshot } from './report/stats.ts';

/** Messages of the ingest thread to the main one. */
export type FromWorker =
  | { readonly type: 'started'; readonly committedSlot: number; readonly stats: IngestSnapshot }
  | { readonly type: 'batch'; readonly batch: PackedBatch }
  | { readonly type: 'commit'; readonly slot: number; readonly batches: number }
  /** The newest batch told of, of this slot, is not on the chain. */
  | { readonly type: 'withdraw'; readonly slot: number }
  /** The store has other rows of these mints than the batches tell; of these slots, when facts are among them. */
  | { readonly type: 'changed'; readonly mints: readonly Address[]; readonly slots: SlotSpan | undefined }
  | { readonly type: 'stats'; readonly stats: IngestSnapshot }
  /** Nothing more will come; all that came is in the store. */
  | { readonly type: 'finished'; readonly stats: IngestSnapshot }
  | { readonly type: 'failed'; readonly error: ErrorText };

/** Messages of the main thread to the ingest one. */
export type ToWorker =
  | { readonly type: 'stop' }
  /** The feed's listeners are through with so many more batches. */
  | { readonly type: 'taken'; readonly batches: number };

/** An error's text: errors themselves do not cross threads with their class. */
export interface ErrorText {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
}

/** A batch as one run of bytes, which is handed over instead of copied. */
export interface PackedBatch {
  readonly firstSlot: number;
  readonly lastSlot: number;
  readonly closesSlots: boolean;
  readonly tables: readonly PackedTable[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface PackedTable {
  readonly name: FactTableName;
  readonly rows: number;
  /** Length in bytes. Tables follow each other without a gap. */
  readonly length: number;
}

/** Copies the rows once: the originals are still to be written to the store. */
export function packBatch(batch: RowBatch): PackedBatch {
  const entries = [...batch.tables];
  const bytes = new Uint8Array(entries.reduce((sum, [, rows]) => sum + rows.bytes.length, 0));
  let at = 0;
  for (const [, rows] of entries) {
    bytes.set(rows.bytes, at);
    at += rows.bytes.length;
  }
  return {
    firstSlot: batch.firstSlot,
    lastSlot: batch.lastSlot,
    closesSlots: batch.closesSlots,
    tables: entries.map(([name, rows]) => ({ name, rows: rows.rows, length: rows.bytes.length })),
    bytes,
  };
}

/** The way back: views into the packed bytes. */
export function unpackBatch(packed: PackedBatch): RowBatch {
  const tables = new Map<FactTableName, RowBytes>();
  let at = 0;
  for (const { name, rows, length } of packed.tables) {
    tables.set(name, { rows, bytes: packed.bytes.subarray(at, at + length) });
    at += length;
  }
  return { firstSlot: packed.firstSlot, lastSlot: packed.lastSlot, closesSlots: packed.closesSlots, tables };
}

export function toErrorText(error: unknown): ErrorText {
  if (error instanceof Error) return { name: error.name, message: error.message, stack: error.stack };
  return { name: 'Error', message: String(error), stack: undefined };
}
