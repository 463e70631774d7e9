import type { Selectable, Transaction } from 'kysely';
import type { AccountsSchema, AccountsTable } from '../store/accounts-db/schema.ts';

/** An account as the transaction that locked it sees it. */
export type LockedAccount = Selectable<AccountsTable>;

/**
 * Lets one transaction at a time go on with an account, in whichever process. Has to come before
 * any of the account's keys and pools are locked, or two transactions wait for each other.
 */
export async function lockAccount(transaction: Transaction<AccountsSchema>, accountId: number): Promise<LockedAccount> {
  // A write that changes nothing: both engines hold the row with it until the end.
  return transaction
    .updateTable('accounts')
    .set((row) => ({ state: row.ref('state') }))
    .where('id', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow(() => new Error(`there is no account ${accountId}`));
}
