import type { Logger } from '../../kernel/log.ts';
import { readJson, runStatement, type StoreClient } from './client.ts';

/**
 * Whole days for which rows are kept, by the name of what is kept; what is not
 * named stays for ever. Days count from a row's own time, the chain's.
 */
export type Retention = ReadonlyMap<RetainedName, number>;

/**
 * Names of what may be given a time to live, and the tables that it lies in: facts, and sums by router. All other tables
 * that are folded from facts stay.
 */
export const RETAINED_TABLES = {
  swaps: ['swaps', 'swaps_by_trader'],
  attempts: ['attempts'],
  transfers: ['transfers', 'transfers_by_wallet'],
  fundings: ['fundings', 'fundings_by_funder'],
  burns: ['burns'],
  liquidity: ['liquidity'],
  fee_payouts: ['fee_payouts'],
  unexplained_deltas: ['unexplained_deltas'],
  slot_tips: ['slot_tips'],
  routers: ['router_minutes', 'router_reverts', 'router_traders'],
} as const;

export type RetainedName = keyof typeof RETAINED_TABLES;

/**
 * The columns of sums that tell how old a row is; facts have a `time`. Sums have no partitions, as an insert has to be one
 * part: merges take out the rows that are too old, where facts go by whole parts.
 */
const BUCKETS: Readonly<Record<string, string>> = {
  router_minutes: 'minute',
  router_reverts: 'minute',
  router_traders: 'hour',
};

const FOREVER = 'forever';
/** Four digits: with eighty years added, the engine's 32-bit times begin anew, and everything is too old. */
const DAYS = /^([a-z_]+)=(\d{1,4})d$/;
const DAY_SECONDS = 86_400;

/** Reads `attempts=14d,transfers=30d`, or `forever`. Throws RangeError with what is wrong. */
export function readRetention(text: string): Retention {
  const days = new Map<RetainedName, number>();
  if (text === FOREVER) return days;
  for (const each of text.split(',')) {
    const [, name = '', digits = ''] = DAYS.exec(each.trim()) ?? [];
    if (!Object.hasOwn(RETAINED_TABLES, name)) {
      throw new RangeError(`${each} is no time to live: write ${Object.keys(RETAINED_TABLES).join('=…d, ')}=…d`);
    }
    if (Number(digits) === 0) throw new RangeError(`${each}: at least one day`);
    days.set(name as RetainedName, Number(digits));
  }
  return days;
}

/**
 * Makes the tables' times to live those of `retention`, where they are not yet.
 * Parts of facts are dropped when all of their rows are too old: nothing is rewritten for
 * it, and a row may stay for as long as its partition reaches.
 */
export async function applyRetention(client: StoreClient, retention: Retention, log: Logger): Promise<void> {
  const applied = await readTimesToLive(client);
  for (const [name, tables] of Object.entries(RETAINED_TABLES)) {
    const days = retention.get(name as RetainedName);
    for (const table of tables) {
      const before = applied.get(table);
      if (before === days) continue;
      const isLonger = before !== undefined && (days === undefined || days > before);
      if (isLonger) await noteLetGo(client, table, before);
      if (days === undefined) await runStatement(client, `ALTER TABLE ${table} REMOVE TTL`);
      else {
        // Rows that are there already: their times are read, and they themselves left as they are.
        const bucket = BUCKETS[table];
        const settings = `ttl_only_drop_parts = ${bucket === undefined ? 1 : 0}, materialize_ttl_recalculate_only = 1`;
        await runStatement(client, `ALTER TABLE ${table} MODIFY SETTING ${settings}`);
        await runStatement(client, `ALTER TABLE ${table} MODIFY TTL ${bucket ?? 'time'} + toIntervalDay(${days})`);
      }
      // A day may have ended meanwhile.
      if (isLonger) await noteLetGo(client, table, before);
      log.info({ table, days: days ?? FOREVER }, 'time to live set');
    }
  }
}

/** SQL for the days that a table of the system's tables keeps its rows; 0 for ever. */
const DAYS_KEPT = `toUInt32OrZero(extract(engine_full, 'TTL \\\\w+ \\\\+ toIntervalDay\\\\((\\\\d+)\\\\)'))`;

/** SQL that tells whether a table has let rows of a bucket go, or is about to. */
export function isLetGo(table: string, bucket: string): string {
  const days = `(SELECT ${DAYS_KEPT} FROM system.tables WHERE database = currentDatabase() AND name = '${table}')`;
  return `${days} > 0 AND ${bucket} <= now() - toIntervalDay(${days})`;
}

/** Days that tables keep their rows, of those that do not keep them for ever. */
export async function readTimesToLive(client: StoreClient): Promise<ReadonlyMap<string, number>> {
  const rows = await readJson<{ name: string; days: number }>(
    client,
    `SELECT name, ${DAYS_KEPT} AS days FROM system.tables
     WHERE database = currentDatabase() AND match(engine_full, 'TTL (time|minute|hour) \\\\+ toIntervalDay')`,
  );
  return new Map(rows.map(({ name, days }) => [name, days]));
}

/** Notes since when a table has all of its rows by days for which it kept them: keeping them for longer brings none back. */
async function noteLetGo(client: StoreClient, table: string, days: number): Promise<void> {
  const since = wholeSince(await readServerDay(client), days);
  await runStatement(client, `INSERT INTO let_go (name, since) SELECT '${table}', toDateTime(${since}, 'UTC')`);
}

/**
 * First moment from which tables have all the rows that they ever had, of those that do not keep them for ever, or did
 * not always: Unix seconds at the beginning of a day, where a bucket of every rollup begins too. Older rows may be left,
 * but say nothing.
 */
export async function readWholeSince(client: StoreClient): Promise<ReadonlyMap<string, number>> {
  const noted = await readJson<{ name: string; since: number }>(
    client,
    'SELECT name, toUInt32(max(let_go.since)) AS since FROM let_go GROUP BY name',
  );
  const found = new Map(noted.map(({ name, since }) => [name, since]));
  const days = await readTimesToLive(client);
  if (days.size === 0) return found;
  const today = await readServerDay(client);
  for (const [table, kept] of days) found.set(table, Math.max(found.get(table) ?? 0, wholeSince(today, kept)));
  return found;
}

/** Days since 1970 by the server's clock, which decides what is too old. */
async function readServerDay(client: StoreClient): Promise<number> {
  const [server] = await readJson<{ now: number }>(client, 'SELECT toUInt32(now()) AS now');
  return Math.floor((server?.now ?? 0) / DAY_SECONDS);
}

/** The day that is being cut off is not whole any more. */
function wholeSince(today: number, days: number): number {
  return (today - days + 1) * DAY_SECONDS;
}
