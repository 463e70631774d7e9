import { access, copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../kernel/clock.ts';
import { assertNoAccounts, copyAccounts } from './accounts-db/accounts-copy.ts';
import { type AccountsDatabase, isPostgresUrl, openAccountsDatabase } from './accounts-db/accounts-db.ts';
import type { SecretsKeyPlace } from './accounts-db/secrets-key.ts';
import { StoreError } from './clickhouse/store-error.ts';

/** Where the service keeps its accounts. */
export interface AccountsPlace {
  /** A `file:` or `postgres:` URL; undefined uses `path`. */
  readonly url: string | undefined;
  readonly path: string;
  /** Of their secrets. */
  readonly key?: SecretsKeyPlace | undefined;
}

const UNFINISHED = '.restoring';

/** Copies accounts of either engine into a SQLite file, which must not exist. False when there are none to copy. */
export async function backupAccounts(place: AccountsPlace, file: string, clock: Clock): Promise<boolean> {
  const own = fileOf(place);
  if (own !== undefined && !(await exists(own))) return false;
  await between(place, { url: undefined, path: file }, clock);
  return true;
}

/** Refuses a place that has accounts, before anything is done. */
export async function assertRestorable(place: AccountsPlace, clock: Clock): Promise<void> {
  const file = fileOf(place);
  if (file === undefined) {
    const accounts = await openAccountsDatabase({ ...place, clock });
    await assertNoAccounts(accounts.db).finally(() => accounts.close());
    return;
  }
  // A journal without its database would be played into the one that is put there.
  for (const taken of [file, `${file}-wal`]) {
    if (await exists(taken))
      throw new StoreError('backup_failed', `${taken} is there already: restore into an empty folder`);
  }
}

/** Puts the accounts of a backup into either engine. They are there whole, or not at all. */
export async function restoreAccounts(file: string, place: AccountsPlace, clock: Clock): Promise<void> {
  // The backup may be of an older version, and bringing it up to date must not touch it.
  const scratch = await mkdtemp(join(tmpdir(), 'mintscope-restore-'));
  try {
    const source = { url: undefined, path: join(scratch, 'accounts.db') };
    await copyFile(file, source.path);
    const target = fileOf(place);
    if (target === undefined) {
      await between(source, place, clock);
      return;
    }
    const unfinished = `${target}${UNFINISHED}`;
    for (const suffix of ['', '-wal', '-shm']) await rm(`${unfinished}${suffix}`, { force: true });
    await between(source, { url: undefined, path: unfinished }, clock);
    await rename(unfinished, target);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function between(from: AccountsPlace, to: AccountsPlace, clock: Clock): Promise<void> {
  const opened: AccountsDatabase[] = [];
  try {
    const source = await openAccountsDatabase({ ...from, clock });
    opened.push(source);
    const target = await openAccountsDatabase({ ...to, clock });
    opened.push(target);
    await copyAccounts(source, target);
  } finally {
    for (const each of opened) await each.close();
  }
}

/** Undefined for Postgres. */
function fileOf({ url, path }: AccountsPlace): string | undefined {
  if (url === undefined) return path;
  return isPostgresUrl(url) ? undefined : fileURLToPath(url);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
