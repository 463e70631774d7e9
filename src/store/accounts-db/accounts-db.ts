import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kysely, SqliteDialect } from 'kysely';
import Database from 'libsql';
import type { Clock } from '../../kernel/clock.ts';
import { migrateAccounts } from './migrations.ts';
import type { AccountsSchema, KeyState } from './schema.ts';

/** A key as a list shows it. */
export interface KeyRow {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly state: KeyState;
  /** RFC 3339, UTC. */
  readonly created_at: string;
}

export interface AccountsDatabase {
  /** Keeps the hash and the first characters of `text`; the rest is forgotten. */
  createKey(key: { readonly name: string; readonly hash: Uint8Array; readonly text: string }): Promise<KeyRow>;
  /** An active key by its SHA-256. */
  findKey(
    hash: Uint8Array,
  ): Promise<{ readonly id: number; readonly name: string; readonly hash: Uint8Array } | undefined>;
  hasKeys(): Promise<boolean>;
  listKeys(): Promise<readonly KeyRow[]>;
  /** False when there is no such active key. */
  revokeKey(id: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface AccountsOptions {
  /** A `file:` URL; undefined uses `path`. */
  readonly url: string | undefined;
  readonly path: string;
  readonly clock: Clock;
}

/** `ms_live_` and four more characters. */
const PREFIX_CHARS = 12;
/** The command line may write while the service runs: wait for its lock this long. */
const BUSY_TIMEOUT_MS = 2_000;
const LISTED_KEYS = 1_000;

/** Opens the accounts database, made and migrated when it is not there. */
export async function openAccountsDatabase({ url, path, clock }: AccountsOptions): Promise<AccountsDatabase> {
  const file = url === undefined ? path : fileURLToPath(url);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const database = new Database(file);
  // First of all: the rest may meet somebody who opens it at the same time.
  database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  database.pragma('journal_mode = WAL');
  const db = new Kysely<AccountsSchema>({ dialect: new SqliteDialect({ database }) });
  await migrateAccounts(db, clock);
  const listed = ['id', 'name', 'prefix', 'state', 'created_at'] as const;

  return {
    async createKey({ name, hash, text }) {
      const values = {
        name,
        hash: Buffer.from(hash),
        prefix: text.slice(0, PREFIX_CHARS),
        state: 'active' as const,
        created_at: clock.now(),
      };
      return toKeyRow(await db.insertInto('api_keys').values(values).returning(listed).executeTakeFirstOrThrow());
    },
    findKey: (hash) =>
      db
        .selectFrom('api_keys')
        .select(['id', 'name', 'hash'])
        .where('hash', '=', Buffer.from(hash))
        .where('state', '=', 'active')
        .executeTakeFirst(),
    async hasKeys() {
      return (await db.selectFrom('api_keys').select('id').limit(1).executeTakeFirst()) !== undefined;
    },
    async listKeys() {
      const rows = await db.selectFrom('api_keys').select(listed).orderBy('id').limit(LISTED_KEYS).execute();
      return rows.map(toKeyRow);
    },
    async revokeKey(id) {
      const { numUpdatedRows } = await db
        .updateTable('api_keys')
        .set({ state: 'revoked' })
        .where('id', '=', id)
        .where('state', '=', 'active')
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    close: () => db.destroy(),
  };
}

function toKeyRow(row: Omit<KeyRow, 'created_at'> & { readonly created_at: number }): KeyRow {
  return { ...row, created_at: new Date(row.created_at).toISOString() };
}
