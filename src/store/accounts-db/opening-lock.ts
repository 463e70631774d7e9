import { sql, type Transaction } from 'kysely';
import type { Engine } from './engine.ts';
import type { AccountsSchema } from './schema.ts';

/** Any number that nobody else locks in the same database. */
const LOCK = 0x6d_73_63_70;

/** Lets one process at a time bring a database up to date or choose its key, until the end of the transaction. */
export async function lockOpening(transaction: Transaction<AccountsSchema>, engine: Engine): Promise<void> {
  // SQLite's transaction has the lock already. In Postgres two that make the same table at once would both fail.
  if (engine !== 'postgres') return;
  await sql`SELECT pg_advisory_xact_lock(${LOCK}, hashtext(current_schema()))`.execute(transaction);
}
