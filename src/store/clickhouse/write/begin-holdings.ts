import type { Address } from '../../../chain/address.ts';
import { readRows, type StoreClient } from '../client.ts';
import { ofPrefixes, PREFIXES } from '../read/mint-pages.ts';
import { MOVE_TABLES } from '../read/movements.ts';
import { isTimeout } from '../read/question-faults.ts';
import { readWholeSince } from '../retention.ts';
import { FILL_STEPS } from '../schema/codes.ts';
import { encodeRows } from '../schema/row-codec.ts';
import type { RowOf, TableLayout } from '../schema/table-layout.ts';
import { insertFenced, type WriterFence } from './writer-fence.ts';

const SINCE = { name: 'holdings_since', columns: { since: 'time' } } as const satisfies TableLayout;
const STEPS = { name: 'fill_steps', columns: { filled_table: 'string', steps: 'u16' } } as const satisfies TableLayout;
const COUNTS = { name: 'counts', columns: { rows: 'u64' } } as const satisfies TableLayout;
const DONE = { name: 'done', columns: { prefixes: 'u32' } } as const satisfies TableLayout;
const MINTS = { name: 'mints', columns: { mint: 'account' } } as const satisfies TableLayout;

/** Names in `fill_steps`: whole first bytes of mints that are done, and the first two bytes up to which a step within one came. */
const [OF_BYTES, WITHIN_BYTE] = ['holdings', 'holdings_within_byte'];
const PREFIXES_OF_BYTE = PREFIXES / FILL_STEPS;
/** Parts that a step is cut into when it took too long. */
const CUT = 16;
/** Sends that a step goes through, where they are so many: some seconds of the server. */
const ROWS_AT_ONCE = 5_000_000;
/** The server gives a step up behind it, before the client does, and reads and ingest go before it. */
const STEP_SETTINGS = { max_execution_time: 50, priority: '9', max_threads: 1 } as const;

/** Mints whose holdings are to be folded out of what the store has, as a step of those that a store of before takes. */
export interface HoldingsStep {
  readonly mints: readonly Address[];
  /** Where the next one begins, by the first two bytes of mints. */
  readonly end: number;
}

/** Begins the holdings of a store that nothing was traded in yet: all movements will be in them. */
export async function beginHoldings(client: StoreClient, fence: WriterFence | undefined): Promise<void> {
  if (await hasRows(client, SINCE.name)) return;
  if (!(await hasRows(client, 'market_latest'))) await insert(client, fence, SINCE, { since: 0 });
}

/**
 * Reads the next step of a store that has movements from before its holdings: mints that moved and were ever traded, each
 * in one step. `marked` once all are through, until it is noted that they are folded, too; undefined from then on.
 */
export type HoldingsSteps = () => Promise<HoldingsStep | 'marked' | undefined>;

/**
 * Steps of a store. One that takes the server too long is cut into smaller ones, and those behind it are as small. Where
 * the smallest takes too long, all of its mints that were ever traded are taken, moved or not: to ask which moved goes
 * through every send of theirs, and folding one that did not move changes nothing.
 */
export function createHoldingsSteps(client: StoreClient, rowsAtOnce = ROWS_AT_ONCE): HoldingsSteps {
  let widest = PREFIXES;

  async function readStep(first: number, width: number): Promise<HoldingsStep> {
    const end = Math.min(PREFIXES, first + width);
    try {
      return { mints: await readMoved(client, ofPrefixes(first, end)), end };
    } catch (error) {
      if (!isTimeout(error)) throw error;
      if (width === 1) return { mints: await readTraded(client, ofPrefixes(first, end)), end };
      widest = Math.ceil(width / CUT);
      return readStep(first, widest);
    }
  }

  return async () => {
    if (await hasRows(client, SINCE.name)) return undefined;
    const first = await readPrefixesDone(client);
    if (first >= PREFIXES) return 'marked';
    const [stored] = await readRows(client, COUNTS, 'SELECT count() AS rows FROM transfers');
    const width = Math.floor((PREFIXES * rowsAtOnce) / Math.max(1, Number(stored?.rows ?? 0n)));
    return readStep(first, Math.min(widest, Math.max(1, width)));
  };
}

async function readPrefixesDone(client: StoreClient): Promise<number> {
  const [done] = await readRows(
    client,
    DONE,
    `SELECT toUInt32(greatest(
       maxIf(steps, filled_table = '${OF_BYTES}') * ${PREFIXES_OF_BYTE}, maxIf(steps, filled_table = '${WITHIN_BYTE}')
     )) AS prefixes FROM fill_steps`,
  );
  return done?.prefixes ?? 0;
}

async function readMoved(client: StoreClient, within: string): Promise<Address[]> {
  const moved = [...MOVE_TABLES, 'pools'].map((table) => `SELECT mint FROM ${table} WHERE ${within}`);
  const rows = await readRows(
    client,
    MINTS,
    `SELECT DISTINCT mint FROM (${moved.join(' UNION ALL ')})
     WHERE mint IN (SELECT mint FROM market_latest WHERE ${within})`,
    {},
    { settings: STEP_SETTINGS },
  );
  return rows.map(({ mint }) => mint);
}

async function readTraded(client: StoreClient, within: string): Promise<Address[]> {
  const query = `SELECT DISTINCT mint FROM market_latest WHERE ${within}`;
  const rows = await readRows(client, MINTS, query, {}, { settings: STEP_SETTINGS });
  return rows.map(({ mint }) => mint);
}

/** Notes that the mints of a step are marked: a kill before it has the step done again. */
export async function noteHoldingsStep(
  client: StoreClient,
  fence: WriterFence | undefined,
  { end }: HoldingsStep,
): Promise<void> {
  const isWholeByte = end % PREFIXES_OF_BYTE === 0;
  const note = isWholeByte
    ? { filled_table: OF_BYTES, steps: end / PREFIXES_OF_BYTE }
    : { filled_table: WITHIN_BYTE, steps: end };
  await insert(client, fence, STEPS, note);
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
