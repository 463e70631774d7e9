import type { Clock } from '../../kernel/clock.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import type { KeyState } from '../../store/accounts-db/schema.ts';
import type { StoredKey } from './key-directory.ts';

/** A key as a list shows it. */
export interface KeyRow {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly state: KeyState;
  /** RFC 3339, UTC. */
  readonly created_at: string;
}

export interface KeyStore {
  /** Keeps the hash and the first characters of `text`; the rest is forgotten. */
  create(key: { readonly name: string; readonly hash: Uint8Array; readonly text: string }): Promise<KeyRow>;
  /** A key by its SHA-256. */
  find(hash: Uint8Array): Promise<StoredKey | undefined>;
  hasAny(): Promise<boolean>;
  list(): Promise<readonly KeyRow[]>;
  /** False when there is no such active key. */
  revoke(id: number): Promise<boolean>;
}

/** `ms_live_` and four more characters. */
const PREFIX_CHARS = 12;
const LISTED_KEYS = 1_000;
const LISTED = ['id', 'name', 'prefix', 'state', 'created_at'] as const;

/** The keys of the accounts database. */
export function createKeyStore({ db }: Pick<AccountsDatabase, 'db'>, clock: Clock): KeyStore {
  return {
    async create({ name, hash, text }) {
      const values = {
        account_id: await operatorAccount(db, clock),
        name,
        hash: Buffer.from(hash),
        prefix: text.slice(0, PREFIX_CHARS),
        state: 'active' as const,
        created_at: clock.now(),
      };
      return toKeyRow(await db.insertInto('api_keys').values(values).returning(LISTED).executeTakeFirstOrThrow());
    },
    async find(hash) {
      const row = await db
        .selectFrom('api_keys')
        .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
        .select(['api_keys.id', 'api_keys.name', 'api_keys.hash', 'api_keys.state', 'account_id', 'wallet', 'plan'])
        .select('accounts.state as accountState')
        .where('hash', '=', Buffer.from(hash))
        .where('api_keys.state', '=', 'active')
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { account_id: accountId, wallet, ...rest } = row;
      return { ...rest, accountId, wallet: wallet ?? undefined, rate: { rps: 20, burst: 40 }, poolId: row.id };
    },
    async hasAny() {
      return (await db.selectFrom('api_keys').select('id').limit(1).executeTakeFirst()) !== undefined;
    },
    async list() {
      const rows = await db.selectFrom('api_keys').select(LISTED).orderBy('id').limit(LISTED_KEYS).execute();
      return rows.map(toKeyRow);
    },
    async revoke(id) {
      const { numUpdatedRows } = await db
        .updateTable('api_keys')
        .set({ state: 'revoked' })
        .where('id', '=', id)
        .where('state', '=', 'active')
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
  };
}

/** The account of whoever runs the service: it has no wallet. */
async function operatorAccount(db: AccountsDatabase['db'], clock: Clock): Promise<number> {
  const found = await db
    .selectFrom('accounts')
    .select('id')
    .where('wallet', 'is', null)
    .orderBy('id')
    .executeTakeFirst();
  if (found !== undefined) return found.id;
  const values = { wallet: null, state: 'active' as const, plan: 'operator', created_at: clock.now(), reset_at: null };
  return (await db.insertInto('accounts').values(values).returning('id').executeTakeFirstOrThrow()).id;
}

function toKeyRow(row: Omit<KeyRow, 'created_at'> & { readonly created_at: number }): KeyRow {
  return { ...row, created_at: new Date(row.created_at).toISOString() };
}
