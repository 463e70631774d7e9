import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { inject } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { type AccountsDatabase, openAccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';
import type { Engine } from '../../src/store/accounts-db/engine.ts';
import { TEST_KEY_PLACE } from './secrets-key.ts';

/** An accounts database of a test's own, empty and migrated, which goes away when it is closed. */
export interface TestAccounts extends AccountsDatabase {
  /** The `DATABASE_URL` of another process on the same database. */
  readonly url: string;
  /** Opens the same database once more, as another process would. Closed with the first. */
  openAnother(): Promise<AccountsDatabase>;
}

export interface TestEngine {
  /** For a test's name: `describe.each(ENGINES)('credits on $engine', ({ open }) => …)`. */
  readonly engine: Engine;
  open(): Promise<TestAccounts>;
  /** A place for a database that nobody has opened yet. */
  place(): Promise<DatabasePlace>;
}

export interface DatabasePlace {
  readonly url: string;
  /** Removes the database and everything in it. */
  remove(): Promise<void>;
}

/**
 * Every engine that accounts can be tested on here: SQLite, and Postgres when
 * the environment names one or Debian's is installed. A run without it says so.
 */
export const ENGINES: readonly TestEngine[] = [
  testEngine('sqlite', sqlitePlace),
  ...(inject('postgres') === undefined ? [] : [testEngine('postgres', postgresPlace)]),
];

function testEngine(engine: Engine, place: () => Promise<DatabasePlace>): TestEngine {
  return {
    engine,
    place,
    async open() {
      const { url, remove } = await place();
      const openIt = () => openAccountsDatabase({ url, path: 'unused', key: TEST_KEY_PLACE, clock: systemClock });
      const opened = [await openIt()];
      const [first] = opened as [AccountsDatabase];
      return {
        ...first,
        url,
        async openAnother() {
          const another = await openIt();
          opened.push(another);
          return another;
        },
        async close() {
          await Promise.all(opened.map((each) => each.close()));
          await remove();
        },
      };
    },
  };
}

async function sqlitePlace(): Promise<DatabasePlace> {
  const dir = await mkdtemp(join(tmpdir(), 'mintscope-accounts-'));
  return {
    url: pathToFileURL(join(dir, 'accounts.db')).href,
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}

/** A schema of its own: tests run side by side in one database. */
async function postgresPlace(): Promise<DatabasePlace> {
  const server = await postgresUrl();
  const schema = `test_${randomBytes(8).toString('hex')}`;
  await query(server, `CREATE SCHEMA ${schema}`);
  const url = new URL(server);
  url.searchParams.set('options', `-c search_path=${schema}`);
  return { url: url.href, remove: () => query(server, `DROP SCHEMA ${schema} CASCADE`) };
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

let asked: Promise<string> | undefined;

/** The run's one server: asking starts it. */
function postgresUrl(): Promise<string> {
  asked ??= askForPostgres();
  return asked;
}

async function askForPostgres(): Promise<string> {
  const postgres = inject('postgres');
  if (postgres === undefined) throw new Error('there is no Postgres to test on');
  if ('url' in postgres) return postgres.url;
  const socket = connect(postgres.ask);
  await once(socket, 'connect');
  const answer = JSON.parse(await text(socket)) as { readonly url?: string; readonly fault?: string };
  if (answer.url === undefined) throw new Error(answer.fault);
  return answer.url;
}
