import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { Logger } from '../../kernel/log.ts';
import { readJson, runStatement, type StoreClient } from './client.ts';
import { BACKGROUND_TABLES } from './schema/background-tables.ts';
import { LEADER_TABLES } from './schema/leader-tables.ts';
import { PACKED_TABLES } from './schema/packed-selects.ts';
import { storeType } from './schema/store-types.ts';
import type { TableLayout } from './schema/table-layout.ts';
import { FACT_TABLES, type FactTableName } from './schema/tables.ts';
import { readSqlFile, splitStatements } from './sql-file.ts';
import { StoreError } from './store-error.ts';

const OUR_TABLES: readonly TableLayout[] = [...FACT_TABLES, ...BACKGROUND_TABLES, ...LEADER_TABLES];

/** A numbered script of idempotent statements, run once and never changed afterwards. */
export interface Migration {
  /** `NNNN_<layer>_<name>`: layer is fact, copy or rollup. */
  readonly name: string;
  readonly script: string;
}

const FOLDER = new URL('./migrations/', import.meta.url);
const NAME = /^\d{4}_(?:fact|copy|rollup)_[a-z_]+$/;

export function readMigrations(folder: URL = FOLDER): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({ name: file.slice(0, -'.sql'.length), script: readSqlFile(new URL(file, folder)) }));
}

/** The script that makes the table of the writer's lease. Whoever shares a server takes the lease before the next. */
export const LEASE_MIGRATION = '0007_fact_coverage';

export interface MigrateOptions {
  /** Name of the last script to apply; all of them when left out. */
  readonly last?: string | undefined;
  /** Throws when the database is no longer ours to change. */
  readonly assertLease?: () => void;
}

/**
 * Brings the database up to our migrations. Refuses one whose applied scripts
 * are not the first of ours, byte for byte: it belongs to another version.
 */
export async function migrate(
  client: StoreClient,
  migrations: readonly Migration[],
  log: Logger,
  { last, assertLease }: MigrateOptions = {},
): Promise<void> {
  for (const { name } of migrations) {
    if (!NAME.test(name)) throw new StoreError('migration_drift', `migration ${name} is not named NNNN_<layer>_<name>`);
  }
  await runStatement(
    client,
    `CREATE TABLE IF NOT EXISTS migrations (name String, checksum String, applied_at DateTime('UTC') DEFAULT now())
     ENGINE = ReplacingMergeTree ORDER BY name`,
  );
  const applied = await readApplied(client);
  assertOurs(applied, migrations);
  const left = migrations.slice(applied.length).filter(({ name }) => last === undefined || name <= last);
  await putBackRenamed(client, left);
  for (const migration of left) {
    for (const statement of statementsOf(migration)) {
      assertLease?.();
      await runStatement(client, statement);
    }
    const values = [{ name: migration.name, checksum: checksumAsRun(migration) }];
    await client.insert({ table: 'migrations', values, format: 'JSONEachRow', columns: ['name', 'checksum'] });
    log.info({ migration: migration.name }, 'migration applied');
  }
}

/**
 * Scripts that shipped with a pass over all swaps, which a start does not wait for any more, by the rollup that they fill:
 * it gets the rows of single transactions alone. What is whole is noted as due by a later script, and filled in beside
 * the service, see `derived/fill-sums.ts`.
 */
const FILLED_LATER: ReadonlyMap<string, string> = new Map([
  ['0046_rollup_venue_minutes', 'venue_minutes'],
  ['0050_rollup_mint_hours', 'mint_hours'],
  ['0051_rollup_trader_registers', 'trader_registers'],
]);

/** The statements of a script as they are run. */
export function statementsOf({ name, script }: Migration): readonly string[] {
  const statements = splitStatements(script);
  const table = FILLED_LATER.get(name);
  if (table === undefined) return statements;
  return statements.flatMap((statement) => {
    if (!statement.startsWith(`INSERT INTO ${table}`)) return [statement];
    // An earlier version may have been stopped in the middle of its pass.
    return [`TRUNCATE TABLE ${table}`, ofSingleTransactions(statement)];
  });
}

/** Its one read of swaps, of those that have no block alone. */
function ofSingleTransactions(statement: string): string {
  return statement.replace(/^FROM swaps\n(WHERE )?/m, (_, where) =>
    where === undefined ? 'FROM swaps\nWHERE partial\n' : 'FROM swaps\nWHERE partial AND ',
  );
}

interface Applied {
  readonly name: string;
  readonly checksum: string;
}

/** Throws `migration_drift`, with what to do, unless the applied scripts are the first of ours. */
function assertOurs(applied: readonly Applied[], ours: readonly Migration[]): void {
  const newest = ours.at(-1)?.name ?? '';
  for (const [place, { name, checksum }] of applied.entries()) {
    const mine = ours[place];
    if (mine?.name === name && [checksumAsRun(mine), checksumOf(mine)].includes(checksum)) continue;
    if (mine?.name === name) throw drift(`migration ${name} was changed after it was applied`, OTHER_BUILD);
    if (name > newest)
      throw drift(`the database has migration ${name}, which is not ours: a newer mintscope made it`, NEWER);
    if (ours.some((each) => each.name === name)) {
      throw drift(`the database has migration ${name} and lacks ${mine?.name}, which comes before it`, OTHER_BUILD);
    }
    throw drift(
      `the database has migration ${name}, which is not ours: its migrations are numbered otherwise`,
      OTHER_BUILD,
    );
  }
}

const NEWER = 'start that version, or restore a backup from before it';
const OTHER_BUILD =
  'start the version that made the store, or give this one a place of its own (another MINTSCOPE_DATA_DIR and, with CLICKHOUSE_URL, another database) and fill it by mintscope backfill';

function drift(what: string, remedy: string): StoreError {
  return new StoreError('migration_drift', `${what}. Nothing was changed: ${remedy}`);
}

/**
 * Two renames in one statement are two steps of the engine. A crash between them leaves the old table
 * under the name from which its script would have dropped it: it gets its own back, and the script starts over.
 */
async function putBackRenamed(client: StoreClient, left: readonly Migration[]): Promise<void> {
  const names = await readTableNames(client);
  for (const { script } of left) {
    for (const [, name = '', aside = ''] of script.matchAll(/^RENAME TABLE (\w+) TO (\w+),/gm)) {
      if (!names.has(name) && names.has(aside)) await runStatement(client, `RENAME TABLE ${aside} TO ${name}`);
    }
  }
}

async function readTableNames(client: StoreClient): Promise<ReadonlySet<string>> {
  const query = 'SELECT name FROM system.tables WHERE database = currentDatabase()';
  return new Set((await readJson<{ name: string }>(client, query)).map(({ name }) => name));
}

function checksumOf({ script }: Migration): string {
  return createHash('sha256').update(script).digest('hex');
}

/**
 * A script that is run otherwise than it shipped is noted by what was run. What it leaves for later is noted as due by one
 * that comes behind it: an earlier build, which knows no such thing, would take the store between the two for a whole one
 * and write to it. It refuses a checksum that is not its own.
 */
function checksumAsRun(migration: Migration): string {
  if (!FILLED_LATER.has(migration.name)) return checksumOf(migration);
  return createHash('sha256').update(statementsOf(migration).join(';\n')).digest('hex');
}

async function readApplied(client: StoreClient): Promise<Applied[]> {
  return readJson(client, 'SELECT name, checksum FROM migrations FINAL ORDER BY name');
}

/** Throws when a table does not have the columns that its rows are written with. */
export async function assertLayouts(client: StoreClient, layouts: readonly TableLayout[] = OUR_TABLES): Promise<void> {
  const columnsFound = await readJson<{ table: string; name: string; type: string }>(
    client,
    `SELECT table, name, type FROM system.columns
     WHERE database = currentDatabase() AND default_kind IN ('', 'ALIAS') ORDER BY table, position`,
  );
  const found = new Map<string, string[]>();
  for (const { table, name, type } of columnsFound) {
    const columns = found.get(table) ?? [];
    columns.push(`${name} ${type.replace(/^LowCardinality\((.+)\)$/, '$1')}`);
    found.set(table, columns);
  }
  for (const layout of layouts) {
    const expected = Object.entries(layout.columns).map(([name, type]) => `${name} ${storeType(type)}`);
    const columns = found.get(layout.name) ?? [];
    const odd = [
      ...expected.filter((each) => !columns.includes(each)),
      // A packed table has columns of its own besides, in which it keeps what others are computed from.
      ...(PACKED_TABLES.has(layout.name as FactTableName) ? [] : columns.filter((each) => !expected.includes(each))),
    ];
    if (odd.length > 0) throw new StoreError('layout_mismatch', `table ${layout.name}: ${odd.join('; ')}`);
  }
}
