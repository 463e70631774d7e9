import type { Address } from '../../../chain/address.ts';
import { readRows, runStatement } from '../client.ts';
import { DERIVED_TABLES } from '../derived/derived-tables.ts';
import { MOVE_TABLES } from '../read/movements.ts';
import { isTimeout } from '../read/question-faults.ts';
import { readWholeSince } from '../retention.ts';
import { STALE_POSITIONS } from '../schema/position-tables.ts';
import type { TableLayout } from '../schema/table-layout.ts';
import { FACT_TABLES, type FactTableName } from '../schema/tables.ts';
import { StoreError } from '../store-error.ts';
import { makeCardsAnew } from './orphan-cards.ts';
import {
  findMovedByNothing,
  findUncovered,
  hasRows,
  inChunks,
  movedByNothing,
  ofWholeBlocks,
  SLOTS_AT_ONCE,
  STATE_TABLES,
  type StateTable,
  TABLES_WITH_SLOTS,
} from './orphan-slots.ts';
import type { OrphanTools } from './orphan-tools.ts';
import { encodeStale, marksOfAnySlot, readStale } from './stale-positions.ts';
import { deleteRows, FENCED_INSERT_SECONDS, insertFenced } from './writer-fence.ts';

/**
 * Rows of whole blocks that the coverage does not have: a flush was begun and never ended, by a process whose outbox
 * is not here. Their slots will come again, from the chain or out of an outbox, so they go before anything is written.
 */

interface SummedTable {
  readonly source: FactTableName;
  readonly key: readonly string[];
  /** SQL for the time at which a bucket begins. */
  readonly bucket: string;
  /** Facts that may fall into a bucket of one of these slots; `$orphans` stands for the rows of the source in them. */
  readonly near: (slots: readonly number[]) => string;
  readonly hasPartial: boolean;
}

/** More slots than a minute has, than an hour and than a day. */
const MINUTE_SLOTS = 2_000;
const HOUR_SLOTS = 100_000;
const DAY_SLOTS = 1_000_000;
const within = (slots: readonly number[], reach: number) =>
  `slot BETWEEN ${Math.max(0, minOf(slots) - reach)} AND ${maxOf(slots) + reach}`;
const inTheirMinute = (slots: readonly number[]) => within(slots, MINUTE_SLOTS);
const inTheirHour = (slots: readonly number[]) => within(slots, HOUR_SLOTS);
/** The longest candle is a day's. */
const ofTheirMints = (slots: readonly number[]) =>
  `${within(slots, DAY_SLOTS)} AND (mint, toDate(time)) IN (SELECT mint, toDate(time) FROM $orphans)`;

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
  venue_minutes: {
    source: 'swaps',
    key: ['minute', 'venue', 'quote_mint'],
    bucket: 'minute',
    near: inTheirMinute,
    hasPartial: true,
  },
  fee_minutes: {
    source: 'swaps',
    key: ['minute', 'venue'],
    bucket: 'minute',
    near: inTheirMinute,
    hasPartial: true,
  },
  tipper_hours: {
    source: 'swaps',
    key: ['hour', 'tipper'],
    bucket: 'hour',
    near: inTheirHour,
    hasPartial: true,
  },
  mint_hours: {
    source: 'swaps',
    key: ['hour', 'mint'],
    bucket: 'hour',
    near: inTheirHour,
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

const MINTS = { name: 'mints', columns: { mint: 'address' } } as const satisfies TableLayout;
/** Slots whose buckets are made anew by one statement, which has to end as soon as any insert. */
const SUMMED_SLOTS_AT_ONCE = 250;
/** Far more than outboxes hold: so many rows without coverage mean that the coverage is what was lost. */
const MAX_ORPHAN_SLOTS = 50_000;

/**
 * Takes out every row of a whole block that the coverage does not have, in every table, so that writing its slot is as
 * if nothing had been there. Doing it again, also after a crash half-way, changes nothing: the facts, which tell
 * what is to be done, go last. Resolves with the slots. Throws `server_unusable` when there are far more than a
 * writer can have left: then nothing is touched.
 */
export async function removeOrphanRows(tools: OrphanTools): Promise<readonly number[]> {
  const { client, slotIndex, isAfterLoss = false, log } = tools;
  const { coverage, partialSlots } = slotIndex;
  const slots = await findUncovered(client, coverage, TABLES_WITH_SLOTS);
  if (slots.length > MAX_ORPHAN_SLOTS) {
    throw new StoreError(
      'server_unusable',
      `the store has rows of ${slots.length} slots that its table coverage does not have: that table was lost or restored alone; put it back, or delete the database`,
    );
  }
  const ofStates = await findUncovered(client, coverage, STATE_TABLES);
  const moved = ofStates.filter((slot) => !partialSlots.has(slot));
  const movedInParts = isAfterLoss ? await findMovedByNothing(client, [...partialSlots]) : [];
  if (slots.length > 0) {
    const range = { first: slots[0], last: slots.at(-1) };
    log.warn({ slots: slots.length, ...range }, 'taking out the rows of flushes that never ended');
  }
  const marking = [...slots, ...moved, ...movedInParts];
  for (const some of inChunks(marking, SLOTS_AT_ONCE)) await markTheirMints(tools, some);
  for (const table of STATE_TABLES) {
    for (const some of inChunks(moved, SLOTS_AT_ONCE)) await removeStates(tools, table, `slot IN (${some.join(', ')})`);
    for (const some of inChunks(movedInParts, SLOTS_AT_ONCE)) {
      await removeStates(tools, table, movedByNothing(table, some));
    }
  }
  if (slots.length > 0) await makeCardsAnew(tools, slots);
  for (const some of inChunks(slots, SUMMED_SLOTS_AT_ONCE)) {
    for (const name of Object.keys(SUMMED_TABLES)) await makeAnewInTime(tools, name, some);
    for (const table of TABLES_WITH_SLOTS) {
      if (await hasRows(client, table, some)) await remove(tools, table, ofWholeBlocks(table, some));
    }
  }
  return slots;
}

async function remove({ client, untilHeld, fence }: OrphanTools, table: string, where: string): Promise<void> {
  await untilHeld();
  await deleteRows(client, table, where, fence?.holder);
}

/** Their wallets may have been folded with the facts, wholly or not at all: they are folded again from what is there. */
async function markTheirMints({ client, untilHeld, fence }: OrphanTools, slots: readonly number[]): Promise<void> {
  const rows = await readRows(
    client,
    MINTS,
    `SELECT DISTINCT mint FROM (
       SELECT mint FROM swaps WHERE ${ofWholeBlocks('swaps', slots)}
       ${STATE_TABLES.map((table) => `UNION ALL SELECT mint FROM ${table} WHERE slot IN (${slots.join(', ')})`).join(' ')}
     )`,
  );
  if (rows.length === 0) return;
  const { newestMark } = await readStale(client);
  const mints = rows.map(({ mint }) => mint as Address);
  const { bytes } = encodeStale(marksOfAnySlot(mints, maxOf(slots), newestMark), false);
  const columns = Object.keys(STALE_POSITIONS.columns);
  await untilHeld();
  const table = STALE_POSITIONS.name;
  await insertFenced(client, { table, layout: STALE_POSITIONS, columns, bytes, token: undefined }, fence);
}

/** But for those whose first swaps, or movements, were let go: nothing could fold them again. */
async function removeStates(tools: OrphanTools, table: StateTable, where: string): Promise<void> {
  const wholeSince = await readWholeSince(tools.client);
  const sources = table === 'positions' ? ['swaps'] : ['swaps', ...MOVE_TABLES];
  const since = Math.max(...sources.map((source) => wholeSince.get(source) ?? 0));
  await remove(tools, table, `${where} AND first_time >= toDateTime(${since}, 'UTC')`);
}

/** Of all orphans at once, or, where that takes the server too long, of a half of them and then of the other. */
async function makeAnewInTime(
  tools: OrphanTools,
  name: string,
  orphans: readonly number[],
  slots: readonly number[] = orphans,
): Promise<void> {
  try {
    await makeBucketsAnew(tools, name, orphans, slots);
  } catch (error) {
    if (!isTimeout(error) || slots.length === 1) throw error;
    for (const half of inChunks(slots, Math.ceil(slots.length / 2))) await makeAnewInTime(tools, name, orphans, half);
  }
}

/** The buckets that facts of `slots` fell into, out of all facts but those of `orphans`. */
async function makeBucketsAnew(
  tools: OrphanTools,
  name: string,
  orphans: readonly number[],
  slots: readonly number[],
): Promise<void> {
  const { client, untilHeld, fence } = tools;
  const { source, key, bucket, near, hasPartial } = SUMMED_TABLES[name]!;
  if (!(await hasRows(client, source, slots))) return;
  const { select } = DERIVED_TABLES.find((table) => table.name === name)!;
  const columns = Object.keys(FACT_TABLES.find((table) => table.name === source)!.columns).join(', ');
  const theirs = `(SELECT ${columns} FROM ${source} WHERE ${ofWholeBlocks(source, slots)})`;
  const others = `(SELECT ${columns} FROM ${source}
    WHERE ${hasPartial ? 'NOT partial AND' : ''} slot NOT IN (${orphans.join(', ')})
      AND ${near(slots).replaceAll('$orphans', theirs)})`;
  // Buckets whose facts have partly expired cannot be made anew.
  const since = (await readWholeSince(client)).get(source) ?? 0;
  const touched = `(${key.join(', ')}) IN (SELECT ${key.join(', ')} FROM (${select.replace('$rows', theirs)}))
    AND ${bucket} >= toDateTime(${since}, 'UTC')`;
  await remove(tools, name, `${hasPartial ? 'partial_slot = 0 AND' : ''} ${touched}`);
  const insert = `INSERT INTO ${name} SELECT * FROM (${select.replace('$rows', others)}) WHERE ${touched}`;
  const settings = { insert_deduplicate: 0 as const };
  await untilHeld();
  if (fence === undefined) return runStatement(client, insert, settings);
  await fence.within((clause) =>
    runStatement(client, `${insert} ${clause}`, { ...settings, max_execution_time: FENCED_INSERT_SECONDS }),
  );
}

function minOf(slots: readonly number[]): number {
  return slots.reduce((least, slot) => Math.min(least, slot));
}

function maxOf(slots: readonly number[]): number {
  return slots.reduce((most, slot) => Math.max(most, slot));
}
