import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import {
  type AccountsPlace,
  type AccountsRestore,
  assertRestorable,
  backupAccounts,
  type NeededKey,
  restoreAccounts,
} from './accounts-backup.ts';
import { getKeyOf } from './accounts-db/secrets.ts';
import { backupDatabase, type CopiedDatabase, restoreDatabase } from './clickhouse/backup.ts';
import { createStoreClient, DEFAULT_DATABASE } from './clickhouse/client.ts';
import { startEmbeddedServer } from './clickhouse/embedded/embedded-server.ts';
import { EMBEDDED_FOLDER, openStore } from './clickhouse/store.ts';
import { StoreError } from './clickhouse/store-error.ts';
import { lockDataFolder } from './clickhouse/write/data-lock.ts';
import { flushFiles } from './clickhouse/write/outbox.ts';

/** Manifest of a backup. Written last: a folder without it is not whole. */
export interface BackupManifest {
  readonly format: 1;
  /** RFC 3339, UTC. */
  readonly created_at: string;
  /** Newest slot in it, 0 for an empty store. */
  readonly committed_slot: number;
  readonly bytes: number;
  readonly files: number;
  /** True when there was an accounts database. */
  readonly accounts: boolean;
  /** The key that secrets of the accounts are sealed with; left out when they have none. Not part of the backup. */
  readonly secrets_key?: NeededKey;
}

/** Manifest of a backup without the store. */
export interface AccountsManifest {
  readonly format: 1;
  readonly created_at: string;
  readonly only: 'accounts';
  /** As {@link BackupManifest} has it. */
  readonly secrets_key?: NeededKey;
}

export interface AccountsBackupOptions {
  readonly accounts: AccountsPlace;
  readonly folder: string;
  readonly clock: Clock;
  readonly log?: Logger;
}

export interface AccountsRestoreOptions extends AccountsBackupOptions, AccountsRestore {}

export interface BackupOptions extends AccountsBackupOptions {
  /** Of the service, which must not run on it. */
  readonly dataDir: string;
  readonly log: Logger;
}

const MANIFEST = 'manifest.json';
const STORE = 'store';
const ACCOUNTS = 'accounts.db';
const UNFINISHED = '.restoring';

/**
 * Copies the embedded store and the accounts into an empty folder, or a new one. Flushes that an earlier run left in
 * its outbox go into the store first, so that the copy is whole by itself. Throws StoreError: `store_in_use` while the
 * service runs, `backup_failed` with what else stood in the way.
 */
export async function backupStore({ dataDir, accounts, folder, log, clock }: BackupOptions): Promise<BackupManifest> {
  const target = await makeFolder(folder);
  const store = await openStore({ url: undefined, dataDir, backupDir: target, log, clock });
  try {
    const copy = { database: store.connection.database, folder: join(target, STORE) };
    const copied = await backupDatabase(store.client, copy, clock);
    const copiedAccounts = await backupAccounts(accounts, join(target, ACCOUNTS), clock, log);
    const manifest: BackupManifest = {
      format: 1,
      created_at: new Date(clock.now()).toISOString(),
      committed_slot: store.committedSlot,
      ...copied,
      accounts: copiedAccounts !== undefined,
      ...neededKey(copiedAccounts),
    };
    await writeManifest(target, manifest);
    return manifest;
  } finally {
    await store.close();
  }
}

/** Copies the accounts alone, of either engine, whoever uses them meanwhile. */
export async function backupOnlyAccounts(options: AccountsBackupOptions): Promise<AccountsManifest> {
  const { accounts, folder, clock, log } = options;
  const target = await makeFolder(folder);
  const copied = await backupAccounts(accounts, join(target, ACCOUNTS), clock, log);
  if (copied === undefined)
    throw new StoreError('backup_failed', `there are no accounts yet: ${accounts.path} is not there`);
  const created_at = new Date(clock.now()).toISOString();
  const manifest: AccountsManifest = { format: 1, created_at, only: 'accounts', ...neededKey(copied) };
  await writeManifest(target, manifest);
  return manifest;
}

/** Puts the accounts of either kind of backup into an empty database of either engine. */
export async function restoreOnlyAccounts(options: AccountsRestoreOptions): Promise<BackupManifest | AccountsManifest> {
  const { accounts, folder, clock } = options;
  const source = resolve(folder);
  const manifest = await readManifest(join(source, MANIFEST));
  if (!('only' in manifest || manifest.accounts)) throw new StoreError('backup_failed', `${source} has no accounts`);
  await assertRestorable(accounts, clock);
  await restoreAccounts(join(source, ACCOUNTS), accounts, clock, options);
  return manifest;
}

function neededKey(copied: { readonly key: NeededKey | undefined } | undefined): { readonly secrets_key?: NeededKey } {
  return copied?.key === undefined ? {} : { secrets_key: copied.key };
}

async function makeFolder(folder: string): Promise<string> {
  const target = resolve(folder);
  await mkdir(target, { recursive: true, mode: 0o700 });
  if ((await readdir(target)).length > 0) throw new StoreError('backup_failed', `${target} is not empty`);
  return target;
}

async function writeManifest(folder: string, manifest: BackupManifest | AccountsManifest): Promise<void> {
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 });
}

/**
 * Puts a backup into a data folder that has neither a store nor accounts. The
 * store appears under its name when all of it is there, so that a crash half-way
 * leaves a folder that a second try starts over in.
 */
export async function restoreStore(options: BackupOptions & AccountsRestore): Promise<BackupManifest> {
  const { dataDir, accounts, clock } = options;
  const source = resolve(options.folder);
  const manifest = await readManifest(join(source, MANIFEST));
  if ('only' in manifest)
    throw new StoreError('backup_failed', `${source} holds accounts and no store: restore it with --only accounts`);
  const lock = await lockDataFolder(dataDir);
  try {
    const place = resolve(dataDir, EMBEDDED_FOLDER);
    if (await exists(place))
      throw new StoreError('backup_failed', `${place} is there already: restore into an empty folder`);
    await assertRestorable(accounts, clock);
    // The store takes a while to come back: what would stop it at its end is asked for before.
    if (manifest.secrets_key !== undefined && !options.keyLater) {
      await getKeyOf(manifest.secrets_key.id, accounts.key, options.log);
    }
    const leftovers = flushFiles(await readdir(resolve(dataDir, 'outbox')).catch(() => []));
    if (leftovers.length > 0) throw new StoreError('backup_failed', `the outbox in ${dataDir} is not empty`);
    const unfinished = `${place}${UNFINISHED}`;
    await rm(unfinished, { recursive: true, force: true });
    await restoreInto(unfinished, source, options);
    if (manifest.accounts) await restoreAccounts(join(source, ACCOUNTS), accounts, clock, options);
    await rename(unfinished, place);
    return manifest;
  } finally {
    await lock.release();
  }
}

async function restoreInto(dir: string, source: string, { log, clock }: BackupOptions): Promise<CopiedDatabase> {
  const server = await startEmbeddedServer({ dir, backupDir: source, log, clock });
  const client = createStoreClient(server.connection);
  try {
    return await restoreDatabase(client, { database: DEFAULT_DATABASE, folder: join(source, STORE) }, clock);
  } finally {
    await client.close();
    await server.stop();
  }
}

async function readManifest(path: string): Promise<BackupManifest | AccountsManifest> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const manifest = text === undefined ? undefined : (JSON.parse(text) as BackupManifest | AccountsManifest);
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
