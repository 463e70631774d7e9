import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccounts } from '../../src/commands/open-accounts.ts';
import { systemClock as clock } from '../../src/kernel/clock.ts';
import { silentLogger as log } from '../../src/kernel/log.ts';
import type { AccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';
import { openStore, type Store } from '../../src/store/clickhouse/store.ts';
import { createFactsMaker } from '../support/block-facts.ts';

const run = promisify(execFile);
/** `nobody`: another local user, whom root may become. */
const STRANGER = 65_534;
const maySwitchUser = process.getuid?.() === 0 && spawnSync('find', ['--version']).status === 0;
const FOR_OTHERS = 0o077;

/** Entries of the data folder, whose own mode is the operator's choice. */
const ENTRIES = [
  'accounts.db',
  'accounts.db-shm',
  'accounts.db-wal',
  'clickhouse',
  'outbox',
  'secrets.key',
  'writer.lock',
];

describe.each([
  ['that is new', async () => {}],
  ['of which everything was open to others', makeOpenFolder],
] as const)('a data folder that others may enter, %s', (_what, prepare) => {
  let dir: string;
  let dataDir: string;
  let store: Store;
  let accounts: AccountsDatabase;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'mintscope-folder-'));
    dataDir = join(dir, 'data');
    await mkdir(dataDir);
    await prepare(dataDir);
    for (const path of [dir, dataDir]) await chmod(path, 0o755);
    store = await openStore({ url: undefined, dataDir, log, clock });
    await store.writer.flush([createFactsMaker({ seed: 5, firstSlot: 10 }).nextBatch()]);
    accounts = await openAccounts(
      { databaseUrl: undefined, secretsKey: undefined, dataDir },
      { clock, log, mayMakeKey: true },
    );
    await accounts.secrets();
  });
  afterAll(async () => {
    await accounts.close();
    await store.close();
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  });

  it('has nothing in it that anybody but its owner may read, write or enter', async () => {
    const entries = (await readdir(dataDir)).sort();
    expect(entries).toEqual(ENTRIES);
    const modes = await Promise.all(
      entries.map(async (name) => [name, (await stat(join(dataDir, name))).mode & FOR_OTHERS]),
    );
    expect(Object.fromEntries(modes)).toEqual(Object.fromEntries(ENTRIES.map((name) => [name, 0])));
    for (const name of ['config.xml', 'users.xml']) {
      expect((await stat(join(dataDir, 'clickhouse', name))).mode & 0o777).toBe(0o600);
    }
    expect((await stat(dataDir)).mode & 0o777).toBe(0o755);
  });

  it.runIf(maySwitchUser)('shows another user names and nothing else, and lets nobody else hold its lock', async () => {
    await writeFile(join(dir, 'open.txt'), 'seen by everybody', { mode: 0o644 });
    expect(await reachedBy(STRANGER, dir)).toEqual([join(dir, 'open.txt'), dataDir, dir].sort());
  });
});

/** Everything below a folder that a user can read or write, the folder itself included. */
async function reachedBy(uid: number, folder: string): Promise<string[]> {
  const search = ['(', '-readable', '-o', '-writable', ')', '-print'];
  // It fails for what it may not enter, and prints the rest.
  const found = await run('find', [folder, ...search], { uid, gid: uid, cwd: '/' }).catch(
    (error: { readonly stdout: string }) => error,
  );
  return found.stdout.trim().split('\n').sort();
}

/** As after years of copies, and of a service whose lock everybody could read. */
async function makeOpenFolder(dataDir: string): Promise<void> {
  for (const name of ['outbox', 'clickhouse', 'clickhouse/data']) {
    await mkdir(join(dataDir, name));
    await chmod(join(dataDir, name), 0o777);
  }
  for (const name of ['config.xml', 'users.xml']) {
    await writeFile(join(dataDir, 'clickhouse', name), 'of before');
    await chmod(join(dataDir, 'clickhouse', name), 0o644);
  }
  for (const name of ['writer.lock', 'accounts.db']) {
    const database = new Database(join(dataDir, name));
    database.exec('PRAGMA user_version = 0');
    database.close();
    await chmod(join(dataDir, name), 0o666);
  }
  await writeFile(join(dataDir, 'secrets.key'), 'Txydgnfis1iGwfDeJJqzZR1_4IySpLYTXsjX8aCTSy4\n');
  await chmod(join(dataDir, 'secrets.key'), 0o644);
}
