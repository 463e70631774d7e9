import { readJson, type StoreClient } from '../client.ts';
import { coversRange } from '../coverage.ts';
import { CARD, DERIVED_TABLES, type DerivedTable, factPresence, insertedSelect } from '../derived/derived-tables.ts';
import { PACKED_TABLES } from '../schema/packed-selects.ts';
import { decodeRows } from '../schema/row-codec.ts';
import type { TableLayout } from '../schema/table-layout.ts';
import { FACT_TABLES, type FactTableName } from '../schema/tables.ts';
import { StoreError } from '../store-error.ts';
import { layoutOf } from './flush-columns.ts';
import type { Flush, FlushTable } from './outbox.ts';
import { deletePartialRows } from './partial-rows.ts';
import type { SlotIndex } from './slot-index.ts';
import { insertFenced, type WriterFence } from './writer-fence.ts';

/** Fact tables of one flush that are written at the same time. More would only take the cores from each other. */
const PARALLEL_TABLES = 4;
/** Inserts under different tokens before a table counts as broken. Each needs a crash in the same few microseconds. */
const MAX_MENDS = 5;

const LAYOUTS: ReadonlyMap<FactTableName, TableLayout> = new Map(FACT_TABLES.map((layout) => [layout.name, layout]));

/** The store that flushes go to, and the lease that lets them. */
export interface FlushTarget {
  readonly client: StoreClient;
  readonly slotIndex: SlotIndex;
  /** Asked before every insert. Throws when another writer may have taken over. */
  readonly assertLease: () => void;
  /** Of our lease. Undefined where nobody else can write. */
  readonly fence?: WriterFence | undefined;
}

/**
 * Puts a flush into its tables and marks its slots. Every step can be done
 * again: inserts carry tokens, and the rest changes nothing the second time.
 *
 * `again` says that an earlier try may have got part of the way. Tokens alone
 * do not make that safe: the engine notes a token just before it puts the part
 * in place, and a crash between the two leaves a token without its rows. So
 * then every table is asked whether it has its part, and given it under
 * another token when it has not.
 */
export async function insertFlush(target: FlushTarget, flush: Flush, again: boolean): Promise<void> {
  const { client, slotIndex, assertLease, fence } = target;
  assertLease();
  await slotIndex.openPartial(flush.partialSlots);
  const replaced = [...slotIndex.partialSlots].filter((slot) => coversRange(flush.closes, { first: slot, last: slot }));
  if (replaced.length > 0) await deletePartialRows(client, replaced, fence?.holder);
  const queue = [...flush.tables];
  const insertNext = async (): Promise<void> => {
    for (let table = queue.shift(); table !== undefined; table = queue.shift()) {
      await insertWithDerived(target, flush.id, table, again);
    }
  };
  // All of them are waited for, so that a retry never meets an insert of its own still under way.
  const results = await Promise.allSettled(Array.from({ length: PARALLEL_TABLES }, insertNext));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  assertLease();
  await slotIndex.commit(flush.closes, flush.partialSlots);
  if (replaced.length > 0) await slotIndex.closePartial(replaced);
}

/** First the facts, then what is made of them: a rollup is compared with its facts. */
async function insertWithDerived(
  target: FlushTarget,
  flushId: string,
  table: FlushTable,
  again: boolean,
): Promise<void> {
  await insertOnce(
    target,
    flushId,
    { name: table.table, select: PACKED_TABLES.get(table.table), presence: factPresence(table.table) },
    table,
    again,
  );
  for (const derived of DERIVED_TABLES) {
    if (derived.source !== table.table) continue;
    await insertOnce(target, flushId, { ...derived, select: insertedSelect(derived) }, table, again);
  }
}

interface InsertTarget extends Pick<DerivedTable, 'name' | 'presence'> {
  /** Undefined: the rows as they are. */
  readonly select: string | undefined;
}

async function insertOnce(
  { client, assertLease, fence }: FlushTarget,
  flushId: string,
  { name, select, presence }: InsertTarget,
  table: FlushTable,
  again: boolean,
): Promise<void> {
  const insert = (token: string | undefined) => {
    assertLease();
    const { columns, bytes } = table;
    const layout = LAYOUTS.get(table.table)!;
    return insertFenced(client, { table: name, layout, columns, bytes, token, select }, fence);
  };
  // A table that several facts fill gets an insert of each.
  const first = name === CARD ? `${flushId}-${name}-${table.table}` : `${flushId}-${name}`;
  // A table that was built anew has forgotten its tokens, but not its rows.
  if (again && presence !== undefined && (await isPresent(client, name, presence, table))) return;
  for (let mend = 0; mend <= MAX_MENDS; mend++) {
    const token = mend === 0 ? first : `${first}-${mend}`;
    await insert(token);
    if (!again) return;
    // Rows may come twice here, so nobody needs to ask. The token went first: should the earlier try still
    // be under way in the server, it finds the token used, and cannot land on top of what is written later.
    if (presence === undefined) return insert(undefined);
    if (await isPresent(client, name, presence, table)) return;
  }
  throw new StoreError('rows_refused', `table ${name} does not have flush ${flushId}, however often it is inserted`);
}

/** Rows of facts that leave something in a table to look for, where not all of them do. */
const LEAVES_ROWS: Readonly<Record<string, (row: Readonly<Record<string, unknown>>) => boolean>> = {
  candles: ({ priced }) => priced === true,
  tipper_hours: ({ tip, venue }) => tip !== 0n && (venue === 0 || venue === 1),
  mint_hours: ({ quote_mint, venue }) => quote_mint === '' && (venue === 0 || venue === 1),
};

/** An insert is one part, there as a whole or not at all: one row of it tells. */
async function isPresent(client: StoreClient, target: string, presence: string, table: FlushTable): Promise<boolean> {
  const rows: Readonly<Record<string, unknown>>[] = decodeRows(layoutOf(table), table.bytes);
  const sample = rows.find(LEAVES_ROWS[target] ?? (() => true));
  if (sample === undefined) return true;
  const named = [...presence.matchAll(/\{(\w+):/g)].map(([, name = '']) => [name, sample[name]] as const);
  const [row] = await readJson<{ present: number | boolean }>(client, presence, Object.fromEntries(named));
  return Boolean(row?.present);
}
