import { randomUUID } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import { lockAccount } from '../account-lock.ts';
import { recordChange } from '../changes.ts';
import { type Plans, TRIAL_PLAN } from '../plans.ts';
import { closeBudget, ownPoolId, setBudget } from './budgets.ts';
import { nextRenewal } from './periods.ts';
import { type Accounts, enter, freeUp, generalPoolId, lockGeneralPool, savePool, takeBackLeases } from './pool-rows.ts';
import { grantPlan, renewAccount } from './renewal.ts';

/**
 * Movements of credits, besides calls. Each method runs inside the transaction of its caller, leaves an
 * entry in the ledger for every change of a balance, and records a change of the account: tell your
 * own process of it once the transaction is committed.
 */
export interface Ledger {
  /** The pool that an account pays from, empty; the one that it has if it has one. Every account needs it. Gives its id. */
  openGeneralPool(accounts: Accounts, accountId: number): Promise<number>;
  /** The credits of the plan `trial`, once for an account. False when it had them before. */
  grantTrial(accounts: Accounts, accountId: number): Promise<boolean>;
  /**
   * Gives a key a pool of its own with so many credits a month, out of the general pool. Sets the key's `budget`. Gives the pool's id.
   * @throws {ApiError} credits_exhausted when the general pool has less
   */
  openBudgetPool(accounts: Accounts, keyId: number, credits: number): Promise<number>;
  /** Makes a budget larger or smaller, or opens it. @throws {ApiError} credits_exhausted when the general pool has less */
  changeBudget(accounts: Accounts, keyId: number, credits: number): Promise<number>;
  /** Gives what is left of a key's own pool back to the general one, when the budget is taken off or the key goes. Clears the key's `budget`. */
  closeBudgetPool(accounts: Accounts, keyId: number): Promise<void>;
  /** The operator's gift. With a reference it is given once; false when it was given before. */
  grantCredits(accounts: Accounts, accountId: number, credits: number, reference?: string): Promise<boolean>;
  /** Adds to the general pool or takes from it, never below zero. Gives what was really added or taken. */
  correctBalance(accounts: Accounts, accountId: number, amount: number, reference?: string): Promise<number>;
  /**
   * Puts an account on another plan: limits change at once. Going up, what the plan gives more comes now; going down,
   * what is there stays until the period ends. @throws {RangeError} when there is no such plan
   */
  changePlan(accounts: Accounts, accountId: number, plan: string): Promise<void>;
  /** Renews an account whose period is over. False when there is nothing to do, because somebody else did it too. */
  renew(accounts: Accounts, accountId: number): Promise<boolean>;
  /** The pool that a key's calls are paid from: its own when it has a budget, otherwise the account's general one. */
  poolOf(accounts: Accounts, keyId: number): Promise<number>;
}

export function createLedger({ clock, plans }: { readonly clock: Pick<Clock, 'now'>; readonly plans: Plans }): Ledger {
  const changed = (accounts: Accounts, accountId: number) =>
    recordChange(accounts, { kind: 'credits', accountId }, clock);

  async function add(
    accounts: Accounts,
    accountId: number,
    entry: { readonly kind: 'trial' | 'grant' | 'correction'; readonly amount: number; readonly reference: string },
  ): Promise<boolean> {
    const pool = await lockGeneralPool(accounts, accountId);
    if (!(await enter(accounts, pool, { ...entry, at: clock.now() }))) return false;
    const { amount } = entry;
    await savePool(accounts, { ...pool, balance: pool.balance + amount, capacity: pool.capacity + amount });
    await changed(accounts, accountId);
    return true;
  }

  return {
    async openGeneralPool(accounts, accountId) {
      await accounts
        .insertInto('pools')
        .values({ account_id: accountId, key_id: null, balance: 0, capacity: 0, leased: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return generalPoolId(accounts, accountId);
    },
    async grantTrial(accounts, accountId) {
      const amount = plans.get(TRIAL_PLAN).trialCredits;
      return amount > 0 && add(accounts, accountId, { kind: 'trial', amount, reference: 'trial' });
    },
    openBudgetPool: budget,
    changeBudget: budget,
    async closeBudgetPool(accounts, keyId) {
      await closeBudget(accounts, keyId, clock.now());
      await changed(accounts, await accountOf(accounts, keyId));
    },
    async grantCredits(accounts, accountId, credits, reference = randomUUID()) {
      assertCredits(credits);
      return add(accounts, accountId, { kind: 'grant', amount: credits, reference });
    },
    correctBalance,
    changePlan,
    async renew(accounts, accountId) {
      const account = await lockAccount(accounts, accountId);
      const plan = plans.find(account.plan);
      // A plan that is gone by mistake must not take the credits with it.
      if (plan === undefined || !(await renewAccount(accounts, account, plan, clock.now()))) return false;
      await changed(accounts, accountId);
      return true;
    },
    async poolOf(accounts, keyId) {
      const { account_id, budget } = await accounts
        .selectFrom('api_keys')
        .select(['account_id', 'budget'])
        .where('id', '=', keyId)
        .executeTakeFirstOrThrow(() => new Error(`there is no key ${keyId}`));
      const own = budget === null ? undefined : await ownPoolId(accounts, keyId);
      return own ?? generalPoolId(accounts, account_id);
    },
  };

  async function budget(accounts: Accounts, keyId: number, credits: number): Promise<number> {
    assertCredits(credits);
    const poolId = await setBudget(accounts, keyId, credits, clock.now());
    await changed(accounts, await accountOf(accounts, keyId));
    return poolId;
  }

  async function correctBalance(
    accounts: Accounts,
    accountId: number,
    amount: number,
    reference: string = randomUUID(),
  ): Promise<number> {
    const pool = await lockGeneralPool(accounts, accountId);
    const applied = Math.max(-pool.balance, amount);
    if (
      applied === 0 ||
      !(await enter(accounts, pool, { kind: 'correction', amount: applied, at: clock.now(), reference }))
    ) {
      return 0;
    }
    const { balance, capacity, ...rest } =
      (await freeUp(accounts, pool, Math.max(0, -applied))) ?? (await takeBackLeases(accounts, pool));
    // Used credits stay used: the balance and the capacity, of which it is a share, move together.
    await savePool(accounts, { ...rest, balance: balance + applied, capacity: capacity + applied });
    await changed(accounts, accountId);
    return applied;
  }

  async function changePlan(accounts: Accounts, accountId: number, name: string): Promise<void> {
    const plan = plans.find(name);
    if (plan === undefined) throw new RangeError(`there is no plan ${name}`);
    const now = clock.now();
    const account = await lockAccount(accounts, accountId);
    const old = plans.find(account.plan);
    // The period that is over was still the old plan's.
    if (old !== undefined && (await renewAccount(accounts, account, old, now))) {
      return changePlan(accounts, accountId, name);
    }
    const begins = plan.monthlyCredits !== undefined && account.reset_at === null;
    const resetAt = begins ? nextRenewal(now, now) : account.reset_at;
    await accounts
      .updateTable('accounts')
      .set({ plan: name, reset_at: resetAt, anchor_at: begins ? now : account.anchor_at })
      .where('id', '=', accountId)
      .execute();
    if (resetAt !== null) await grantPlan(accounts, account, { plan, until: resetAt, now });
    await changed(accounts, accountId);
  }
}

async function accountOf(accounts: Accounts, keyId: number): Promise<number> {
  const { account_id } = await accounts
    .selectFrom('api_keys')
    .select('account_id')
    .where('id', '=', keyId)
    .executeTakeFirstOrThrow();
  return account_id;
}

function assertCredits(credits: number): void {
  if (!Number.isSafeInteger(credits) || credits < 1) throw new RangeError('credits must be a whole number from 1');
}
