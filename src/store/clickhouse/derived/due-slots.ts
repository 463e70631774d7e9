import { readJson, readRows, type StoreClient } from '../client.ts';
import { type Coverage, mergeRanges, missingRanges } from '../coverage.ts';
import type { TableLayout } from '../schema/table-layout.ts';

/**
 * Rollups over all tokens, whose buckets have no order in `swaps`: one that is made anew takes a pass over the swaps
 * around it, which may be more than a start can wait for. What is due in them is filled in beside the service, see
 * `fill-sums.ts`, in rows of its own: `filled` is 0 in what came with a flush. So a step adds nothing to what flushes
 * bring meanwhile, late blocks among them, and can be taken out again.
 */
export const FILLED_SUMS = [
  'venue_minutes',
  'fee_minutes',
  'tipper_hours',
  'mint_hours',
  'trader_registers',
  'slot_economics',
  'router_minutes',
  'router_reverts',
  'router_traders',
] as const;
export type FilledSum = (typeof FILLED_SUMS)[number];

/** The facts that each is made of. */
export function factsOf(table: FilledSum): 'swaps' | 'attempts' {
  return table === 'router_reverts' ? 'attempts' : 'swaps';
}

export function isFilledSum(table: string): table is FilledSum {
  return (FILLED_SUMS as readonly string[]).includes(table);
}

const RANGES = { name: 'ranges', columns: { first_slot: 'u32', last_slot: 'u32' } } as const satisfies TableLayout;

/** What a table was given late. */
export interface DueSlots {
  /** Slots that were whole when the table began, or began anew: flushes brought the rest. */
  readonly due: Coverage;
  /** Those of them that it has by now. */
  readonly done: Coverage;
  /** Unix seconds with which the fill began; older buckets are left as they are. */
  readonly since: number;
  /** Unix seconds from which on the fill has everything, where swaps were let go before it had them; else 0. */
  readonly keptSince: number;
}

/** A row of `due_slots` that has no slot to fill: its `since` tells {@link DueSlots.keptSince}. */
const KEPT_NOTE = '0, 0';
const IS_NOTE = 'first_slot = 0 AND last_slot = 0';

/** Notes that a fill lacks what is older: no step can make that any more. */
export function keptNote(table: FilledSum, since: number): string {
  return `INSERT INTO due_slots SELECT '${table}', ${KEPT_NOTE}, toDateTime(${since}, 'UTC')`;
}

export async function readDueSlots(client: StoreClient, table: FilledSum): Promise<DueSlots> {
  const name = { name: table };
  const from = 'FROM due_slots WHERE filled_table = {name:String}';
  // Steps first: what is forgotten meanwhile has none.
  const done = await readRows(client, RANGES, `SELECT first_slot, last_slot ${DONE}`, name);
  const due = await readRows(client, RANGES, `SELECT first_slot, last_slot ${from} AND ${IS_DUE}`, name);
  const [row] = await readJson<{ since: number; kept: number }>(
    client,
    `SELECT toUInt32(maxIf(due_slots.since, NOT (${IS_NOTE}))) AS since,
       toUInt32(maxIf(due_slots.since, ${IS_NOTE})) AS kept ${from}`,
    name,
  );
  return { due: ranges(due), done: ranges(done), since: row?.since ?? 0, keptSince: row?.kept ?? 0 };
}

/** Of rows of `due_slots` that tell slots. */
const IS_DUE = `first_slot <= last_slot AND NOT (${IS_NOTE})`;
const DONE = 'FROM swept_slots WHERE swept_table = {name:String}';

/** Slots whose facts a table lacks. */
export function lackingSlots({ due, done }: Pick<DueSlots, 'due' | 'done'>): Coverage {
  return due.flatMap((range) => missingRanges(done, range));
}

/**
 * Unix seconds from which on a table has all that its facts tell; 0 when it lacks nothing. The latest of some blocks
 * counts, so that a time that is wrong leaves figures out and never tells a part for the whole.
 */
export async function readFilledSince(client: StoreClient, table: FilledSum): Promise<number> {
  const slots = await readDueSlots(client, table);
  const newest = lackingSlots(slots).at(-1)?.last;
  if (newest === undefined) return slots.keptSince;
  const [row] = await readJson<{ latest: number }>(
    client,
    `SELECT toUInt32(max(time)) AS latest
     FROM (SELECT time FROM blocks WHERE slot <= {newest:UInt32} AND toUInt32(time) > 0 ORDER BY slot DESC LIMIT 16)`,
    { newest },
  );
  return Math.max(slots.keptSince, (row?.latest ?? 0) + 1);
}

/** SQL for facts that came with a flush, of those that a table is made of. */
export function cameWithFlush(table: FilledSum): string {
  return `NOT arrayExists(due -> slot BETWEEN tupleElement(due, 1) AND tupleElement(due, 2),
    (SELECT groupArray((first_slot, last_slot)) FROM due_slots WHERE filled_table = '${table}' AND ${IS_DUE}))`;
}

/** SQL for the slots of some ranges. */
export function inSlots(slots: Coverage, column = 'slot'): string {
  if (slots.length === 0) return 'false';
  return `(${slots.map(({ first, last }) => `${column} BETWEEN ${first} AND ${last}`).join(' OR ')})`;
}

function ranges(rows: readonly { readonly first_slot: number; readonly last_slot: number }[]): Coverage {
  return mergeRanges(rows.map(({ first_slot, last_slot }) => ({ first: first_slot, last: last_slot })));
}
