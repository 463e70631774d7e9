import type { Kysely, Transaction } from 'kysely';
import type { AccountsSchema } from '../../store/accounts-db/schema.ts';
import { type LockedAccount, lockAccount } from '../account-lock.ts';

/** Whose lists: a wallet, and the account that it signs in to. */
export interface ListOwner {
  readonly accountId: number;
  /** Base58. Every statement over lists names it. */
  readonly wallet: string;
}

/**
 * Runs a change of an owner's lists. Changes of one owner run one behind the other,
 * in whichever process, so what a transaction has counted stays true until its end.
 */
export function changeLists<T>(
  db: Kysely<AccountsSchema>,
  { accountId }: ListOwner,
  change: (transaction: Transaction<AccountsSchema>, account: LockedAccount) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    const account = await lockAccount(transaction, accountId);
    if (account === undefined) throw new Error(`account ${accountId} is not there any more`);
    return change(transaction, account);
  });
}

/** Times of lists, as answers tell them. */
export function listTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
