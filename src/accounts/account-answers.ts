import { ApiError } from '../contract/errors.ts';
import type { AccountsDatabase } from '../store/accounts-db/accounts-db.ts';
import { countStreams, findAccount } from './account-rows.ts';
import type { Connections } from './connections.ts';
import type { Account } from './contract-shapes.ts';
import type { AccountKeys } from './keys/account-keys.ts';
import { countKeys } from './keys/key-table.ts';
import type { Plans } from './plans.ts';

/** An account as whoever it belongs to sees and changes it. */
export interface AccountAnswers {
  show(accountId: number): Promise<Account>;
  readonly keys: AccountKeys;
  readonly connections: Pick<Connections, 'list' | 'close'>;
}

export interface AccountAnswersDeps {
  readonly db: AccountsDatabase['db'];
  readonly plans: Pick<Plans, 'get'>;
  readonly keys: AccountKeys;
  readonly connections: Pick<Connections, 'list' | 'close'>;
}

export function createAccountAnswers({ db, plans, keys, connections }: AccountAnswersDeps): AccountAnswers {
  return {
    async show(accountId) {
      const account = await findAccount(db, accountId);
      if (account === undefined) throw new ApiError('internal', { cause: `account ${accountId} is gone` });
      const { id, wallet, state, plan: planName, created_at } = account;
      const plan = plans.get(planName);
      return {
        account_id: id,
        ...(wallet === null ? {} : { wallet }),
        state,
        plan: planName,
        created_at: new Date(created_at).toISOString(),
        keys: await countKeys(db, accountId),
        streams: await countStreams(db, accountId),
        limits: {
          keys: plan.keys,
          streams: plan.streams,
          connections: 2 * plan.streams,
          rate_limit: plan.rate,
        },
      } satisfies Account;
    },
    keys,
    connections,
  };
}
