import type { LockedAccount } from '../account-lock.ts';
import type { Plan } from '../plans.ts';
import { move } from './budgets.ts';
import { nextRenewal } from './periods.ts';
import {
  type Accounts,
  enter,
  generalPoolId,
  type LockedPool,
  lockPool,
  lockPools,
  savePool,
  takeBackLeases,
} from './pool-rows.ts';

/**
 * Closes the account's period when it is over: what is left expires, the plan's credits
 * come, and budgets are filled from them in the order of their keys, as far as they reach.
 * Periods that nobody used are skipped. Gives whether there was something to renew: of all
 * who try at once one does it, because the account is locked and its next renewal moved.
 */
export async function renewAccount(
  accounts: Accounts,
  account: LockedAccount,
  plan: Plan,
  now: number,
): Promise<boolean> {
  const { id, reset_at: over, anchor_at: anchor } = account;
  if (over === null || over > now) return false;
  const renews = plan.monthlyCredits !== undefined;
  const next = renews ? nextRenewal(anchor ?? over, now) : null;
  await accounts
    .updateTable('accounts')
    .set({ reset_at: next, anchor_at: renews ? (anchor ?? over) : null })
    .where('id', '=', id)
    .where('reset_at', '=', over)
    .execute();
  const pools: LockedPool[] = [];
  for (const pool of await lockPools(accounts, id)) pools.push(await expire(accounts, pool, over, now));
  if (next !== null) {
    await grantPlan(accounts, account, { plan, until: next, now });
    await fillBudgets(accounts, id, pools, now);
  }
  return true;
}

export interface PlanGrant {
  readonly plan: Plan;
  /** End of the period that the credits are for. */
  readonly until: number;
  readonly now: number;
}

/**
 * The plan's monthly credits, less what plans have given for the same period
 * already: however often an account goes up and down, it gets the largest once.
 */
export async function grantPlan(
  accounts: Accounts,
  { id }: LockedAccount,
  { plan, until, now }: PlanGrant,
): Promise<void> {
  const pool = await lockPool(accounts, await generalPoolId(accounts, id));
  const period = new Date(until).toISOString();
  const given = await accounts
    .selectFrom('ledger')
    .select(['amount'])
    .where('pool_id', '=', pool.id)
    .where('kind', '=', 'renewal')
    .where('reference', 'like', `${period} %`)
    .execute();
  const amount = (plan.monthlyCredits ?? 0) - given.reduce((sum, entry) => sum + entry.amount, 0);
  if (amount <= 0) return;
  const isFirst = await enter(accounts, pool, {
    kind: 'renewal',
    amount,
    at: now,
    reference: `${period} ${plan.name}`,
  });
  if (isFirst) await savePool(accounts, { ...pool, balance: pool.balance + amount, capacity: pool.capacity + amount });
}

async function expire(accounts: Accounts, locked: LockedPool, over: number, now: number): Promise<LockedPool> {
  const pool = await takeBackLeases(accounts, locked);
  if (pool.balance > 0) {
    const reference = new Date(over).toISOString();
    await enter(accounts, pool, { kind: 'expiry', amount: -pool.balance, at: now, reference });
  }
  const empty = { ...pool, balance: 0, capacity: 0 };
  await savePool(accounts, empty);
  return empty;
}

/** Fills the pools of keys from the general one. */
async function fillBudgets(
  accounts: Accounts,
  accountId: number,
  pools: readonly LockedPool[],
  now: number,
): Promise<void> {
  const keys = await accounts
    .selectFrom('api_keys')
    .select(['id', 'budget'])
    .where('account_id', '=', accountId)
    .where('budget', 'is not', null)
    .where('state', '!=', 'revoked')
    .orderBy('id')
    .execute();
  if (keys.length === 0) return;
  let general = await lockPool(accounts, await generalPoolId(accounts, accountId));
  for (const { id, budget } of keys) {
    const own = pools.find((pool) => pool.key_id === id);
    if (own === undefined) continue;
    const credits = Math.min(budget ?? 0, general.balance);
    ({ from: general } = await move(accounts, { from: general, to: own, credits, at: now, kind: 'budget' }));
  }
}
