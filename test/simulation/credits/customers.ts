import { createHash } from 'node:crypto';
import { insertKey } from '../../../src/accounts/keys/insert-key.ts';
import { TRIAL_PLAN } from '../../../src/accounts/plans.ts';
import { encodeAddress } from '../../../src/chain/keys/base58.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import type { AccountsDatabase } from '../../../src/store/accounts-db/accounts-db.ts';
import type { AskedName } from './asked.ts';
import { RENEWING_PLAN } from './campaign-plans.ts';
import type { CreditsPlan, Customer } from './plan.ts';

/** A key that the campaign spends with. */
export interface SpendingKey {
  /** Its number in the plan; undefined for who has signed in during the run. */
  readonly customer: number | undefined;
  readonly accountId: number;
  readonly keyId: number;
  readonly text: string;
  readonly poolId: number;
}

/** An account of the plan as it is in the database. */
export interface OpenedCustomer {
  readonly customer: Customer;
  readonly accountId: number;
  readonly generalPool: number;
  readonly resetAt: number | undefined;
}

export interface OpenedCustomers {
  readonly customers: readonly OpenedCustomer[];
  readonly keys: readonly SpendingKey[];
}

/** Never in the way: limits of rate are not what is on trial. */
const RATE = { rps: 1_000_000, burst: 1_000_000 };
const REFERENCE = 'campaign';

/** Writes the plan's accounts, pools and keys into an empty database. */
export async function openCustomers(
  accounts: Pick<AccountsDatabase, 'db'>,
  customers: readonly Customer[],
): Promise<OpenedCustomers> {
  const keys: SpendingKey[] = [];
  const opened: OpenedCustomer[] = [];
  for (const [index, customer] of customers.entries()) {
    const one = await openCustomer(accounts, customer, index);
    opened.push(one.opened);
    keys.push(...one.keys);
  }
  return { customers: opened, keys };
}

async function openCustomer({ db }: Pick<AccountsDatabase, 'db'>, customer: Customer, index: number) {
  const now = systemClock.now();
  const resetAt = customer.renewsAfterMs === undefined ? undefined : now + customer.renewsAfterMs;
  return db.transaction().execute(async (transaction) => {
    const { id: accountId } = await transaction
      .insertInto('accounts')
      .values({
        wallet: walletOf(`customer ${index}`),
        state: 'active',
        plan: resetAt === undefined ? TRIAL_PLAN : RENEWING_PLAN,
        created_at: now,
        reset_at: resetAt ?? null,
        anchor_at: resetAt ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();

    async function openPool(keyId: number | null, balance: number): Promise<number> {
      const pool = { account_id: accountId, key_id: keyId, balance, capacity: balance, leased: 0 };
      const { id } = await transaction.insertInto('pools').values(pool).returning('id').executeTakeFirstOrThrow();
      const entry = { kind: 'grant' as const, amount: balance, at: now, reference: REFERENCE };
      await transaction
        .insertInto('ledger')
        .values({ pool_id: id, account_id: accountId, ...entry })
        .execute();
      return id;
    }
    async function openKey(budget: number | undefined): Promise<{ readonly id: number; readonly text: string }> {
      const name = budget === undefined ? 'general' : 'budgeted';
      const key = await insertKey(transaction, { accountId, name, rate: RATE, actor: 'operator' }, systemClock);
      if (budget !== undefined) {
        await transaction.updateTable('api_keys').set({ budget }).where('id', '=', key.id).execute();
      }
      return key;
    }

    const generalPool = await openPool(null, customer.credits);
    const keys: SpendingKey[] = [];
    for (let key = 0; key < customer.keys; key += 1) {
      const { id: keyId, text } = await openKey(undefined);
      keys.push({ customer: index, accountId, keyId, text, poolId: generalPool });
    }
    for (const budget of customer.budgets) {
      const { id: keyId, text } = await openKey(budget);
      keys.push({ customer: index, accountId, keyId, text, poolId: await openPool(keyId, budget) });
    }
    return { opened: { customer, accountId, generalPool, resetAt }, keys };
  });
}

function walletOf(label: string): string {
  return encodeAddress(createHash('sha256').update(label).digest());
}

/** The question that a key asks, when it asks but one. */
export function asksOf({ customers }: CreditsPlan, { customer }: SpendingKey): AskedName | undefined {
  return customer === undefined ? undefined : customers[customer]?.asks;
}
