import type { ClickHouseSettings } from '@clickhouse/client';
import type { Clock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../kernel/log.ts';
import { readJson, runStatement, type StoreClient } from '../client.ts';
import { ofFirstBytes } from '../read/movements.ts';
import { CARD, DERIVED_TABLES, insertedSelect } from './derived-tables.ts';

/**
 * Tables that came into a store when it had facts already: the writer fills them from then on, and what was there before
 * is filled in beside the service, in steps. Until the last of them a reader asks the facts themselves. Nothing in such a
 * table is summed, so a step may be done again, and beside flushes of the same facts.
 */

/** Steps are counted by the first byte of mints, of which there are so many. */
export const FILL_STEPS = 256;
/** Swaps that are gone through at once: as many bytes as have them. A store has facts of other kinds in proportion. */
const SWAPS_AT_ONCE = 500_000;
/** So long a pause behind a step, times what the step took: the service goes first. */
const REST_TIMES = 1;
/** Between two tries when the store does not take a step. */
const RETRY_MS = 10_000;
/** The mints of a byte have some million swaps in a store of a billion. */
const STEP_SECONDS = 50;

/** Steps that are done, of {@link FILL_STEPS}. */
export async function readFillSteps(client: StoreClient): Promise<number> {
  const query = `SELECT max(steps) AS steps FROM fill_steps WHERE filled_table = {name:String}`;
  const [row] = await readJson<{ steps: number }>(client, query, { name: CARD });
  return row?.steps ?? 0;
}

/** Goes through the next mints: all of them where there are few swaps. False when none are left. */
export async function fillStep(
  client: StoreClient,
  { signal, swapsAtOnce = SWAPS_AT_ONCE }: { readonly signal?: AbortSignal; readonly swapsAtOnce?: number } = {},
): Promise<boolean> {
  const first = await readFillSteps(client);
  if (first >= FILL_STEPS) return false;
  const [stored] = await readJson<{ swaps: string }>(client, 'SELECT count() AS swaps FROM swaps');
  const bytes = Math.floor((FILL_STEPS * swapsAtOnce) / Math.max(1, Number(stored?.swaps ?? 0)));
  const end = Math.min(FILL_STEPS, first + Math.max(1, bytes));
  for (const derived of DERIVED_TABLES) {
    if (derived.name !== CARD) continue;
    // The writer takes rows of single transactions out again, and this step could come behind that.
    const rows = `${derived.source} WHERE ${ofFirstBytes(first, end)} AND NOT partial`;
    await client.command({
      query: `INSERT INTO ${CARD} ${insertedSelect(derived).replace('$rows', rows)}`,
      clickhouse_settings: { ...GENTLY, wait_end_of_query: 1 },
      ...(signal === undefined ? {} : { abort_signal: signal }),
    });
  }
  await runStatement(client, `INSERT INTO fill_steps (filled_table, steps) VALUES ('${CARD}', ${end})`);
  return true;
}

/** Reads and ingest go before it. A step that was sent again is there twice, which changes nothing. */
const GENTLY: ClickHouseSettings = {
  max_threads: 1,
  priority: '9',
  max_bytes_before_external_group_by: '200000000',
  max_execution_time: STEP_SECONDS,
  insert_deduplicate: 0,
};

/** Fills in what is left, until the signal. Trouble is logged and passes. */
export async function runFill(
  client: StoreClient,
  { clock, log, signal }: { readonly clock: Clock; readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  let done = 0;
  while (!signal.aborted) {
    const began = clock.elapsed();
    try {
      if (!(await fillStep(client, { signal }))) break;
      done += 1;
      await clock.sleep((clock.elapsed() - began) * REST_TIMES, signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ table: CARD, err: String(error) }, 'a table could not be filled any further; it is tried again');
      await clock.sleep(RETRY_MS, signal);
    }
  }
  if (done > 0) log.info({ table: CARD }, 'a table that is new in this store is filled');
}

/** Lets go of what the table has of whole blocks, to be filled in again. Done again, it changes nothing. */
export const FORGET_FILLED: readonly { readonly table: string; readonly where: string }[] = [
  // The steps go first: what has no step is not read.
  { table: 'fill_steps', where: `filled_table = '${CARD}'` },
  { table: CARD, where: 'partial_slot = 0' },
];
