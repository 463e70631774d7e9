import type { Address } from '../../../chain/address.ts';
import { readRows, type StoreClient } from '../client.ts';
import { MOVE_TABLES, ofFirstBytes } from '../read/movements.ts';
import { readWholeSince } from '../retention.ts';
import { encodeRows } from '../schema/row-codec.ts';
import type { RowOf, TableLayout } from '../schema/table-layout.ts';
import { insertFenced, type WriterFence } from './writer-fence.ts';

const SINCE = { name: 'holdings_since', columns: { since: 'time' } } as const satisfies TableLayout;
const STEPS = { name: 'fill_steps', columns: { filled_table: 'string', steps: 'u16' } } as const satisfies TableLayout;
const COUNTS = { name: 'counts', columns: { rows: 'u64' } } as const satisfies TableLayout;
const DONE = { name: 'done', columns: { steps: 'u16' } } as const satisfies TableLayout;
const MINTS = { name: 'mints', columns: { mint: 'account' } } as const satisfies TableLayout;

/** Steps are counted by the first byte of mints. */
const LAST_STEP = 256;
/** Sends that a step goes through, where they are so many: some seconds of the server. */
const ROWS_AT_ONCE = 5_000_000;
/** The server gives a step up behind it, before the client does, and reads and ingest go before it. */
const STEP_SETTINGS = { max_execution_time: 50, priority: '9', max_threads: 1 } as const;

/** Mints whose holdings are to be folded out of what the store has, as a step of those that a store of before takes. */
export interface HoldingsStep {
  readonly mints: readonly Address[];
  /** Steps that are done with it. */
  readonly steps: number;
}

/** Begins the holdings of a store that nothing was traded in yet: all movements will be in them. */
export async function beginHoldings(client: StoreClient, fence: WriterFence | undefined): Promise<void> {
  if (await hasRows(client, SINCE.name)) return;
  if (!(await hasRows(client, 'market_latest'))) await insert(client, fence, SINCE, { since: 0 });
}

/**
 * The next step of a store that has movements from before its holdings: mints that moved and were ever traded, each in
 * one step. `marked` once all are through, until it is noted that they are folded, too; undefined from then on.
 */
export async function readHoldingsStep(
  client: StoreClient,
  rowsAtOnce = ROWS_AT_ONCE,
): Promise<HoldingsStep | 'marked' | undefined> {
  if (await hasRows(client, SINCE.name)) return undefined;
  const query = `SELECT toUInt16(max(steps)) AS steps FROM fill_steps WHERE filled_table = 'holdings'`;
  const [{ steps: first } = { steps: 0 }] = await readRows(client, DONE, query);
  if (first >= LAST_STEP) return 'marked';
  const [stored] = await readRows(client, COUNTS, 'SELECT count() AS rows FROM transfers');
  const bytes = Math.floor((LAST_STEP * rowsAtOnce) / Math.max(1, Number(stored?.rows ?? 0n)));
  const steps = Math.min(LAST_STEP, first + Math.max(1, bytes));
  const within = ofFirstBytes(first, steps);
  const moved = [...MOVE_TABLES, 'pools'].map((table) => `SELECT mint FROM ${table} WHERE ${within}`);
  const rows = await readRows(
    client,
    MINTS,
    `SELECT DISTINCT mint FROM (${moved.join(' UNION ALL ')})
     WHERE mint IN (SELECT mint FROM market_latest WHERE ${within})`,
    {},
    { settings: STEP_SETTINGS },
  );
  return { mints: rows.map(({ mint }) => mint), steps };
}

/** Notes that the mints of a step are marked: a kill before it has the step done again. */
export async function noteHoldingsStep(
  client: StoreClient,
  fence: WriterFence | undefined,
  { steps }: HoldingsStep,
): Promise<void> {
  await insert(client, fence, STEPS, { filled_table: 'holdings', steps });
}

/** Notes that all that were marked are folded, and since when all movements are in them: whoever reads holdings goes by it. */
export async function noteHoldingsFolded(client: StoreClient, fence: WriterFence | undefined): Promise<void> {
  const wholeSince = await readWholeSince(client);
  await insert(client, fence, SINCE, { since: Math.max(...MOVE_TABLES.map((table) => wholeSince.get(table) ?? 0)) });
}

async function hasRows(client: StoreClient, table: string): Promise<boolean> {
  const [found] = await readRows(client, COUNTS, `SELECT count() AS rows FROM ${table}`);
  return (found?.rows ?? 0n) > 0n;
}

async function insert<const T extends TableLayout>(
  client: StoreClient,
  fence: WriterFence | undefined,
  layout: T,
  row: RowOf<T>,
): Promise<void> {
  const { bytes } = encodeRows<T>(layout, [row]);
  const columns = Object.keys(layout.columns);
  await insertFenced(client, { table: layout.name, layout, columns, bytes, token: undefined }, fence);
}
