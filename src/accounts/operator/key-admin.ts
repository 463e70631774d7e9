import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import type { KeyResource } from '../contract-shapes.ts';
import { SHOWN_COLUMNS, toKeyResource } from '../keys/key-rows.ts';
import type { Plans } from '../plans.ts';

/** Keys of all accounts, for the operator. */
export interface KeyAdmin {
  /** By id, those after one. */
  list(page: { readonly after: number; readonly limit: number }): Promise<readonly OwnedKey[]>;
  /** Account of a key, revoked or not; undefined when there is no such key. */
  accountOf(keyId: number): Promise<number | undefined>;
}

export interface OwnedKey extends KeyResource {
  readonly account_id: number;
}

export function createKeyAdmin({ db }: Pick<AccountsDatabase, 'db'>, plans: Plans): KeyAdmin {
  return {
    async list({ after, limit }) {
      const rows = await db
        .selectFrom('api_keys')
        .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
        .select(SHOWN_COLUMNS.map((column) => `api_keys.${column}` as const))
        .select(['api_keys.account_id', 'accounts.plan'])
        .where('api_keys.id', '>', after)
        .orderBy('api_keys.id')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ account_id: row.account_id, ...toKeyResource(row, plans.get(row.plan).rate) }));
    },
    async accountOf(keyId) {
      const row = await db.selectFrom('api_keys').select('account_id').where('id', '=', keyId).executeTakeFirst();
      return row?.account_id;
    },
  };
}
