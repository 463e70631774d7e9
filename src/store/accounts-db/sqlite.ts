import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Kysely } from 'kysely';
import Database from 'libsql';
import { isOutOfDescriptors } from '../../kernel/descriptors.ts';
import { closeToOthers, makePrivateFile } from '../../kernel/private-files.ts';
import { AccountsError } from './accounts-error.ts';
import type { AccountsSchema } from './schema.ts';
import { SharedFileDialect } from './sqlite-driver.ts';

/** While nothing runs yet, standing still for somebody who opens or closes the same file harms nobody. */
const OPENING_TIMEOUT_MS = 5_000;
/** Pages of the file that are kept in memory, once they were read: at most so much. */
const CACHE_KIB = 16_384;
/** Written beside the file while it is open. SQLite gives them its mode, whatever that was when they were made. */
const JOURNALS = ['-wal', '-shm', '-journal'];

/** Opens a SQLite file, made when it is not there, for its owner only, whatever folder it lies in. Throws AccountsError, which names it. */
export async function openSqlite(file: string): Promise<Kysely<AccountsSchema>> {
  let database: Database.Database | undefined;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await makePrivateFile(file);
    for (const journal of JOURNALS) await closeToOthers(`${file}${journal}`).catch(ignoreAbsent);
    database = new Database(file);
    // First of all: the rest may meet somebody who opens it at the same time.
    database.pragma(`busy_timeout = ${OPENING_TIMEOUT_MS}`);
    database.pragma('journal_mode = WAL');
    // A killed process loses nothing of what it committed; a power cut may lose the last moments, and corrupts nothing.
    database.pragma('synchronous = NORMAL');
    // Negative: kibibytes. The 2 MiB of SQLite are less than what ten thousand keys in use change again and again.
    database.pragma(`cache_size = ${-CACHE_KIB}`);
    // From here on the driver waits, and the process goes on meanwhile.
    database.pragma('busy_timeout = 0');
    return new Kysely<AccountsSchema>({ dialect: new SharedFileDialect(database) });
  } catch (error) {
    database?.close();
    throw unusableFile(file, error);
  }
}

/** Of a file that is none of ours, or that we may not have. */
export function unusableFile(file: string, error: unknown): unknown {
  if (isOutOfDescriptors(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/NOTADB|CORRUPT/.test(code) || /not a database|malformed/.test(reason)) {
    const remedy = 'put a backup in its place, or move it away to begin with empty accounts';
    return new AccountsError(
      'accounts_refused',
      `the accounts database ${file} is damaged or none (${reason}): ${remedy}`,
    );
  }
  if (/SQLITE_BUSY|SQLITE_LOCKED/.test(code)) {
    const remedy = 'another process holds it: end that, or wait until it is done';
    return new AccountsError('accounts_unavailable', `the accounts database ${file} is in use (${reason}): ${remedy}`);
  }
  if (/SQLITE_FULL|ENOSPC|EDQUOT/.test(code)) {
    return new AccountsError('accounts_unavailable', `there is no room for the accounts database ${file} (${reason})`);
  }
  const isOurs = code.startsWith('SQLITE_') || code.startsWith('E') || reason.startsWith('ConnectionFailed');
  if (!isOurs) return error;
  const remedy = 'it has to be a file that this user may read and write, in a folder of the same kind';
  return new AccountsError(
    'accounts_unavailable',
    `the accounts database ${file} cannot be opened (${reason}): ${remedy}`,
  );
}

function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
