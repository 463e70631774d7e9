import { createAccountAnswers } from '../../src/accounts/account-answers.ts';
import { insertAccount } from '../../src/accounts/account-rows.ts';
import type { AccountChangesFeed } from '../../src/accounts/changes.ts';
import { createLedger, type Ledger } from '../../src/accounts/credits/ledger.ts';
import { type AccountKeys, createAccountKeys } from '../../src/accounts/keys/account-keys.ts';
import { type AccountAdmin, createAccountAdmin } from '../../src/accounts/operator/account-admin.ts';
import { DEFAULT_PLANS, type Plans } from '../../src/accounts/plans.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import type { AccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';

/** One process's rooms over a database of accounts. */
export interface AccountWorld {
  readonly keys: AccountKeys;
  readonly admin: AccountAdmin;
  readonly ledger: Ledger;
  readonly answers: ReturnType<typeof createAccountAnswers>;
  /** An account with a trial's credits. */
  newAccount(wallet: string): Promise<number>;
  /** Balances of the account's pools: by key, the general one under `general`. */
  balances(accountId: number): Promise<Readonly<Record<string, number>>>;
}

export function createAccountWorld(
  { db }: Pick<AccountsDatabase, 'db'>,
  changes: Pick<AccountChangesFeed, 'tell'> = { tell: () => undefined },
  { plans = DEFAULT_PLANS, clock = systemClock }: { readonly plans?: Plans; readonly clock?: Clock } = {},
): AccountWorld {
  const ledger = createLedger({ clock, plans });
  const keys = createAccountKeys({ db, clock, changes, plans, ledger });
  const connections = { list: () => [], close: () => false };
  return {
    keys,
    ledger,
    admin: createAccountAdmin({ db, clock, plans, ledger, keys }),
    answers: createAccountAnswers({ db, plans, keys, connections }),
    newAccount: (wallet) =>
      db.transaction().execute(async (transaction) => {
        const id = await insertAccount(transaction, { wallet, state: 'active' }, { ledger, clock });
        await ledger.changePlan(transaction, id, 'trial');
        await ledger.grantTrial(transaction, id);
        return id;
      }),
    async balances(accountId) {
      const pools = await db
        .selectFrom('pools')
        .select(['key_id', 'balance'])
        .where('account_id', '=', accountId)
        .execute();
      return Object.fromEntries(pools.map(({ key_id, balance }) => [key_id ?? 'general', balance]));
    },
  };
}
