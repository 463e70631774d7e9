import type { ClickHouseSettings } from '@clickhouse/client';
import type { Clock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../kernel/log.ts';
import { readJson, readRows, type StoreClient } from '../client.ts';
import { type Coverage, mergeRanges } from '../coverage.ts';
import { ofPrefixes } from '../read/mint-pages.ts';
import { FILL_STEPS } from '../schema/codes.ts';
import { FENCED_INSERT_SECONDS, type WriterFence } from '../write/writer-fence.ts';
import { cardInserts } from './card-rows.ts';
import { CARD } from './derived-tables.ts';
import { createStepSize } from './step-size.ts';

/**
 * Tables that came into a store when it had facts already: the writer fills them from then on, and what was there before
 * is filled in beside the service, in steps. Until the last of them a reader asks the facts themselves. Nothing in such a
 * table is summed, so a step may be done again, and beside flushes of the same facts.
 */

/** Swaps that are gone through at once: as many bytes as have them. A store has facts of other kinds in proportion. */
const SWAPS_AT_ONCE = 500_000;
/** A step that fails is tried again over half as many, down to these: on a server of your own it has seconds. */
const MIN_SWAPS_AT_ONCE = 500;
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

export interface FillOptions {
  readonly signal?: AbortSignal | undefined;
  /** Of the lease that we write under; undefined where nobody else can write. */
  readonly fence?: WriterFence | undefined;
  readonly swapsAtOnce?: number;
}

/** Goes through the next mints: all of them where there are few swaps. False when none are left. */
export async function fillStep(client: StoreClient, options: FillOptions = {}): Promise<boolean> {
  const { swapsAtOnce = SWAPS_AT_ONCE } = options;
  const first = await readFillSteps(client);
  if (first >= FILL_STEPS) return false;
  const query = 'SELECT greatest((SELECT count() FROM swaps), (SELECT count() FROM market_latest)) AS swaps';
  const [stored] = await readJson<{ swaps: string }>(client, query);
  const swaps = Math.max(1, Number(stored?.swaps ?? 0));
  const bytes = Math.max(1, Math.floor((FILL_STEPS * swapsAtOnce) / swaps));
  const end = Math.min(FILL_STEPS, first + bytes);
  const coverage = await readCoverage(client);
  // The mints of one byte may still be too many for one insert.
  const parts = bytes > 1 ? 1 : Math.min(FILL_STEPS, Math.ceil(swaps / FILL_STEPS / swapsAtOnce));
  for (let part = 0; part < parts; part++) {
    const bound = (at: number) => Math.round((first + ((end - first) * at) / parts) * FILL_STEPS);
    const mints = ofPrefixes(bound(part), bound(part + 1));
    for (const insert of cardInserts({ mints, coverage })) await insertGently(client, insert, options);
  }
  const note = `INSERT INTO fill_steps (filled_table, steps) SELECT '${CARD}', ${end}`;
  await insertGently(client, note, options);
  return true;
}

/** Reads and ingest go before it. A step that was sent again is there twice, which changes nothing. */
const GENTLY: ClickHouseSettings = {
  max_threads: 1,
  priority: '9',
  max_bytes_before_external_group_by: '200000000',
  insert_deduplicate: 0,
  wait_end_of_query: 1,
};

/** Under a fence what a host sends that was taken over is refused: it knew rows that are taken out by now. */
export async function insertGently(
  client: StoreClient,
  insert: string,
  { signal, fence }: Pick<FillOptions, 'signal' | 'fence'>,
): Promise<void> {
  const run = (query: string, seconds: number) =>
    client.command({
      query,
      clickhouse_settings: { ...GENTLY, max_execution_time: seconds },
      ...(signal === undefined ? {} : { abort_signal: signal }),
    });
  if (fence === undefined) await run(insert, STEP_SECONDS);
  else await fence.within((clause) => run(`${insert}\n${clause}`, FENCED_INSERT_SECONDS));
}

async function readCoverage(client: StoreClient): Promise<Coverage> {
  const ranges = { name: 'coverage', columns: { first_slot: 'u32', last_slot: 'u32' } } as const;
  const rows = await readRows(client, ranges, 'SELECT first_slot, last_slot FROM coverage');
  return mergeRanges(rows.map(({ first_slot, last_slot }) => ({ first: first_slot, last: last_slot })));
}

/** Fills in what is left, until the signal. Trouble is logged and passes. */
export async function runFill(
  client: StoreClient,
  {
    clock,
    log,
    signal,
    fence,
  }: Pick<FillOptions, 'fence'> & { readonly clock: Clock; readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  const swaps = createStepSize({ least: MIN_SWAPS_AT_ONCE, most: SWAPS_AT_ONCE });
  let done = 0;
  while (!signal.aborted) {
    const began = clock.elapsed();
    try {
      if (!(await fillStep(client, { signal, fence, swapsAtOnce: swaps.now }))) break;
      done += 1;
      swaps.went();
      await clock.sleep((clock.elapsed() - began) * REST_TIMES, signal);
    } catch (error) {
      if (signal.aborted) return;
      swaps.failed();
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
