import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Kysely } from 'kysely';
import Database from 'libsql';
import { fromSqlite } from './accounts-error.ts';
import type { AccountsSchema } from './schema.ts';
import { SharedFileDialect } from './sqlite-driver.ts';

/** While nothing runs yet, standing still for somebody who opens or closes the same file harms nobody. */
const OPENING_TIMEOUT_MS = 5_000;
const PRIVATE_FILE = 0o600;

/** Opens a SQLite file, made when it is not there, for its owner only. */
export async function openSqlite(file: string): Promise<Kysely<AccountsSchema>> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await (await open(file, 'a', PRIVATE_FILE)).close();
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
