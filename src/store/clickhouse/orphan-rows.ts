import type { Address } from '../../chain/address.ts';
import type { Logger } from '../../kernel/log.ts';
import { insertRows, readRows, runStatement, type StoreClient } from './client.ts';
import { type Coverage, missingRanges, type SlotRange } from './coverage.ts';
import { DERIVED_TABLES } from './derived-tables.ts';
import { FACTS_WITH_PARTIAL_ROWS } from './partial-rows.ts';
import { readWholeSince } from './retention.ts';
import type { SlotLedger } from './slot-ledger.ts';
import { encodeStale, readStale } from './stale-positions.ts';
import { STALE_POSITIONS } from './stale-positions-table.ts';
import { StoreError } from './store-error.ts';
import type { TableLayout } from './table-layout.ts';
import { FACT_TABLES, type FactTableName } from './tables.ts';
import { fenceOf } from './writer-fence.ts';

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

/** More slots than a minute has, and than a day has. */
const MINUTE_SLOTS = 2_000;
const DAY_SLOTS = 1_000_000;
const within = (slots: readonly number[], reach: number) =>
  `slot BETWEEN ${Math.max(0, minOf(slots) - reach)} AND ${maxOf(slots) + reach}`;
const inTheirMinute = (slots: readonly number[]) => within(slots, MINUTE_SLOTS);
/** The longest candle is a day's. */
const ofTheirMints = (slots: readonly number[]) =>
  `${within(slots, DAY_SLOTS)} AND mint IN (SELECT mint FROM $orphans)`;

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
  block_minutes: { source: 'blocks', key: ['minute'], bucket: 'minute', near: inTheirMinute, hasPartial: false },
  tip_minutes: {
    source: 'slot_tips',
    key: ['minute', 'tip_wallet'],
    bucket: 'minute',
    near: inTheirMinute,
    hasPartial: false,
  },
};

const SLOTS = { name: 'slots', columns: { slot: 'u32' } } as const satisfies TableLayout;
const MINTS = { name: 'mints', columns: { mint: 'address' } } as const satisfies TableLayout;
/** Slots, or gaps of the coverage, that one statement names: the server bounds its text and its parts. */
const SLOTS_AT_ONCE = 1_000;
const GAPS_AT_ONCE = 100;
/** Far more than outboxes hold: so many rows without coverage mean that the coverage is what was lost. */
const MAX_ORPHAN_SLOTS = 50_000;

export interface OrphanTools {
  readonly client: StoreClient;
  readonly ledger: SlotLedger;
  /** Asked before every change. Throws when another writer may have taken over. */
  readonly assertLease: () => void;
  /** Of our lease; undefined where nobody else can write. */
  readonly epoch?: number | undefined;
  readonly log: Logger;
}

/**
 * Takes out every row of a whole block that the coverage does not have, in every table, so that writing its slot is as
 * if nothing had been there. Doing it again, also after a crash half-way, changes nothing: the facts, which tell
 * what is to be done, go last. Resolves with the slots. Throws `server_unusable` when there are far more than a
 * writer can have left: then nothing is touched.
 */
export async function removeOrphanRows(tools: OrphanTools): Promise<readonly number[]> {
  const { client, ledger, log } = tools;
  const slots = await findSlots(client, ledger, TABLES_WITH_SLOTS);
  const ofPositions = await findSlots(client, ledger, ['positions']);
  const moved = ofPositions.filter((slot) => !ledger.partialSlots.has(slot));
  if (slots.length > MAX_ORPHAN_SLOTS) {
    throw new StoreError(
      'server_unusable',
      `the store has rows of ${slots.length} slots that its table coverage does not have: that table was lost or restored alone; put it back, or delete the database`,
    );
  }
  if (slots.length > 0) {
    const range = { first: slots[0], last: slots.at(-1) };
    log.warn({ slots: slots.length, ...range }, 'taking out the rows of flushes that never ended');
  }
  const marking = [...slots, ...moved];
  for (const some of inChunks(marking, SLOTS_AT_ONCE)) await markTheirMints(tools, some);
  for (const some of inChunks(moved, SLOTS_AT_ONCE)) await removePositions(tools, some);
  for (const some of inChunks(slots, SLOTS_AT_ONCE)) {
    for (const [name, summed] of Object.entries(SUMMED_TABLES)) await makeBucketsAnew(tools, name, summed, some);
    for (const table of TABLES_WITH_SLOTS) {
      if (!(await hasRows(client, table, some))) continue;
      tools.assertLease();
      await runStatement(client, `DELETE FROM ${table} WHERE ${ofWholeBlocks(table, some)}`);
    }
  }
  return slots;
}

/** Slots of whole blocks in tables that no range of the coverage has, ascending. */
async function findSlots(
  client: StoreClient,
  { coverage }: SlotLedger,
  tables: readonly string[],
): Promise<readonly number[]> {
  const found = new Set<number>();
  for (const gaps of inChunks(gapsOf(coverage), GAPS_AT_ONCE)) {
    const uncovered = gaps.map(({ first, last }) => `slot BETWEEN ${first} AND ${last}`).join(' OR ');
    const each = tables.map((table) => {
      const whole = isPartialTable(table) ? 'AND NOT partial' : '';
      return `SELECT DISTINCT slot FROM ${table} WHERE (${uncovered}) ${whole}`;
    });
    const rows = await readRows(client, SLOTS, `SELECT DISTINCT slot FROM (${each.join(' UNION ALL ')})`);
    for (const { slot } of rows) found.add(slot);
  }
  return [...found].sort((a, b) => a - b);
}

/** Their positions may have been folded with the swaps, wholly or not at all: they are folded again from what is there. */
async function markTheirMints({ client, assertLease }: OrphanTools, slots: readonly number[]): Promise<void> {
  const rows = await readRows(
    client,
    MINTS,
    `SELECT DISTINCT mint FROM (
       SELECT mint FROM swaps WHERE ${ofWholeBlocks('swaps', slots)}
       UNION ALL SELECT mint FROM positions WHERE slot IN (${slots.join(', ')})
     )`,
  );
  if (rows.length === 0) return;
  const { newestMark } = await readStale(client);
  const slot = slots[0] ?? 0;
  const mints = rows.map(({ mint }, place) => ({ mint: mint as Address, mark: newestMark + 1 + place, slot }));
  const { bytes } = encodeStale(mints, false);
  const columns = Object.keys(STALE_POSITIONS.columns);
  assertLease();
  await insertRows(client, { table: STALE_POSITIONS.name, columns, bytes, token: undefined });
}

/** But for those whose first swaps were let go: nothing could fold them again. */
async function removePositions({ client, assertLease }: OrphanTools, slots: readonly number[]): Promise<void> {
  const since = (await readWholeSince(client)).get('swaps') ?? 0;
  assertLease();
  await runStatement(
    client,
    `DELETE FROM positions WHERE slot IN (${slots.join(', ')}) AND first_time >= toDateTime(${since}, 'UTC')`,
  );
}

async function makeBucketsAnew(
  { client, assertLease, epoch }: OrphanTools,
  name: string,
  { source, key, bucket, near, hasPartial }: SummedTable,
  slots: readonly number[],
): Promise<void> {
  if (!(await hasRows(client, source, slots))) return;
  const { select } = DERIVED_TABLES.find((table) => table.name === name)!;
  const columns = Object.keys(FACT_TABLES.find((table) => table.name === source)!.columns).join(', ');
  const orphans = `(SELECT ${columns} FROM ${source} WHERE ${ofWholeBlocks(source, slots)})`;
  const others = `(SELECT ${columns} FROM ${source}
    WHERE ${hasPartial ? 'NOT partial AND' : ''} slot NOT IN (${slots.join(', ')})
      AND ${near(slots).replace('$orphans', orphans)})`;
  // What its facts have left already cannot be made anew.
  const since = (await readWholeSince(client)).get(source) ?? 0;
  const touched = `(${key.join(', ')}) IN (SELECT ${key.join(', ')} FROM (${select.replace('$rows', orphans)}))
    AND ${bucket} >= toDateTime(${since}, 'UTC')`;
  assertLease();
  await runStatement(client, `DELETE FROM ${name} WHERE ${hasPartial ? 'partial_slot = 0 AND' : ''} ${touched}`);
  assertLease();
  const fence = epoch === undefined ? '' : `AND ${fenceOf(epoch)}`;
  await runStatement(
    client,
    `INSERT INTO ${name} SELECT * FROM (${select.replace('$rows', others)}) WHERE ${touched} ${fence}
     SETTINGS insert_deduplicate = 0`,
  );
}

async function hasRows(client: StoreClient, table: string, slots: readonly number[]): Promise<boolean> {
  const query = `SELECT slot FROM ${table} WHERE ${ofWholeBlocks(table, slots)} LIMIT 1`;
  return (await readRows(client, SLOTS, query)).length > 0;
}

function ofWholeBlocks(table: string, slots: readonly number[]): string {
  return `${isPartialTable(table) ? 'NOT partial AND' : ''} slot IN (${slots.join(', ')})`;
}

function isPartialTable(table: string): boolean {
  return (FACTS_WITH_PARTIAL_ROWS as readonly string[]).includes(table);
}

const MAX_SLOT = 2 ** 32 - 1;

/** Every slot that no range has. */
function gapsOf(coverage: Coverage): readonly SlotRange[] {
  return missingRanges(coverage, { first: 1, last: MAX_SLOT });
}

function inChunks<T>(list: readonly T[], size: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}

function minOf(slots: readonly number[]): number {
  return slots.reduce((least, slot) => Math.min(least, slot));
}

function maxOf(slots: readonly number[]): number {
  return slots.reduce((most, slot) => Math.max(most, slot));
}
