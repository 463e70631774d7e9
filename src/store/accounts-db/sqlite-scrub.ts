import type { Kysely } from 'kysely';
import Database from 'libsql';
import type { Logger } from '../../kernel/log.ts';
import { fromSqlite } from './accounts-error.ts';
import type { AccountsSchema } from './schema.ts';
import { SCRUB_SETTING } from './secret-places.ts';

/** Others who have the file open are in the middle of something short. */
const WAIT_MS = 5_000;

/**
 * Errors that keep a file from being written anew, but nobody from using it as it is: others at it, no room, a disk
 * that fails.
 */
const HINDRANCES = ['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_CANTOPEN'];

/**
 * Writes a SQLite file anew when plain text was sealed in it: pages that are free, and the journal, would hold that text
 * until chance writes over them. Done once, by whoever opens the file next; where something keeps it from being done,
 * a warning gives the reason, and it is done the time after.
 */
export async function scrubWhenDue(
  db: Kysely<AccountsSchema>,
  file: string,
  log: Logger,
  rewriteFile: (file: string) => void = rewrite,
): Promise<void> {
  const due = await db.selectFrom('settings').select('name').where('name', '=', SCRUB_SETTING).executeTakeFirst();
  if (due === undefined) return;
  try {
    rewriteFile(file);
  } catch (error) {
    const reason = hindranceOf(error);
    if (reason === undefined) throw fromSqlite(error);
    log.warn(
      { file, reason },
      'plain text of secrets that are sealed now may still lie in free pages: the file could not be written anew, which takes twice its room and nobody else in it, and the next start tries again',
    );
    return;
  }
  await db.deleteFrom('settings').where('name', '=', SCRUB_SETTING).execute();
}

function rewrite(file: string): void {
  const database = new Database(file);
  try {
    database.pragma(`busy_timeout = ${WAIT_MS}`);
    database.exec('VACUUM');
    // The journal holds the old pages, and the file does not hold the new ones yet.
    const [checkpoint] = database.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[];
    if (checkpoint?.busy !== 0) throw new JournalInUse();
  } finally {
    database.close();
  }
}

/** Others read the journal, which is no error to SQLite. */
class JournalInUse extends Error {
  readonly code = 'SQLITE_BUSY';

  constructor() {
    super('others read the journal');
  }
}

/** In SQLite's words; undefined for a fault of another kind, a damaged file for one. */
function hindranceOf(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined;
  // libsql gives no code for a file that it could not open.
  if (error.message.startsWith('ConnectionFailed')) return error.message;
  const code = String(error.code);
  const isKnown = HINDRANCES.some((known) => code === known || code.startsWith(`${known}_`));
  return isKnown ? `${code}: ${error.message}` : undefined;
}
