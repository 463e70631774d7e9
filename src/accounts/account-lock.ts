import type { Transaction } from 'kysely';
import type { AccountsSchema, AccountsTable } from '../store/accounts-db/schema.ts';

/** An account as the transaction that locked it sees it. */
export type LockedAccount = Pick<AccountsTable, 'wallet' | 'state' | 'plan' | 'created_at' | 'reset_at'> & {
  readonly id: number;
};

/**
 * Lets one transaction at a time go on with an account, in whichever process;
 * undefined when there is no such account. It has to be the transaction's first
 * statement: SQLite refuses to write after a read that another process has outdated.
 */
export async function lockAccount(
  transaction: Transaction<AccountsSchema>,
  accountId: number,
): Promise<LockedAccount | undefined> {
  // A write that changes nothing: both engines hold the row with it until the end.
  await transaction
    .updateTable('accounts')
    .set((row) => ({ state: row.ref('state') }))
    .where('id', '=', accountId)
    .execute();
  return transaction
    .selectFrom('accounts')
    .select(['id', 'wallet', 'state', 'plan', 'created_at', 'reset_at'])
    .where('id', '=', accountId)
    .executeTakeFirst();
}
