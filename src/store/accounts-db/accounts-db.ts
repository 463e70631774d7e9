import { fileURLToPath } from 'node:url';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import { type Logger, silentLogger } from '../../kernel/log.ts';
import type { Engine } from './engine.ts';
import { migrateAccounts } from './migrations.ts';
import { MIGRATING, openPostgres, SERVING } from './postgres.ts';
import type { AccountsSchema } from './schema.ts';
import { openSqlite } from './sqlite.ts';

/** The accounts, wherever they are kept: the same tables and the same statements in both engines. Whatever fails is an AccountsError. */
export interface AccountsDatabase {
  readonly db: Kysely<AccountsSchema>;
  readonly engine: Engine;
  close(): Promise<void>;
}

export interface AccountsOptions {
  /** A `file:` or `postgres:` URL; undefined uses `path`. */
  readonly url: string | undefined;
  readonly path: string;
  readonly clock: Clock;
  /** Hears of connections that were lost while nobody used them. */
  readonly log?: Logger;
}

/**
 * Opens the accounts database, made and migrated when it is not there. Throws
 * AccountsError: `accounts_unavailable`, `accounts_newer`.
 */
export async function openAccountsDatabase(options: AccountsOptions): Promise<AccountsDatabase> {
  const { url, path, clock, log = silentLogger } = options;
  if (url !== undefined && isPostgresUrl(url)) return openOnPostgres(url, clock, log);
  const db = await openSqlite(url === undefined ? path : fileURLToPath(url));
  return opened(db, 'sqlite', clock);
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:/.test(url);
}

async function openOnPostgres(url: string, clock: Clock, log: Logger): Promise<AccountsDatabase> {
  // With connections of their own: a migration may take as long as it takes, and serving may not.
  const migrating = await opened(openPostgres(url, MIGRATING, log), 'postgres', clock);
  await migrating.close();
  const db = openPostgres(url, SERVING, log);
  return { db, engine: 'postgres', close: () => db.destroy() };
}

async function opened(db: Kysely<AccountsSchema>, engine: Engine, clock: Clock): Promise<AccountsDatabase> {
  try {
    await migrateAccounts(db, engine, clock);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return { db, engine, close: () => db.destroy() };
}
