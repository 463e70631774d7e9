import type { Kysely } from 'kysely';
import Database from 'libsql';
import type { Logger } from '../../kernel/log.ts';
import { fromSqlite } from './accounts-error.ts';
import type { AccountsSchema } from './schema.ts';
import { SCRUB_SETTING } from './secret-places.ts';

/** Others who have the file open are in the middle of something short. */
const WAIT_MS = 5_000;

/**
 * Writes a SQLite file anew when plain text was sealed in it: pages that are free, and the journal, would hold that text
 * until chance writes over them. Done once, by whoever opens the file next; when others read it at the moment, the time after.
 */
export async function scrubWhenDue(db: Kysely<AccountsSchema>, file: string, log: Logger): Promise<void> {
  const due = await db.selectFrom('settings').select('name').where('name', '=', SCRUB_SETTING).executeTakeFirst();
  if (due === undefined) return;
  if (rewrite(file)) await db.deleteFrom('settings').where('name', '=', SCRUB_SETTING).execute();
  else
    log.warn(
      { file },
      'plain text of secrets that are sealed now may still lie in free pages: others use the file, and the next start writes it anew',
    );
}

/** False when somebody keeps it from being done. */
function rewrite(file: string): boolean {
  const database = new Database(file);
  try {
    database.pragma(`busy_timeout = ${WAIT_MS}`);
    database.exec('VACUUM');
    // The journal holds the old pages, and the file does not hold the new ones yet.
    const [checkpoint] = database.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[];
    return checkpoint?.busy === 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')) return false;
    throw fromSqlite(error);
  } finally {
    database.close();
  }
}
