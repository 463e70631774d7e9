import type { Clock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../kernel/log.ts';
import { readJson, type StoreClient } from '../client.ts';
import { addRange, findRange, type SlotRange } from '../coverage.ts';
import { readWholeSince } from '../retention.ts';
import { FACT_TABLES } from '../schema/tables.ts';
import { deleteRows } from '../write/writer-fence.ts';
import { DERIVED_TABLES } from './derived-tables.ts';
import { FILLED_SUMS, type FilledSum, factsOf, keptNote, lackingSlots, readDueSlots } from './due-slots.ts';
import { type FillOptions, insertGently } from './fill.ts';
import { createStepSize } from './step-size.ts';

/** Slots of a step: some hours of chain, so that a pass over the swaps of a partition is for many of them. */
const MAX_STEP_SLOTS = 100_000;
/** A step that fails is tried again over half as many, down to these. */
const MIN_STEP_SLOTS = 100;
/** So long a pause behind a step, times what the step took: the service goes first. */
const REST_TIMES = 1;
/** Longer than a step that was given up here may still run on the server. */
const RETRY_MS = 60_000;

/** The column by which a bucket's time is told. */
const BUCKET: Readonly<Record<FilledSum, string>> = {
  venue_minutes: 'minute',
  fee_minutes: 'minute',
  tipper_hours: 'hour',
  mint_hours: 'hour',
  trader_registers: 'hour',
  slot_economics: 'time',
  router_minutes: 'minute',
  router_reverts: 'minute',
  router_traders: 'hour',
};

/** Sums up the newest slots that a table lacks. Undefined when it lacks none. */
export async function fillSumsStep(
  client: StoreClient,
  table: FilledSum,
  options: Pick<FillOptions, 'signal' | 'fence'> & { readonly maxSlots?: number } = {},
): Promise<SlotRange | undefined> {
  const { maxSlots = MAX_STEP_SLOTS, fence } = options;
  const slots = await readDueSlots(client, table);
  const newest = lackingSlots(slots).at(-1);
  if (newest === undefined) return undefined;
  const { last } = newest;
  const range = { first: Math.max(newest.first, last - maxSlots + 1), last };
  // Buckets whose facts are being let go cannot be made of what is left.
  const since = Math.max(slots.since, slots.keptSince, await readFactsSince(client, table));
  // Whatever a step that was cut off left ends with the same slot. So may what an earlier fill made and nothing can again.
  const left = `filled = ${last} AND ${isSince(table, since)}`;
  const [found] = await readJson<{ rows: string }>(client, `SELECT count() AS rows FROM ${table} WHERE ${left}`);
  if (Number(found?.rows ?? 0) > 0) await deleteRows(client, table, left, fence?.holder);
  await insertGently(client, sumsInsert(table, range, since), options);
  // A day may have passed since the fill began, or within this step: what no step has is told before the slots are.
  const keptSince = Math.max(since, await readFactsSince(client, table));
  if (keptSince > Math.max(slots.since, slots.keptSince))
    await insertGently(client, keptNote(table, keptSince), options);
  const { first, last: end } = findRange(addRange(slots.done, range), last)!;
  const note = `INSERT INTO swept_slots (swept_table, first_slot, last_slot) SELECT '${table}', ${first}, ${end}`;
  await insertGently(client, note, options);
  return range;
}

/** Unix seconds from which on all of its facts are there that ever were, and it keeps what is made of them. */
async function readFactsSince(client: StoreClient, table: FilledSum): Promise<number> {
  const since = await readWholeSince(client);
  return Math.max(since.get(factsOf(table)) ?? 0, since.get(table) ?? 0);
}

/** Rows of single transactions are not in it: they are taken out when their block comes. */
function sumsInsert(table: FilledSum, { first, last }: SlotRange, since: number): string {
  const facts = factsOf(table);
  const factColumns = Object.keys(FACT_TABLES.find(({ name }) => name === facts)!.columns).join(', ');
  // Attempts lie in parts of a day, and reach for tokens that nobody traded.
  const ofTokens = facts === 'swaps' ? `AND mint IN (${tradedBetween(first, last)})` : '';
  const rows = `(SELECT ${factColumns} FROM ${facts}
    WHERE slot BETWEEN ${first} AND ${last} ${ofTokens} AND NOT partial)`;
  const { select, columns } = DERIVED_TABLES.find(({ name }) => name === table)!;
  const names = columns!.join(', ');
  return `INSERT INTO ${table} (${names}, filled) SELECT ${names}, toUInt32(${last})
    FROM (${select.replace('$rows', rows)}) WHERE ${isSince(table, since)}`;
}

/** SQL for buckets that begin at a time or later. */
function isSince(table: FilledSum, since: number): string {
  return `${BUCKET[table]} >= toDateTime(${since}, 'UTC')`;
}

/**
 * Tokens that may have been traded in whole slots. Swaps lie by token, in parts of some weeks: what is in none of these is
 * left out by its place, where slots alone would be looked for through all of a part.
 */
function tradedBetween(first: number, last: number): string {
  const slotOf = (trade: string) => `bitShiftRight(tupleElement(${trade}, 1), 32)`;
  return `SELECT mint FROM token_latest WHERE ${slotOf('first_trade')} <= ${last} AND ${slotOf('last_trade')} >= ${first}`;
}

/** Fills in what is left of every such table, until the signal. Trouble is logged and passes. */
export async function runFillSums(
  client: StoreClient,
  {
    clock,
    log,
    signal,
    fence,
  }: Pick<FillOptions, 'fence'> & { readonly clock: Clock; readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  const sizes = { least: MIN_STEP_SLOTS, most: MAX_STEP_SLOTS };
  const left = new Map(FILLED_SUMS.map((table) => [table, { done: 0, restsUntil: 0, slots: createStepSize(sizes) }]));
  // A step of each in turn: the newest days of all of them are there before the oldest of any.
  while (left.size > 0 && !signal.aborted) {
    for (const [table, state] of left) {
      const began = clock.elapsed();
      // One that cannot be filled holds up none of the others.
      if (state.restsUntil > began) continue;
      try {
        if ((await fillSumsStep(client, table, { signal, fence, maxSlots: state.slots.now })) === undefined) {
          left.delete(table);
          if (state.done > 0) log.info({ table }, 'a rollup that is new in this store, or began anew, is filled');
          continue;
        }
        state.done += 1;
        state.slots.went();
        await clock.sleep((clock.elapsed() - began) * REST_TIMES, signal);
      } catch (error) {
        if (signal.aborted) return;
        state.slots.failed();
        state.restsUntil = clock.elapsed() + RETRY_MS;
        log.warn({ table, err: String(error) }, 'a rollup could not be filled any further; it is tried again');
      }
    }
    const restsUntil = Math.min(...[...left.values()].map((state) => state.restsUntil));
    const rest = restsUntil - clock.elapsed();
    if (left.size > 0 && rest > 0) await clock.sleep(rest, signal);
  }
}
