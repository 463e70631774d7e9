import { access, copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../kernel/clock.ts';
import { type Logger, silentLogger } from '../kernel/log.ts';
import { assertNoAccounts, copyAccounts } from './accounts-db/accounts-copy.ts';
import { type AccountsDatabase, isPostgresUrl, openAccountsDatabase } from './accounts-db/accounts-db.ts';
import { findKeyId, getKeyOf } from './accounts-db/secrets.ts';
import { findSecretsKey, type SecretsKeyPlace } from './accounts-db/secrets-key.ts';
import { StoreError } from './clickhouse/store-error.ts';

/** The place in which the service keeps its accounts. */
export interface AccountsPlace {
  /** A `file:` or `postgres:` URL; undefined uses `path`. */
  readonly url: string | undefined;
  readonly path: string;
  /** Of their secrets. */
  readonly key?: SecretsKeyPlace | undefined;
}

/** The key that secrets of a backup are sealed with. It is not part of the backup. */
export interface NeededKey {
  readonly id: string;
  /** Place of the key when the backup was made: a setting's name or a file's. Undefined when there was no key. */
  readonly kept_in: string | undefined;
}

export interface AccountsRestore {
  /** Puts accounts there without the key of their secrets, which has to come before the service starts. */
  readonly keyLater?: boolean;
  /** Hears of a key that others could read. */
  readonly log?: Logger;
}

const UNFINISHED = '.restoring';

/** Copies accounts of either engine into a SQLite file, which must not exist. Undefined when there are none to copy, otherwise the key that they need. */
export async function backupAccounts(
  place: AccountsPlace,
  file: string,
  clock: Clock,
  log: Logger = silentLogger,
): Promise<{ readonly key: NeededKey | undefined } | undefined> {
  const own = fileOf(place);
  if (own !== undefined && !(await exists(own))) return undefined;
  const target = { url: undefined, path: file };
  return { key: await between(place, target, { clock, log }, (id) => whereabouts(id, place.key, log)) };
}

/** Refuses a place that has accounts, before anything is done. */
export async function assertRestorable(place: AccountsPlace, clock: Clock): Promise<void> {
  const file = fileOf(place);
  if (file === undefined) {
    const accounts = await openAccountsDatabase({ ...withoutNewKey(place), clock });
    await assertNoAccounts(accounts.db).finally(() => accounts.close());
    return;
  }
  // A journal without its database would be played into the one that is put there.
  for (const taken of [file, `${file}-wal`]) {
    if (await exists(taken))
      throw new StoreError('backup_failed', `${taken} is there already: restore into an empty folder`);
  }
}

/**
 * Puts the accounts of a backup into either engine. They are there whole, or not at all, and not without the key that
 * their secrets are sealed with: AccountsError `secrets_key_missing`, `secrets_key_wrong`.
 */
export async function restoreAccounts(
  file: string,
  place: AccountsPlace,
  clock: Clock,
  { keyLater = false, log = silentLogger }: AccountsRestore = {},
): Promise<void> {
  const assertOpens = async (keyId: string) => {
    if (!keyLater) await getKeyOf(keyId, place.key, log);
  };
  // The backup may be of an older version, and bringing it up to date must not touch it.
  const scratch = await mkdtemp(join(tmpdir(), 'mintscope-restore-'));
  try {
    // Secrets of before they were sealed get the key of the place that they come to.
    const source = { url: undefined, path: join(scratch, 'accounts.db'), key: place.key };
    await copyFile(file, source.path);
    const target = fileOf(place);
    if (target === undefined) {
      await between(source, withoutNewKey(place), { clock, log: silentLogger }, assertOpens);
      return;
    }
    const unfinished = `${target}${UNFINISHED}`;
    for (const suffix of ['', '-wal', '-shm']) await rm(`${unfinished}${suffix}`, { force: true });
    await between(source, { url: undefined, path: unfinished }, { clock, log: silentLogger }, assertOpens);
    await rename(unfinished, target);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Copies all accounts, behind what the key of their secrets is asked for; undefined when they have none. */
async function between<T>(
  from: AccountsPlace,
  to: AccountsPlace,
  surroundings: { readonly clock: Clock; readonly log: Logger },
  check: (keyId: string) => Promise<T>,
): Promise<T | undefined> {
  const opened: AccountsDatabase[] = [];
  try {
    const source = await openAccountsDatabase({ ...from, ...surroundings });
    opened.push(source);
    const keyId = await findKeyId(source.db);
    const checked = keyId === undefined ? undefined : await check(keyId);
    const target = await openAccountsDatabase({ ...to, ...surroundings });
    opened.push(target);
    await copyAccounts(source, target);
    return checked;
  } finally {
    for (const each of opened) await each.close();
  }
}

/**
 * The place without the right to make a key: it may hold accounts of somebody else's service, whose secrets get no key
 * of ours.
 */
function withoutNewKey(place: AccountsPlace): AccountsPlace {
  return { ...place, key: place.key && { ...place.key, mayMake: false } };
}

/** Ids of keys that are at hand are compared: a key that does not fit is no place of this one. */
async function whereabouts(id: string, place: SecretsKeyPlace | undefined, log: Logger): Promise<NeededKey> {
  const held = place === undefined ? undefined : await findSecretsKey(place, log).catch(() => undefined);
  return { id, kept_in: held?.box.keyId === id ? held.from : undefined };
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
