import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Kysely } from 'kysely';
import Database from 'libsql';
import { closeToOthers, makePrivateFile } from '../../kernel/private-files.ts';
import { fromSqlite } from './accounts-error.ts';
import type { AccountsSchema } from './schema.ts';
import { SharedFileDialect } from './sqlite-driver.ts';

/** While nothing runs yet, standing still for somebody who opens or closes the same file harms nobody. */
const OPENING_TIMEOUT_MS = 5_000;
/** Written beside the file while it is open. SQLite gives them its mode, whatever that was when they were made. */
const JOURNALS = ['-wal', '-shm', '-journal'];

/** Opens a SQLite file, made when it is not there, for its owner only, whatever folder it lies in. */
export async function openSqlite(file: string): Promise<Kysely<AccountsSchema>> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await makePrivateFile(file);
  for (const journal of JOURNALS) await closeToOthers(`${file}${journal}`).catch(ignoreAbsent);
  try {
    const database = new Database(file);
    // First of all: the rest may meet somebody who opens it at the same time.
    database.pragma(`busy_timeout = ${OPENING_TIMEOUT_MS}`);
    database.pragma('journal_mode = WAL');
    // A killed process loses nothing of what it committed; a power cut may lose the last moments, and corrupts nothing.
    database.pragma('synchronous = NORMAL');
    // From here on the driver waits, and the process goes on meanwhile.
    database.pragma('busy_timeout = 0');
    return new Kysely<AccountsSchema>({ dialect: new SharedFileDialect(database) });
  } catch (error) {
    throw fromSqlite(error);
  }
}

function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
