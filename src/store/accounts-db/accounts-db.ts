import { fileURLToPath } from 'node:url';
import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import { type Logger, silentLogger } from '../../kernel/log.ts';
import { AccountsError } from './accounts-error.ts';
import type { Engine } from './engine.ts';
import { migrateAccounts } from './migrations.ts';
import { MIGRATING, openPostgres, SERVING } from './postgres.ts';
import type { AccountsSchema } from './schema.ts';
import type { SecretBox } from './secret-box.ts';
import { openSecrets } from './secrets.ts';
import type { SecretsKeyPlace } from './secrets-key.ts';
import { openSqlite } from './sqlite.ts';
import { scrubWhenDue } from './sqlite-scrub.ts';

/** The accounts, wherever they are kept: the same tables and the same statements in both engines. Whatever fails is an AccountsError. */
export interface AccountsDatabase {
  readonly db: Kysely<AccountsSchema>;
  readonly engine: Engine;
  /**
   * Opens the box that secrets of its rows are sealed with. The first who asks chooses the key: {@link openSecrets}.
   * Throws AccountsError: `secrets_key_missing`, `secrets_key_wrong`, `secrets_key_unusable`.
   */
  secrets(): Promise<SecretBox>;
  close(): Promise<void>;
}

export interface AccountsOptions {
  /** A `file:` or `postgres:` URL; undefined uses `path`. */
  readonly url: string | undefined;
  readonly path: string;
  /** Undefined for whoever opens no secret, nor a database of before they were sealed. */
  readonly key?: SecretsKeyPlace | undefined;
  readonly clock: Clock;
  /** Hears of connections that were lost while nobody used them, and of secrets that others could read. */
  readonly log?: Logger;
}

/**
 * Opens the accounts database, made and migrated when it is not there. Throws AccountsError: `accounts_unavailable`,
 * `accounts_newer`, and those of {@link AccountsDatabase.secrets} where secrets have to be sealed.
 */
export async function openAccountsDatabase(options: AccountsOptions): Promise<AccountsDatabase> {
  const { url, path } = options;
  if (url !== undefined && isPostgresUrl(url)) return openOnPostgres(url, options);
  const file = url === undefined ? path : fileURLToPath(url);
  const db = await openSqlite(file);
  try {
    await migrateAccounts(db, 'sqlite', options);
    await scrubWhenDue(db, file, options.log ?? silentLogger);
  } catch (error) {
    await db.destroy();
    throw error instanceof AccountsError && error.code === 'accounts_newer' ? newerFile(file, error) : error;
  }
  return opened(db, 'sqlite', options);
}

function newerFile(file: string, { message }: AccountsError): AccountsError {
  return new AccountsError('accounts_newer', `${message} (${file})`);
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:/.test(url);
}

async function openOnPostgres(url: string, options: AccountsOptions): Promise<AccountsDatabase> {
  const { log = silentLogger } = options;
  // With connections of their own: a migration may take as long as it takes, and serving may not.
  const migrating = openPostgres(url, MIGRATING, log);
  await migrateAccounts(migrating, 'postgres', options).finally(() => migrating.destroy());
  return opened(openPostgres(url, SERVING, log), 'postgres', options);
}

function opened(db: Kysely<AccountsSchema>, engine: Engine, { key, log }: AccountsOptions): AccountsDatabase {
  let secrets: Promise<SecretBox> | undefined;
  return {
    db,
    engine,
    secrets() {
      secrets ??= openSecrets(db, engine, key, log).catch((error: unknown) => {
        secrets = undefined;
        throw error;
      });
      return secrets;
    },
    close: () => db.destroy(),
  };
}
