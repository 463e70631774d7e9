import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { systemClock } from '../src/kernel/clock.ts';
import { openAccountsDatabase } from '../src/store/accounts-db/accounts-db.ts';
import { findPostgresBinaries, startPostgresServer } from '../test/support/postgres-server.ts';
import { TEST_KEY_PLACE } from '../test/support/secrets-key.ts';
import { openBare } from './accounts/bare.ts';
import { type AccountLoad, measureWorks } from './accounts/measure.ts';
import { openService } from './accounts/service.ts';
import type { BenchmarkOptions, Figures } from './run/benchmark.ts';

/**
 * Sign-in, key creation, key look-up and balance of many accounts on both engines,
 * through the rooms that serve them but without HTTP, against the bare rows that
 * each leaves behind, by the same driver in the same engine: how much of what the
 * engine can do arrives. Both engines wait for the disk as they do for a user.
 * `ratio` is the lowest of all.
 *
 * `-- accounts`: 10,000 accounts and 50,000 keys, or as many accounts as it says; `--short` for a few hundred.
 */
const WHOLE: AccountLoad = { accounts: 10_000, keysOfEach: 5, rounds: 5, callers: 8 };
const SHORT: AccountLoad = { accounts: 200, keysOfEach: 5, rounds: 2, callers: 8 };

/** URLs of two empty databases of one engine. */
interface Places {
  readonly service: string;
  readonly bare: string;
  remove(): Promise<void>;
}

export async function run({ short, words }: BenchmarkOptions): Promise<Figures> {
  const load = short ? SHORT : { ...WHOLE, accounts: Number(words[0] ?? WHOLE.accounts) };
  const figures: Record<string, number> = {};
  for (const [engine, open] of Object.entries({ sqlite: sqlitePlaces, postgres: postgresPlaces })) {
    const places = await open();
    if (places === undefined) continue;
    const measured = await measureAt(places, load).finally(() => places.remove());
    // It takes minutes: whoever waits sees what there is.
    console.error(`${engine}: ${JSON.stringify(measured)}`);
    for (const [name, value] of Object.entries(measured)) figures[`${engine}_${name}`] = value;
  }
  const ratios = Object.entries(figures).flatMap(([name, value]) => (name.endsWith('_ratio') ? [value] : []));
  const { accounts, keysOfEach, callers } = load;
  return { bench: 'accounts', ratio: Math.min(...ratios), ...figures, accounts, keys: accounts * keysOfEach, callers };
}

async function measureAt({ service, bare }: Places, load: AccountLoad): Promise<Readonly<Record<string, number>>> {
  const ours = await openAccountsDatabase({ url: service, path: 'unused', key: TEST_KEY_PLACE, clock: systemClock });
  const theirs = await openAccountsDatabase({ url: bare, path: 'unused', clock: systemClock });
  const both = { service: await openService(ours), bare: openBare(theirs) };
  try {
    return await measureWorks(both, load);
  } finally {
    await both.service.close();
    await ours.close();
    await theirs.close();
  }
}

async function sqlitePlaces(): Promise<Places> {
  const dir = await mkdtemp(join(tmpdir(), 'mintscope-bench-accounts-'));
  const at = (name: string) => pathToFileURL(join(dir, name)).href;
  return { service: at('service.db'), bare: at('bare.db'), remove: () => rm(dir, { recursive: true, force: true }) };
}

async function postgresPlaces(): Promise<Places | undefined> {
  if (findPostgresBinaries() === undefined) {
    console.error('postgres: left out, there is no server of Debian’s here (apt-get install postgresql)');
    return undefined;
  }
  const server = await startPostgresServer({ durable: true });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const at = async (schema: string) => {
    await client.query(`CREATE SCHEMA ${schema}`);
    const url = new URL(server.url);
    url.searchParams.set('options', `-c search_path=${schema}`);
    return url.href;
  };
  const places = { service: await at('service'), bare: await at('bare'), remove: () => server.stop() };
  await client.end();
  return places;
}
