import type { Kysely, Transaction } from 'kysely';
import type { AccountsSchema } from '../../store/accounts-db/schema.ts';
import { SHOWN_COLUMNS, type ShownKey } from './key-rows.ts';

/** Revoked keys that are listed, and that are kept at all. */
const LISTED_REVOKED = 20;
const KEPT_REVOKED = 100;
/** Keys of one account in a list: more than any plan allows. */
const LISTED_KEYS = 1_000;
/** Texts of a rotated key that are still told from unknown ones. */
const KEPT_RETIRED = 20;

export interface KeyName {
  readonly accountId: number;
  readonly keyId: number;
}

export function readKey(db: Kysely<AccountsSchema>, { accountId, keyId }: KeyName): Promise<ShownKey | undefined> {
  return db
    .selectFrom('api_keys')
    .select(SHOWN_COLUMNS)
    .where('id', '=', keyId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

export async function getKey(db: Kysely<AccountsSchema>, name: KeyName): Promise<ShownKey> {
  const key = await readKey(db, name);
  if (key === undefined) throw new Error(`key ${name.keyId} is gone within its own transaction`);
  return key;
}

export async function readKeys(db: Kysely<AccountsSchema>, accountId: number): Promise<readonly ShownKey[]> {
  const ofAccount = db.selectFrom('api_keys').select(SHOWN_COLUMNS).where('account_id', '=', accountId);
  const living = await ofAccount.where('state', '!=', 'revoked').orderBy('id').limit(LISTED_KEYS).execute();
  const revoked = await ofAccount.where('state', '=', 'revoked').orderBy('id', 'desc').limit(LISTED_REVOKED).execute();
  return [...living, ...revoked].sort((a, b) => a.id - b.id);
}

/** Keys that count towards the limit. */
export async function countKeys(db: Kysely<AccountsSchema>, accountId: number): Promise<number> {
  const { used } = await db
    .selectFrom('api_keys')
    .select((row) => row.fn.countAll<number>().as('used'))
    .where('account_id', '=', accountId)
    .where('state', '!=', 'revoked')
    .executeTakeFirstOrThrow();
  return Number(used);
}

/** Remembers a key's present text as revoked. */
export async function retireText(transaction: Transaction<AccountsSchema>, keyId: number, now: number): Promise<void> {
  const { hash } = await transaction
    .selectFrom('api_keys')
    .select('hash')
    .where('id', '=', keyId)
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('retired_keys')
    .values({ hash: Buffer.from(hash), key_id: keyId, retired_at: now })
    .execute();
  const tooMany = await transaction
    .selectFrom('retired_keys')
    .select('hash')
    .where('key_id', '=', keyId)
    .orderBy('retired_at', 'desc')
    .offset(KEPT_RETIRED)
    .limit(KEPT_RETIRED)
    .execute();
  for (const { hash: old } of tooMany) {
    await transaction.deleteFrom('retired_keys').where('hash', '=', Buffer.from(old)).execute();
  }
}

/** Keys that were revoked long ago are unknown keys in the end, so that nobody fills the table. */
export async function forgetOldKeys(transaction: Transaction<AccountsSchema>, accountId: number): Promise<void> {
  const tooMany = await transaction
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('state', '=', 'revoked')
    .orderBy('id', 'desc')
    .offset(KEPT_REVOKED)
    .limit(KEPT_REVOKED)
    .execute();
  const ids = tooMany.map(({ id }) => id);
  if (ids.length === 0) return;
  await transaction.deleteFrom('retired_keys').where('key_id', 'in', ids).execute();
  await transaction.deleteFrom('api_keys').where('id', 'in', ids).execute();
}
