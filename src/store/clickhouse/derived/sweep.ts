import type { Clock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../kernel/log.ts';
import { readJson, readRows, runStatement, type StoreClient } from '../client.ts';
import { addRange, type Coverage, findRange, mergeRanges, missingRanges, type SlotRange } from '../coverage.ts';
import type { TableLayout } from '../schema/table-layout.ts';
import { createStepSize } from './step-size.ts';
import { type SweptTable, sweptSelect } from './swept-tables.ts';

const RANGES = { name: 'ranges', columns: { first_slot: 'u32', last_slot: 'u32' } } as const satisfies TableLayout;

/** Slots gone through at once: about an hour of chain, so that memory has a bound however much history there is. */
const MAX_SWEEP_SLOTS = 20_000;
/** A step that fails is tried again over half as many, down to these. */
const MIN_SWEEP_SLOTS = 100;
/** Pause when there is nothing left to go through. Over a day of ten million attempts a pass at the tip took a third of a second on a busy machine. */
const SWEEP_EVERY_MS = 30_000;
/** A step over the busiest hour takes seconds. Below the client's own patience, or a step would be tried again while it still runs. */
const MAX_SWEEP_SECONDS = 50;

/** Goes through the slots that are whole and not yet gone through, newest first. */
export interface Sweep {
  /** One step of so many slots at most. Undefined when nothing is left. */
  step(maxSlots?: number): Promise<SlotRange | undefined>;
}

/** The slots whose facts the table has. */
export async function readSweptSlots(client: StoreClient, { name }: SweptTable): Promise<Coverage> {
  return readRanges(client, 'SELECT first_slot, last_slot FROM swept_slots WHERE swept_table = {name:String}', {
    name,
  });
}

/**
 * Rows are absolute and the one that knows more wins, so a step that was cut
 * short is done again without harm: its slots are noted after its rows.
 */
export async function createSweep(client: StoreClient, table: SweptTable, signal?: AbortSignal): Promise<Sweep> {
  let done = await readSweptSlots(client, table);
  return {
    async step(maxSlots = MAX_SWEEP_SLOTS) {
      const whole = await readRanges(client, 'SELECT first_slot, last_slot FROM coverage');
      const range = newestMissing(whole, done, maxSlots);
      if (range === undefined) return undefined;
      const after = addRange(done, range);
      const columns = await insertColumns(client, table.name);
      const wanted = 'mint IN (SELECT arrayJoin(touched))';
      await client.command({
        query: `INSERT INTO ${table.name} (${columns})
                WITH (SELECT groupArray(mint) FROM (${table.touched})) AS touched
                SELECT ${columns} FROM (${sweptSelect(table, after, wanted)})`,
        query_params: { ...range },
        clickhouse_settings: { max_execution_time: MAX_SWEEP_SECONDS, wait_end_of_query: 1 },
        // A step cut short is done again.
        ...(signal === undefined ? {} : { abort_signal: signal }),
      });
      const { first, last } = findRange(after, range.first)!;
      await runStatement(client, `INSERT INTO swept_slots VALUES ('${table.name}', ${first}, ${last})`);
      done = after;
      return range;
    },
  };
}

/** Sweeps whenever there is something to sweep, until the signal. Trouble is logged and passes. */
export async function runSweep(
  client: StoreClient,
  table: SweptTable,
  { clock, log, signal }: { readonly clock: Clock; readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  let sweep: Sweep | undefined;
  const slots = createStepSize({ least: MIN_SWEEP_SLOTS, most: MAX_SWEEP_SLOTS });
  while (!signal.aborted) {
    try {
      sweep ??= await createSweep(client, table, signal);
      const range = await sweep.step(slots.now);
      if (range !== undefined) {
        slots.went();
        continue;
      }
    } catch (error) {
      if (signal.aborted) return;
      // Too much of it for memory or time, or a store that is away: less does no harm.
      slots.failed();
      log.warn({ table: table.name, err: String(error) }, 'a background sweep failed; it is tried again');
    }
    await clock.sleep(SWEEP_EVERY_MS, signal);
  }
}

function newestMissing(whole: Coverage, done: Coverage, maxSlots: number): SlotRange | undefined {
  for (const range of whole.toReversed()) {
    const missing = missingRanges(done, range).at(-1);
    if (missing === undefined) continue;
    return { first: Math.max(missing.first, missing.last - maxSlots + 1), last: missing.last };
  }
  return undefined;
}

async function insertColumns(client: StoreClient, table: string): Promise<string> {
  const columns = await readJson<{ name: string }>(
    client,
    `SELECT name FROM system.columns
     WHERE database = currentDatabase() AND table = {table:String} AND default_kind = '' ORDER BY position`,
    { table },
  );
  return columns.map(({ name }) => name).join(', ');
}

async function readRanges(
  client: StoreClient,
  query: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<Coverage> {
  const rows = await readRows(client, RANGES, query, params);
  return mergeRanges(rows.map(({ first_slot, last_slot }) => ({ first: first_slot, last: last_slot })));
}
