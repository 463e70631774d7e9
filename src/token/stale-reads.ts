import { Type } from 'typebox';
import { gatherReads } from '../books/gather.ts';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import { decodeRows } from '../store/clickhouse/schema/row-codec.ts';
import { STALE_POSITIONS } from '../store/clickhouse/schema/tables.ts';
import { defineRowQuery } from '../store/query.ts';

const marked = defineRowQuery({
  sql: new URL('./mints-marked.sql', import.meta.url),
  params: Type.Object({ mints: Type.Array(Type.String()) }),
  layout: {
    name: 'mints_marked',
    columns: { mint: 'account', newest: 'u32', of_positions: 'u32', answered: 'u32' },
  },
});

const TOGETHER = { together: 64, waitMs: 5 };
/** Marks are as of no slot: those of the moment count. */
const NOW = 0;

export interface StaleReaderDeps {
  readonly client: StoreClient;
  /** Batches that the store has not committed yet. */
  readonly feed: { since(slot: number): readonly RowBatch[] };
}

/**
 * Tells whether positions or holdings of a mint are still to be folded again: something of it came late, and they lack
 * it. What is read of them behind the answer no lacks nothing that had come by then.
 */
export type StaleReader = (mint: Address) => Promise<boolean>;

/** Marks come with the rows that make them necessary: in a batch of the feed first, and in the store from its flush on. */
export function createStaleReader({ client, feed }: StaleReaderDeps): StaleReader {
  const isStored = gatherReads<boolean>(async (mints) => {
    const rows = await marked(client, { mints: [...mints] });
    const found = new Set(rows.flatMap(({ mint, newest, answered }) => (newest > answered ? [mint] : [])));
    return mints.map((mint) => found.has(mint));
  }, TOGETHER);
  const isHeld = (mint: Address) => feed.since(0).some((batch) => marksOf(batch).has(mint));
  // A batch may come, or go over to the store, while the store is asked.
  return async (mint) => isHeld(mint) || (await isStored(mint, NOW)) || isHeld(mint);
}

function marksOf({ tables }: RowBatch): ReadonlySet<Address> {
  const bytes = tables.get(STALE_POSITIONS.name)?.bytes;
  if (bytes === undefined) return NO_MINTS;
  return new Set(decodeRows<typeof STALE_POSITIONS>(STALE_POSITIONS, bytes).map(({ mint }) => mint));
}

const NO_MINTS: ReadonlySet<Address> = new Set();

/**
 * The newest late swap that positions of a mint were folded again for, by its mark; undefined while one still waits, so
 * that they are not right. Marks about holdings alone leave positions right. The same before and after a read of
 * positions says that nothing came late meanwhile.
 */
export async function readFoldedMark(client: StoreClient, mint: Address): Promise<number | undefined> {
  const [marks] = await marked(client, { mints: [mint] });
  if (marks === undefined) return 0;
  return marks.of_positions > marks.answered ? undefined : marks.of_positions;
}
