import type { Address } from '../../../chain/address.ts';
import { readRows, type StoreClient } from '../client.ts';
import { STALE_POSITIONS, type StalePositionRow } from '../schema/position-tables.ts';
import type { RowBatch, RowBytes } from '../schema/row-batch.ts';
import { encodeRows } from '../schema/row-codec.ts';
import type { TableLayout } from '../schema/table-layout.ts';

/** What a mark is about. */
export interface StaleSlots {
  /** Newest slot of what came late. */
  readonly slot: number;
  /** Oldest slot of what came late; 0 when it may be of any slot. */
  readonly firstSlot: number;
  /** Positions are right: only holdings have to be folded again. */
  readonly holdingsOnly: boolean;
}

/** A mint whose positions or holdings have to be folded again, by its newest mark, which is about all that is not done. */
export interface StaleMint extends StaleSlots {
  readonly mint: Address;
  readonly mark: number;
}

export interface StaleReport {
  readonly mints: readonly StaleMint[];
  /** Newest mark ever made, 0 before the first. */
  readonly newestMark: number;
}

const STALE = {
  name: 'stale',
  columns: { mint: 'account', mark: 'u32', slot: 'u32', first_slot: 'u32', holdings_only: 'bool' },
} as const satisfies TableLayout;
const NEWEST = { name: 'newest', columns: { mark: 'u32' } } as const satisfies TableLayout;

export function encodeStale(mints: readonly StaleMint[], done: boolean): RowBytes {
  const rows: StalePositionRow[] = mints.map(({ mint, mark, slot, firstSlot, holdingsOnly }) => {
    return { mint, done, mark, slot, first_slot: firstSlot, holdings_only: holdingsOnly && !done };
  });
  return encodeRows<typeof STALE_POSITIONS>(STALE_POSITIONS, rows);
}

/** Marks numbered behind the newest, about any slot of these mints. */
export function marksOfAnySlot(mints: Iterable<Address>, slot: number, newestMark: number): StaleMint[] {
  return [...mints].map((mint, place) => {
    return { mint, mark: newestMark + 1 + place, slot, firstSlot: 0, holdingsOnly: false };
  });
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
    `SELECT mint, maxIf(p.mark, NOT done) AS newest, argMaxIf(p.slot, p.mark, NOT done) AS slot,
       argMaxIf(p.first_slot, p.mark, NOT done) AS first_slot, argMaxIf(p.holdings_only, p.mark, NOT done) AS holdings_only
     FROM stale_positions AS p GROUP BY mint HAVING newest > maxIf(p.mark, done) ORDER BY newest`,
  );
  const [newest] = await readRows(client, NEWEST, 'SELECT max(mark) FROM stale_positions');
  return {
    mints: mints.map(({ mint, mark, slot, first_slot: firstSlot, holdings_only: holdingsOnly }) => {
      return { mint, mark, slot, firstSlot, holdingsOnly };
    }),
    newestMark: newest?.mark ?? 0,
  };
}
