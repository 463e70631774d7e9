import type { Address } from '../../chain/address.ts';
import type { Logger } from '../../kernel/log.ts';
import { insertRows, readRows, runStatement, type StoreClient } from './client.ts';
import type { Coverage } from './coverage.ts';
import { DERIVED_TABLES } from './derived-tables.ts';
import { FACTS_WITH_PARTIAL_ROWS } from './partial-rows.ts';
import { readWholeSince } from './retention.ts';
import type { SlotLedger } from './slot-ledger.ts';
import { encodeStale, readStale } from './stale-positions.ts';
import { STALE_POSITIONS } from './stale-positions-table.ts';
import type { TableLayout } from './table-layout.ts';
import { FACT_TABLES, type FactTableName } from './tables.ts';

/**
 * Rows of whole blocks that the coverage does not have: a flush was begun and never ended, by a process whose outbox
 * is not here. Their slots will come again, from the chain or out of an outbox, so they go before anything is written.
 */

/** Tables with a row for each fact and its slot; those of the first list have rows of single transactions too. */
export const TABLES_WITH_SLOTS: readonly string[] = [...FACTS_WITH_PARTIAL_ROWS, 'blocks', 'slot_tips'];

interface SummedTable {
  readonly source: FactTableName;
  readonly key: readonly string[];
  /** When a bucket begins. */
  readonly bucket: string;
  /** Facts that may fall into a bucket of one of these slots; `$orphans` stands for the rows of the source in them. */
  readonly near: (slots: readonly number[]) => string;
  readonly hasPartial: boolean;
}

/** More slots than a minute has. */
const NEARBY_SLOTS = 2_000;
const nearby = (slots: readonly number[]) =>
  `slot BETWEEN ${Math.max(0, minOf(slots) - NEARBY_SLOTS)} AND ${maxOf(slots) + NEARBY_SLOTS}`;
const ofTheirMints = () => 'mint IN (SELECT mint FROM $orphans)';

/** Rollups that add up: what orphans gave them cannot be taken out again, so their buckets are made anew. */
export const SUMMED_TABLES: Readonly<Record<string, SummedTable>> = {
  candles: {
    source: 'swaps',
    key: ['mint', 'quote_mint', 'seconds', 'bucket'],
    bucket: 'bucket',
    near: ofTheirMints,
    hasPartial: true,
  },
  mint_minutes: {
    source: 'swaps',
    key: ['mint', 'minute', 'quote_mint'],
    bucket: 'minute',
    near: ofTheirMints,
    hasPartial: true,
  },
  block_minutes: { source: 'blocks', key: ['minute'], bucket: 'minute', near: nearby, hasPartial: false },
  tip_minutes: {
    source: 'slot_tips',
    key: ['minute', 'tip_wallet'],
    bucket: 'minute',
    near: nearby,
    hasPartial: false,
  },
};

const SLOTS = { name: 'slots', columns: { slot: 'u32' } } as const satisfies TableLayout;
const MINTS = { name: 'mints', columns: { mint: 'address' } } as const satisfies TableLayout;
/** Of a query with thousands of slots or ranges in it. */
const LONG_QUERY = 'SETTINGS max_query_size = 67108864';

/**
 * Takes out every row of a whole block that the coverage does not have, in every table, so that writing its slot is as
 * if nothing had been there. Doing it again, also after a crash half-way, changes nothing: the facts, which tell
 * what is to be done, go last. Resolves with the slots.
 */
export async function removeOrphanRows(
  client: StoreClient,
  ledger: SlotLedger,
  log: Logger,
): Promise<readonly number[]> {
  const uncovered = outsideOf(ledger.coverage);
  const slots = await findOrphanSlots(client, uncovered);
  const inPositions = `${uncovered} AND slot NOT IN (${listOf([...ledger.partialSlots])})`;
  await markTheirMints(client, slots, inPositions);
  // A delete waits for a background job even where there is nothing to delete.
  if (
    (await readRows(client, SLOTS, `SELECT slot FROM positions WHERE ${inPositions} LIMIT 1 ${LONG_QUERY}`)).length > 0
  ) {
    await runStatement(client, `DELETE FROM positions WHERE ${inPositions} ${LONG_QUERY}`);
  }
  if (slots.length === 0) return slots;
  log.warn(
    { slots: slots.length, first: slots[0], last: slots.at(-1) },
    'taking out the rows of flushes that never ended',
  );
  for (const [name, summed] of Object.entries(SUMMED_TABLES)) await makeBucketsAnew(client, name, summed, slots);
  for (const table of TABLES_WITH_SLOTS) {
    if (await hasRows(client, table, slots)) {
      await runStatement(client, `DELETE FROM ${table} WHERE ${ofWholeBlocks(table, slots)} ${LONG_QUERY}`);
    }
  }
  return slots;
}

async function findOrphanSlots(client: StoreClient, uncovered: string): Promise<readonly number[]> {
  const each = TABLES_WITH_SLOTS.map((table) => {
    const whole = isPartialTable(table) ? 'AND NOT partial' : '';
    return `SELECT DISTINCT slot FROM ${table} WHERE ${uncovered} ${whole}`;
  });
  const found = await readRows(
    client,
    SLOTS,
    `SELECT DISTINCT slot FROM (${each.join(' UNION ALL ')}) ORDER BY slot ${LONG_QUERY}`,
  );
  return found.map(({ slot }) => slot);
}

/** Their positions may have been folded with the swaps, wholly or not at all: they are folded again from what is there. */
async function markTheirMints(client: StoreClient, slots: readonly number[], inPositions: string): Promise<void> {
  const rows = await readRows(
    client,
    MINTS,
    `SELECT DISTINCT mint FROM (
       SELECT mint FROM swaps WHERE ${ofWholeBlocks('swaps', slots)}
       UNION ALL SELECT mint FROM positions WHERE ${inPositions}
     ) ${LONG_QUERY}`,
  );
  if (rows.length === 0) return;
  const { newestMark } = await readStale(client);
  const slot = slots[0] ?? 0;
  const mints = rows.map(({ mint }, place) => ({ mint: mint as Address, mark: newestMark + 1 + place, slot }));
  const { bytes } = encodeStale(mints, false);
  const columns = Object.keys(STALE_POSITIONS.columns);
  await insertRows(client, { table: STALE_POSITIONS.name, columns, bytes, token: undefined });
}

async function makeBucketsAnew(
  client: StoreClient,
  name: string,
  { source, key, bucket, near, hasPartial }: SummedTable,
  slots: readonly number[],
): Promise<void> {
  const { select } = DERIVED_TABLES.find((table) => table.name === name)!;
  const columns = Object.keys(FACT_TABLES.find((table) => table.name === source)!.columns).join(', ');
  const orphans = `(SELECT ${columns} FROM ${source} WHERE ${ofWholeBlocks(source, slots)})`;
  const whole = hasPartial ? 'NOT partial AND' : '';
  const others = `(SELECT ${columns} FROM ${source}
    WHERE ${whole} slot NOT IN (${listOf(slots)}) AND ${near(slots).replace('$orphans', orphans)})`;
  // What its facts have left already cannot be made anew.
  const since = (await readWholeSince(client)).get(source) ?? 0;
  const touched = `(${key.join(', ')}) IN (SELECT ${key.join(', ')} FROM (${select.replace('$rows', orphans)}))
    AND ${bucket} >= toDateTime(${since}, 'UTC')`;
  const [first] = await readRows(client, SLOTS, `SELECT slot FROM ${orphans} LIMIT 1 ${LONG_QUERY}`);
  if (first === undefined) return;
  await runStatement(
    client,
    `DELETE FROM ${name} WHERE ${hasPartial ? 'partial_slot = 0 AND' : ''} ${touched} ${LONG_QUERY}`,
  );
  await runStatement(
    client,
    `INSERT INTO ${name} SELECT * FROM (${select.replace('$rows', others)}) WHERE ${touched}
     ${LONG_QUERY}, insert_deduplicate = 0`,
  );
}

async function hasRows(client: StoreClient, table: string, slots: readonly number[]): Promise<boolean> {
  const query = `SELECT slot FROM ${table} WHERE ${ofWholeBlocks(table, slots)} LIMIT 1 ${LONG_QUERY}`;
  return (await readRows(client, SLOTS, query)).length > 0;
}

function ofWholeBlocks(table: string, slots: readonly number[]): string {
  return `${isPartialTable(table) ? 'NOT partial AND' : ''} slot IN (${listOf(slots)})`;
}

function isPartialTable(table: string): boolean {
  return (FACTS_WITH_PARTIAL_ROWS as readonly string[]).includes(table);
}

/** Slots outside every range, as a condition that partitions and order of a table help with. */
function outsideOf(coverage: Coverage): string {
  const gaps = coverage.map(({ last }, place) => {
    const next = coverage[place + 1];
    return next === undefined ? `slot > ${last}` : `(slot > ${last} AND slot < ${next.first})`;
  });
  const [first] = coverage;
  return first === undefined ? 'slot > 0' : `(slot < ${first.first} OR ${gaps.join(' OR ')})`;
}

/** Never empty: no slot of ours is 0. */
function listOf(slots: readonly number[]): string {
  return slots.length === 0 ? '0' : slots.join(', ');
}

function minOf(slots: readonly number[]): number {
  return slots.reduce((least, slot) => Math.min(least, slot));
}

function maxOf(slots: readonly number[]): number {
  return slots.reduce((most, slot) => Math.max(most, slot));
}
