import Database from 'libsql';

/** How long to wait for somebody who is writing. */
const BUSY_TIMEOUT_MS = 2_000;

/** Copies an accounts database as of one moment, whoever uses it meanwhile. The target must not exist. */
export function copyAccounts(from: string, to: string): void {
  const database = new Database(from);
  try {
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    database.prepare('VACUUM INTO ?').run(to);
  } finally {
    database.close();
  }
}
