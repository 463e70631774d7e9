import type { FactTableName } from './tables.ts';

/** Rows of one or more blocks, by table: what ingest writes and the feed carries. */
export interface RowBatch {
  readonly firstSlot: number;
  readonly lastSlot: number;
  /** Whole slots only; partial input never closes a slot. */
  readonly closesSlots: boolean;
  /** RowBinary bytes by table name; a table without rows is absent. */
  readonly tables: ReadonlyMap<FactTableName, RowBytes>;
}

export interface RowBytes {
  readonly rows: number;
  readonly bytes: Uint8Array;
}
