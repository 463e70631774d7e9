import type { ListOwner } from '../../src/accounts/lists/list-owner.ts';
import { encodeBase58 } from '../../src/chain/keys/base58.ts';
import type { AccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';
import { randomBytes } from './random.ts';

/** A wallet that nobody else of the run has. */
export function randomWallet(): string {
  return encodeBase58(randomBytes(32));
}

/** As many of them, in order of address. */
export function randomWallets(count: number): readonly string[] {
  return Array.from({ length: count }, randomWallet).sort();
}

/** An account with a wallet of its own, of the plan, in a session. */
export async function addOwner({ db }: Pick<AccountsDatabase, 'db'>, plan = 'trial'): Promise<ListOwner> {
  const wallet = randomWallet();
  const { id: accountId } = await db
    .insertInto('accounts')
    .values({ wallet, state: 'active', plan, created_at: 0, reset_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { accountId, wallet, keyId: undefined };
}
