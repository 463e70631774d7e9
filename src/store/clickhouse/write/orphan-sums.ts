import { readJson, readRows } from '../client.ts';
import { type Coverage, mergeRanges } from '../coverage.ts';
import { DERIVED_TABLES } from '../derived/derived-tables.ts';
import {
  type FilledSum,
  factsOf,
  inSlots,
  isFilledSum,
  keptNote,
  lackingSlots,
  readDueSlots,
} from '../derived/due-slots.ts';
import { ofPrefixes, PREFIXES } from '../read/mint-pages.ts';
import { isTimeout } from '../read/question-faults.ts';
import { readWholeSince } from '../retention.ts';
import type { TableLayout } from '../schema/table-layout.ts';
import { FACT_TABLES, type FactTableName } from '../schema/tables.ts';
import { hasRows, inChunks, ofWholeBlocks } from './orphan-slots.ts';
import { insertSelected, type OrphanTools } from './orphan-tools.ts';
import { deleteRows } from './writer-fence.ts';

/**
 * Rollups that add up: what orphans gave them cannot be taken out again, so their buckets are made anew out of the other
 * facts. Where that is more than a start can wait for, a rollup that can be filled in beside the service begins anew.
 */

interface SummedTable {
  readonly source: FactTableName;
  readonly key: readonly string[];
  /** SQL for the time at which a bucket begins. */
  readonly bucket: string;
  readonly hasPartial: boolean;
  /** What tells by a row of the source in which buckets it is. */
  readonly by: readonly string[];
  /** Seconds of a bucket that has rows of any mint; undefined where buckets are of mints, which is how swaps lie, or of slots. */
  readonly seconds?: number;
  /** A bucket is a slot: nothing else is in it. */
  readonly isOfSlots?: boolean;
}

const MINUTE_S = 60;
const QUARTER_S = 900;
const HOUR_S = 3_600;
/** More slots than a second has, and than a day, the longest candle. */
const SECOND_SLOTS = 30;
const DAY_SLOTS = 1_000_000;

const ofMinutes = { bucket: 'minute', by: ['toStartOfMinute(time)'], seconds: MINUTE_S };
const ofMints = { source: 'swaps', hasPartial: true, by: ['mint', 'toDate(time)'] } as const;

export const SUMMED_TABLES: Readonly<Record<string, SummedTable>> = {
  candles: { ...ofMints, key: ['mint', 'quote_mint', 'seconds', 'bucket'], bucket: 'bucket' },
  mint_minutes: { ...ofMints, key: ['mint', 'minute', 'quote_mint'], bucket: 'minute' },
  venue_minutes: { ...ofMinutes, source: 'swaps', key: ['minute', 'venue', 'quote_mint'], hasPartial: true },
  fee_minutes: { ...ofMinutes, source: 'swaps', key: ['minute', 'venue'], hasPartial: true },
  tipper_hours: {
    source: 'swaps',
    key: ['hour', 'tipper'],
    bucket: 'hour',
    hasPartial: true,
    by: ['toStartOfHour(time)', 'fee_payer'],
    seconds: HOUR_S,
  },
  slot_economics: { source: 'swaps', key: ['slot'], bucket: 'time', hasPartial: true, by: ['slot'], isOfSlots: true },
  mint_hours: {
    source: 'swaps',
    key: ['hour', 'mint'],
    bucket: 'hour',
    hasPartial: true,
    by: ['toStartOfHour(time)', 'mint'],
    seconds: HOUR_S,
  },
  router_minutes: {
    ...{ ...ofMinutes, source: 'swaps', hasPartial: true },
    key: ['minute', 'router', 'venues', 'venue', 'quote_mint'],
  },
  router_reverts: { ...ofMinutes, source: 'attempts', key: ['minute', 'router', 'venues'], hasPartial: true },
  block_minutes: { ...ofMinutes, source: 'blocks', key: ['minute'], hasPartial: false },
  tip_minutes: { ...ofMinutes, source: 'slot_tips', key: ['minute', 'tip_wallet'], hasPartial: false },
  tip_quarters: {
    source: 'slot_tips',
    key: ['quarter', 'tip_wallet'],
    bucket: 'quarter',
    hasPartial: false,
    by: ['toStartOfFifteenMinutes(time)'],
    seconds: QUARTER_S,
  },
};

/** Facts whose buckets are made anew together. */
interface Portion {
  readonly slots: readonly number[];
  /** Of tokens that lie between these, by the first two bytes of their mints; all where buckets are of all tokens. */
  readonly mints: { readonly first: number; readonly end: number };
}

const ALL_MINTS = { first: 0, end: PREFIXES };

/**
 * Of all orphans at once, or, where that takes the server too long, of a half of them and then of the other, as long as
 * that is less to read; then, where buckets are of tokens, of a half of these. `forgotten`: tables that begin anew.
 */
export async function makeSumsAnew(
  tools: OrphanTools,
  name: string,
  orphans: readonly number[],
  forgotten: Set<string>,
  portion: Portion = { slots: orphans, mints: ALL_MINTS },
): Promise<void> {
  if (forgotten.has(name)) return;
  try {
    await makeBucketsAnew(tools, name, orphans, portion);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    const halves = halvesOf(name, portion);
    for (const half of halves) await makeSumsAnew(tools, name, orphans, forgotten, half);
    if (halves.length > 0) return;
    if (!isFilledSum(name)) throw error;
    const { first, last } = rangeOf(portion.slots);
    tools.log.warn({ table: name, first, last }, 'a rollup takes too long to be put right: it is filled in anew');
    forgotten.add(name);
    await forgetSums(tools, name);
  }
}

/** None where a half is no less to read. */
function halvesOf(name: string, { slots, mints }: Portion): readonly Portion[] {
  const { first, last } = rangeOf(slots);
  const oneBucket = isFilledSum(name) ? (SUMMED_TABLES[name]!.seconds ?? 0) * SECOND_SLOTS : 0;
  if (slots.length > 1 && last - first > oneBucket) {
    return inChunks(slots, Math.ceil(slots.length / 2)).map((half) => ({ slots: half, mints }));
  }
  const middle = (mints.first + mints.end) >> 1;
  if (isFilledSum(name) || !SUMMED_TABLES[name]!.by.includes('mint') || middle === mints.first) return [];
  return [
    { slots, mints: { ...mints, end: middle } },
    { slots, mints: { ...mints, first: middle } },
  ];
}

/** The buckets that facts of some slots fell into, out of all facts but those of `orphans`. */
async function makeBucketsAnew(
  tools: OrphanTools,
  name: string,
  orphans: readonly number[],
  { slots, mints }: Portion,
): Promise<void> {
  const { client } = tools;
  const { source, key, bucket, hasPartial, by, isOfSlots = false } = SUMMED_TABLES[name]!;
  if (!(await hasRows(client, source, slots))) return;
  const { select, columns } = DERIVED_TABLES.find((table) => table.name === name)!;
  const factColumns = Object.keys(FACT_TABLES.find((table) => table.name === source)!.columns).join(', ');
  const ofPortion = mints.end - mints.first < PREFIXES ? ofPrefixes(mints.first, mints.end) : 'true';
  const theirs = `(SELECT ${factColumns} FROM ${source} WHERE ${ofWholeBlocks(source, slots)} AND ${ofPortion})`;
  // Buckets whose facts have partly expired cannot be made anew.
  const since = (await readWholeSince(client)).get(source) ?? 0;
  const touched = `(${key.join(', ')}) IN (SELECT ${key.join(', ')} FROM (${select.replace('$rows', theirs)}))
    AND ${bucket} >= toDateTime(${since}, 'UTC')`;
  const ofFlushes = `${hasPartial ? 'partial_slot = 0 AND' : ''} ${isFilledSum(name) ? 'filled = 0 AND' : ''}`;
  await remove(tools, name, `${ofFlushes} ${touched}`);
  if (isOfSlots) return;
  const dueElsewhere = isFilledSum(name) ? inSlots((await readDueSlots(client, name)).due) : 'false';
  const others = `(SELECT ${factColumns} FROM ${source}
    WHERE ${hasPartial ? 'NOT partial AND' : ''} slot NOT IN (${orphans.join(', ')}) AND ${ofPortion}
      AND ${inSlots(await slotsBeside(tools, name, slots))} AND NOT ${dueElsewhere}
      AND (${by.join(', ')}) IN (SELECT ${by.join(', ')} FROM ${theirs}))`;
  const into = columns === undefined ? name : `${name} (${columns.join(', ')})`;
  await insertSelected(
    tools,
    `INSERT INTO ${into} SELECT * FROM (${select.replace('$rows', others)}) WHERE ${touched}`,
  );
}

const RANGES = { name: 'ranges', columns: { first_slot: 'u32', last_slot: 'u32' } } as const satisfies TableLayout;
/** Slots that are looked at together: so few ranges that a statement can name those of any hour. */
const SLOTS_TOGETHER = 1_000;
const MAX_RANGES = 500;

/**
 * Slots that may have facts in the same buckets as these: of blocks whose time says so, wherever they lie, and of blocks
 * near by without a time, whose facts have that of their events.
 */
async function slotsBeside({ client }: OrphanTools, name: string, slots: readonly number[]): Promise<Coverage> {
  const { source, seconds } = SUMMED_TABLES[name]!;
  const { first, last } = rangeOf(slots);
  const near = (reach: number) => ({ first: Math.max(0, first - reach), last: last + reach });
  if (seconds === undefined) return [near(DAY_SLOTS)];
  const bucketOf = `intDiv(toUInt32(time), ${seconds})`;
  const rows = await readRows(
    client,
    RANGES,
    `SELECT min(slot) AS first_slot, max(slot) AS last_slot FROM blocks
     WHERE ${bucketOf} IN (SELECT ${bucketOf} FROM ${source} WHERE ${ofWholeBlocks(source, slots)})
       OR (toUInt32(time) = 0 AND ${inSlots([near(seconds * SECOND_SLOTS)])})
     GROUP BY intDiv(slot, ${SLOTS_TOGETHER})`,
  );
  const found = mergeRanges(rows.map(({ first_slot, last_slot }) => ({ first: first_slot, last: last_slot })));
  if (found.length <= MAX_RANGES) return found;
  return [{ first: found[0]!.first, last: found.at(-1)!.last }];
}

/**
 * Lets a rollup begin anew: all that it has of whole blocks is taken out, and everything that is whole is due. That is
 * noted first, as a range that has no slot, so that a start behind a kill goes on with it.
 */
async function forgetSums(tools: OrphanTools, table: FilledSum): Promise<void> {
  const since = (await readWholeSince(tools.client)).get(factsOf(table)) ?? 0;
  const slots = await readDueSlots(tools.client, table);
  // What an unfinished fill lacks of older buckets the next cannot make.
  if (lackingSlots(slots).length > 0 && since > Math.max(slots.since, slots.keptSince))
    await insertSelected(tools, keptNote(table, since));
  await insertSelected(tools, `INSERT INTO due_slots SELECT '${table}', 1, 0, toDateTime(${since}, 'UTC')`);
  await finishForgetting(tools);
}

/** Done again, it changes nothing: nothing is written before it is through. */
export async function finishForgetting(tools: OrphanTools): Promise<void> {
  const begun = await readJson<{ name: FilledSum; since: number }>(
    tools.client,
    `SELECT filled_table AS name, toUInt32(max(due_slots.since)) AS since FROM due_slots
     WHERE first_slot > last_slot GROUP BY filled_table`,
  );
  for (const { name, since } of begun) {
    // Of what has no step nothing is told: they go first.
    await remove(tools, 'swept_slots', `swept_table = '${name}'`);
    const kept = `toDateTime(${since}, 'UTC')`;
    await remove(tools, name, `partial_slot = 0 AND ${SUMMED_TABLES[name]!.bucket} >= ${kept}`);
    const whole = `SELECT '${name}', first_slot, last_slot, ${kept} FROM coverage`;
    await insertSelected(tools, `INSERT INTO due_slots ${whole}`);
    await remove(tools, 'due_slots', `filled_table = '${name}' AND first_slot > last_slot`);
  }
}

async function remove({ client, untilHeld, fence }: OrphanTools, table: string, where: string): Promise<void> {
  await untilHeld();
  await deleteRows(client, table, where, fence?.holder);
}

function rangeOf(slots: readonly number[]): { readonly first: number; readonly last: number } {
  return slots.reduce((range, slot) => ({ first: Math.min(range.first, slot), last: Math.max(range.last, slot) }), {
    first: Number.POSITIVE_INFINITY,
    last: 0,
  });
}
