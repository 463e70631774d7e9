import type { Kysely, Transaction } from 'kysely';

import { accountOf, type Caller, ownerOf } from '../../handlers/caller.ts';
import type { AccountsSchema } from '../../store/accounts-db/schema.ts';
import { type LockedAccount, lockAccount } from '../account-lock.ts';

/** The owner of lists: a wallet, the account that it signs in to, and the key it asks with. */
export interface ListOwner {
  readonly accountId: number;
  /** Base58. Every statement over lists names it. */
  readonly wallet: string;
  /** The key that asks; undefined in a session. */
  readonly keyId: number | undefined;
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
    return change(transaction, await lockAccount(transaction, accountId));
  });
}

/** Times of lists, as answers tell them. */
export function listTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/**
 * Rows in the order in which they came, those of one moment by their text. The two engines
 * sort text differently, and rows of a list are few.
 */
export function inOrder<R>(rows: readonly R[], timeOf: (row: R) => number, textOf: (row: R) => string): R[] {
  return [...rows].sort((one, other) => {
    const apart = timeOf(one) - timeOf(other);
    if (apart !== 0) return apart;
    return textOf(one) < textOf(other) ? -1 : 1;
  });
}

/** The wallet that asks, its account, and the key that it asks with. */
export function listOwnerOf(call: Caller): ListOwner {
  const wallet = ownerOf(call);
  return { accountId: accountOf(call).accountId, wallet, keyId: call.keyPrincipal?.id };
}
