import type { Config } from '../config.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { AccountsDatabase } from '../store/accounts-db/accounts-db.ts';
import type { KeyHolder } from './caller.ts';
import { type AccountChangesFeed, createAccountChanges } from './changes.ts';
import { type CreditMeter, createMemoryMeter, TRIAL_CREDITS } from './credits/credit-meter.ts';
import { createLedger } from './credits/ledger.ts';
import { type AccountKeys, createAccountKeys } from './keys/account-keys.ts';
import { createFirstKey } from './keys/first-key.ts';
import { createKeyDirectory, type KeyDirectory } from './keys/key-directory.ts';
import { createKeyUse } from './keys/key-use.ts';
import { findStoredKey } from './keys/stored-keys.ts';
import { ensureOperatorAccount, type OperatorAccount } from './operator/operator-account.ts';
import { loadPlans, OPERATOR_PLAN, type Plans } from './plans.ts';

/** Everything of accounts that the service needs. */
export interface Accounts {
  readonly keys: KeyDirectory;
  readonly meter: CreditMeter;
  readonly changes: AccountChangesFeed;
  readonly accountKeys: AccountKeys;
  /** A key for whoever starts the service first; undefined when there are keys already. */
  createFirstKey(): Promise<string | undefined>;
  /** Writes what is still in memory. The database is closed after it. */
  close(): Promise<void>;
}

export interface AccountsSurroundings {
  readonly accounts: AccountsDatabase;
  readonly clock: Clock;
  readonly log: Logger;
}

type AccountsConfig = Pick<Config, 'devKey' | 'enforce' | 'plansFile'>;

/** Opens all rooms of accounts over an open database. */
export async function createAccounts(
  config: AccountsConfig,
  { accounts, clock, log }: AccountsSurroundings,
): Promise<Accounts> {
  const { db } = accounts;
  const plans = await loadPlans(config.plansFile);
  const ledger = createLedger({ clock, plans });
  const operator = await db.transaction().execute((transaction) => ensureOperatorAccount(transaction, ledger, clock));
  const changes = createAccountChanges(db, clock, log);
  const use = createKeyUse(db, clock, log);
  const keys = createKeyDirectory({
    clock,
    changes,
    lookUp: (hash) => findStoredKey(db, plans, hash),
    used: (keyId) => use.used(keyId),
    development:
      config.devKey === undefined ? undefined : { key: config.devKey, holder: developmentHolder(operator, plans) },
  });
  return {
    keys,
    meter: createMemoryMeter({ credits: TRIAL_CREDITS, enforce: config.enforce }),
    changes,
    accountKeys: createAccountKeys({ db, clock, changes, plans, ledger }),
    createFirstKey: () =>
      db.transaction().execute(async (transaction) => {
        const { accountId } = await ensureOperatorAccount(transaction, ledger, clock);
        return createFirstKey(transaction, accountId, clock);
      }),
    async close() {
      await changes.close();
      await use.close();
    },
  };
}

/** Who works with the development key: the operator. No stored key has its id. */
function developmentHolder({ accountId, poolId }: OperatorAccount, plans: Plans): KeyHolder {
  return {
    id: 0,
    name: 'development',
    accountId,
    wallet: undefined,
    accountState: 'active',
    plan: OPERATOR_PLAN,
    state: 'active',
    rate: plans.get(OPERATOR_PLAN).rate,
    poolId,
  };
}
