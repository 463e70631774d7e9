import { watch } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import pg from 'pg';
import { systemClock } from '../../../src/kernel/clock.ts';
import { type AccountsDatabase, openAccountsDatabase } from '../../../src/store/accounts-db/accounts-db.ts';
import type { Engine } from '../../../src/store/accounts-db/engine.ts';
import { startPostgresServer } from '../../support/postgres-server.ts';
import { CAMPAIGN_PLANS_TEXT } from './campaign-plans.ts';
import { startPostgresWire } from './postgres-wire.ts';

/** An accounts database that processes are killed over, and what can be done to it. */
export interface CampaignDatabase {
  /** A folder that goes away with it. */
  readonly dir: string;
  /** Arguments that the processes are started with: the database's URL and a file of plans. */
  readonly argv: readonly string[];
  /** The campaign's own way in, which no trouble meets. */
  readonly accounts: AccountsDatabase;
  /** Resolves when somebody has just written. */
  nextWrite(): Promise<void>;
  /** Ends every connection; Postgres recovers from its log and goes on. */
  crash(): Promise<void>;
  /** The next so many commits are done, and nobody hears of it. */
  loseAnswers(commits: number): void;
  /** Answers no write until what it gives is called. */
  stall(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const LOCK_TIMEOUT_MS = 5_000;
const RECOVERY_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/** In a temporary folder, empty. */
export async function openCampaignDatabase(engine: Engine): Promise<CampaignDatabase> {
  const dir = await mkdtemp(join(tmpdir(), 'mintscope-credits-'));
  const plansFile = join(dir, 'plans.json');
  await writeFile(plansFile, CAMPAIGN_PLANS_TEXT);
  const { url, ...opened } = await (engine === 'postgres' ? openPostgres() : openSqlite(dir));
  return {
    ...opened,
    dir,
    argv: [url, plansFile],
    async close() {
      await opened.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

type Opened = Omit<CampaignDatabase, 'argv' | 'dir'> & { readonly url: string };

async function openSqlite(dir: string): Promise<Opened> {
  const path = join(dir, 'accounts.db');
  const url = pathToFileURL(path).href;
  const accounts = await openAccountsDatabase({ url, path, clock: systemClock });
  let told: () => void = () => {};
  // Whoever writes appends to it.
  const watcher = watch(`${path}-wal`, () => told());
  return {
    url,
    accounts,
    nextWrite: () =>
      new Promise((resolve) => {
        told = resolve;
      }),
    crash: () => Promise.reject(new Error('SQLite lives in the processes')),
    loseAnswers() {
      throw new Error('SQLite answers where it is called');
    },
    stall: () => lockSqlite(path),
    async close() {
      watcher.close();
      await accounts.close();
    },
  };
}

async function openPostgres(): Promise<Opened> {
  // As a user runs it: what was committed is there after a crash.
  const server = await startPostgresServer({ durable: true });
  const folder = new URL(server.url).searchParams.get('host') ?? '';
  const wire = await startPostgresWire(join(folder, '.s.PGSQL.5432'));
  const throughWire = new URL(server.url);
  throughWire.searchParams.delete('host');
  throughWire.hostname = '127.0.0.1';
  throughWire.port = String(wire.port);
  const accounts = await openAccountsDatabase({ url: server.url, path: 'unused', clock: systemClock });
  return {
    url: throughWire.href,
    accounts,
    nextWrite: () => wire.nextCommit(),
    crash: () => crashPostgres(server.url),
    loseAnswers: (commits) => wire.loseAnswers(commits),
    stall: () => lockPostgres(server.url),
    async close() {
      await accounts.close();
      await wire.close();
      await server.stop();
    },
  };
}

/** Somebody else who writes, and takes their time. */
async function lockSqlite(path: string): Promise<() => Promise<void>> {
  const other = new Database(path);
  other.pragma(`busy_timeout = ${LOCK_TIMEOUT_MS}`);
  other.exec('BEGIN IMMEDIATE');
  return async () => {
    other.exec('ROLLBACK');
    other.close();
  };
}

/** Each write of credits begins in this table. */
async function lockPostgres(url: string): Promise<() => Promise<void>> {
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query('BEGIN');
  await other.query('LOCK TABLE meters IN ACCESS EXCLUSIVE MODE');
  return async () => {
    await other.query('ROLLBACK');
    await other.end();
  };
}

/** Kills one of its processes: Postgres then throws everybody out at once and begins again from its log. */
async function crashPostgres(url: string): Promise<void> {
  const victim = new pg.Client({ connectionString: url });
  victim.on('error', () => {});
  await victim.connect();
  const { rows } = await victim.query<{ readonly pid: number }>('SELECT pg_backend_pid() AS pid');
  const [row] = rows;
  if (row === undefined) throw new Error('Postgres does not say which process serves us');
  const ended = new Promise<void>((resolve) => victim.once('end', resolve));
  process.kill(row.pid, 'SIGKILL');
  await ended;
  const deadline = systemClock.elapsed() + RECOVERY_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (systemClock.elapsed() > deadline) throw error;
      await systemClock.sleep(POLL_MS);
    }
  }
}
