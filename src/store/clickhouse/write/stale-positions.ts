import type { Address } from '../../../chain/address.ts';
import { readRows, type StoreClient } from '../client.ts';
import { STALE_POSITIONS, type StalePositionRow } from '../schema/position-tables.ts';
import type { RowBatch, RowBytes } from '../schema/row-batch.ts';
import { encodeRows } from '../schema/row-codec.ts';
import type { TableLayout } from '../schema/table-layout.ts';

/** A mint whose positions have to be folded again, by its newest mark. */
export interface StaleMint {
  readonly mint: Address;
  readonly mark: number;
  /** Slot of the late swap that made the mark. */
  readonly slot: number;
}

export interface StaleReport {
  readonly mints: readonly StaleMint[];
  /** Newest mark ever made, 0 before the first. */
  readonly newestMark: number;
}

const STALE = {
  name: 'stale',
  columns: { mint: 'account', mark: 'u32', slot: 'u32' },
} as const satisfies TableLayout;
const NEWEST = { name: 'newest', columns: { mark: 'u32' } } as const satisfies TableLayout;

export function encodeStale(mints: readonly StaleMint[], done: boolean): RowBytes {
  const rows: StalePositionRow[] = mints.map(({ mint, mark, slot }) => ({ mint, done, mark, slot }));
  return encodeRows<typeof STALE_POSITIONS>(STALE_POSITIONS, rows);
}

/** The batch, and in the same flush with it, beside those that it has, that positions of these mints are stale. */
export function withStale(batch: RowBatch, mints: readonly StaleMint[]): RowBatch {
  if (mints.length === 0) return batch;
  const added = encodeStale(mints, false);
  const known = batch.tables.get(STALE_POSITIONS.name) ?? { rows: 0, bytes: new Uint8Array(0) };
  const all = { rows: known.rows + added.rows, bytes: Buffer.concat([known.bytes, added.bytes]) };
  return { ...batch, tables: new Map([...batch.tables, [STALE_POSITIONS.name, all]]) };
}

/** Mints whose positions are still to be folded again, oldest mark first. */
export async function readStale(client: StoreClient): Promise<StaleReport> {
  const mints = await readRows(
    client,
    STALE,
    `SELECT mint, maxIf(p.mark, NOT done) AS newest, argMax(p.slot, p.mark) AS slot
     FROM stale_positions AS p GROUP BY mint HAVING newest > maxIf(p.mark, done) ORDER BY newest`,
  );
  const [newest] = await readRows(client, NEWEST, 'SELECT max(mark) FROM stale_positions');
  return {
    mints: mints.map(({ mint, mark, slot }) => ({ mint: mint as Address, mark, slot })),
    newestMark: newest?.mark ?? 0,
  };
}
