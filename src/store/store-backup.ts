import { access, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import { copyAccounts } from './accounts-db/accounts-copy.ts';
import { backupDatabase, type CopiedDatabase, restoreDatabase } from './clickhouse/backup.ts';
import { createStoreClient, DEFAULT_DATABASE } from './clickhouse/client.ts';
import { lockDataFolder } from './clickhouse/data-lock.ts';
import { startEmbeddedServer } from './clickhouse/embedded/embedded-server.ts';
import { EMBEDDED_FOLDER, openStore } from './clickhouse/store.ts';
import { StoreError } from './clickhouse/store-error.ts';

/** What a backup says of itself. Written last: a folder without it is not whole. */
export interface BackupManifest {
  readonly format: 1;
  /** RFC 3339, UTC. */
  readonly created_at: string;
  /** Newest slot in it, 0 for an empty store. */
  readonly committed_slot: number;
  readonly bytes: number;
  readonly files: number;
  /** Whether there was an accounts database. */
  readonly accounts: boolean;
}

export interface BackupOptions {
  /** Of the service, which must not run on it. */
  readonly dataDir: string;
  /** SQLite file of the accounts. */
  readonly accountsFile: string;
  readonly folder: string;
  readonly log: Logger;
  readonly clock: Clock;
}

const MANIFEST = 'manifest.json';
const STORE = 'store';
const ACCOUNTS = 'accounts.db';
const UNFINISHED = '.restoring';

/**
 * Copies the embedded store and the accounts into an empty folder, or a new one.
 * What an earlier run left in its outbox goes into the store first, so that the
 * copy is whole by itself. Throws StoreError: `store_in_use` while the service
 * runs, `backup_failed` with what else stood in the way.
 */
export async function backupStore({
  dataDir,
  accountsFile,
  folder,
  log,
  clock,
}: BackupOptions): Promise<BackupManifest> {
  const target = resolve(folder);
  await mkdir(target, { recursive: true, mode: 0o700 });
  if ((await readdir(target)).length > 0) throw new StoreError('backup_failed', `${target} is not empty`);
  const store = await openStore({ url: undefined, dataDir, backupDir: target, log, clock });
  try {
    const copy = { database: store.connection.database, folder: join(target, STORE) };
    const copied = await backupDatabase(store.client, copy, clock);
    const accounts = await exists(accountsFile);
    if (accounts) copyAccounts(accountsFile, join(target, ACCOUNTS));
    const manifest: BackupManifest = {
      format: 1,
      created_at: new Date(clock.now()).toISOString(),
      committed_slot: store.committedSlot,
      ...copied,
      accounts,
    };
    await writeFile(join(target, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 });
    return manifest;
  } finally {
    await store.close();
  }
}

/**
 * Puts a backup into a data folder that has neither a store nor accounts. The
 * store appears under its name when all of it is there, so that a crash half-way
 * leaves a folder that a second try starts over in.
 */
export async function restoreStore(options: BackupOptions): Promise<BackupManifest> {
  const { dataDir, accountsFile } = options;
  const source = resolve(options.folder);
  const manifest = await readManifest(join(source, MANIFEST));
  const lock = await lockDataFolder(dataDir);
  try {
    const place = resolve(dataDir, EMBEDDED_FOLDER);
    // A journal without its database would be played into the one that is put there.
    for (const taken of [place, accountsFile, `${accountsFile}-wal`]) {
      if (await exists(taken))
        throw new StoreError('backup_failed', `${taken} is there already: restore into an empty folder`);
    }
    const leftovers = await readdir(resolve(dataDir, 'outbox')).catch(() => []);
    if (leftovers.length > 0) throw new StoreError('backup_failed', `the outbox in ${dataDir} is not empty`);
    const unfinished = `${place}${UNFINISHED}`;
    await rm(unfinished, { recursive: true, force: true });
    await restoreInto(unfinished, source, options);
    if (manifest.accounts) {
      await mkdir(dirname(accountsFile), { recursive: true, mode: 0o700 });
      await copyFile(join(source, ACCOUNTS), `${accountsFile}${UNFINISHED}`);
      await rename(`${accountsFile}${UNFINISHED}`, accountsFile);
    }
    await rename(unfinished, place);
    return manifest;
  } finally {
    await lock.release();
  }
}

async function restoreInto(dir: string, source: string, { log, clock }: BackupOptions): Promise<CopiedDatabase> {
  const server = await startEmbeddedServer({ dir, backupDir: source, log, clock });
  const { url, username, password } = server;
  const client = createStoreClient({ url, username, password, database: 'default' });
  try {
    return await restoreDatabase(client, { database: DEFAULT_DATABASE, folder: join(source, STORE) }, clock);
  } finally {
    await client.close();
    await server.stop();
  }
}

async function readManifest(path: string): Promise<BackupManifest> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const manifest = text === undefined ? undefined : (JSON.parse(text) as BackupManifest);
  if (manifest?.format !== 1)
    throw new StoreError('backup_failed', `${path} is not there or of another version: that is no whole backup`);
  return manifest;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
