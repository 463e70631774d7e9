import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { ApiError } from '../../contract/errors.ts';
import type { ApiKeysTable } from '../../store/accounts-db/schema.ts';
import {
  type Accounts,
  enter,
  freeUp,
  type LockedPool,
  lockGeneralPool,
  savePool,
  takeBackLeases,
} from './pool-rows.ts';

/**
 * Sets what a key gets a month in a pool of its own, and makes the pool when it is the key's first.
 * By what the key got for this period: what the budget is more comes from the general pool now, what
 * it is less and not used goes back there. Gives the pool's id.
 * @throws {ApiError} credits_exhausted when the general pool has less
 */
export async function setBudget(accounts: Accounts, keyId: number, credits: number, at: number): Promise<number> {
  const { account_id: accountId } = await lockKey(accounts, keyId);
  const general = await lockGeneralPool(accounts, accountId);
  await accounts
    .insertInto('pools')
    .values({ account_id: accountId, key_id: keyId, balance: 0, capacity: 0, leased: 0 })
    .onConflict((conflict) => conflict.column('key_id').doNothing())
    .execute();
  const own = await lockOwnPool(accounts, keyId);
  const more = credits - own.capacity;
  if (more > 0) await fund(accounts, { general, own, credits: more, at });
  else await giveBack(accounts, { general, own, credits: Math.min(-more, own.balance), at });
  await accounts.updateTable('api_keys').set({ budget: credits }).where('id', '=', keyId).execute();
  return own.id;
}

/** Gives what is left of the key's own pool back to the general one; what was used of it counts there from now on. */
export async function closeBudget(accounts: Accounts, keyId: number, at: number): Promise<void> {
  const { account_id: accountId, budget } = await lockKey(accounts, keyId);
  if (budget === null) return;
  const general = await lockGeneralPool(accounts, accountId);
  const own = await lockOwnPool(accounts, keyId);
  const used = own.capacity - own.balance;
  await giveBack(accounts, {
    general: { ...general, capacity: general.capacity + used },
    own,
    credits: own.balance,
    at,
  });
  await accounts.updateTable('pools').set({ capacity: 0 }).where('id', '=', own.id).execute();
  await accounts.updateTable('api_keys').set({ budget: null }).where('id', '=', keyId).execute();
}

export async function ownPoolId(accounts: Accounts, keyId: number): Promise<number | undefined> {
  const found = await accounts.selectFrom('pools').select('id').where('key_id', '=', keyId).executeTakeFirst();
  return found?.id;
}

/** Credits on their way between the general pool and a key's own, both locked. */
interface Transfer {
  readonly general: LockedPool;
  readonly own: LockedPool;
  readonly credits: number;
  readonly at: number;
}

async function fund(accounts: Accounts, { general, own, credits, at }: Transfer): Promise<void> {
  const funding = await freeUp(accounts, general, credits);
  if (funding === undefined) {
    const details = { cost: credits, remaining: general.balance };
    throw new ApiError('credits_exhausted', { message: 'the general pool has less than the budget needs', details });
  }
  await move(accounts, { from: funding, to: own, credits, at, kind: 'budget' });
}

async function giveBack(accounts: Accounts, { general, own, credits, at }: Transfer): Promise<void> {
  const giving = (await freeUp(accounts, own, credits)) ?? (await takeBackLeases(accounts, own));
  await move(accounts, { from: giving, to: general, credits, at, kind: 'budget_return' });
}

export interface Move {
  readonly from: LockedPool;
  readonly to: LockedPool;
  readonly credits: number;
  readonly at: number;
  readonly kind: 'budget' | 'budget_return';
}

/** Moves credits from one locked pool to another of the same account. Gives both as they are then. */
export async function move(
  accounts: Accounts,
  { from, to, credits, at, kind }: Move,
): Promise<{ readonly from: LockedPool; readonly to: LockedPool }> {
  const left = { ...from, balance: from.balance - credits, capacity: from.capacity - credits };
  const got = { ...to, balance: to.balance + credits, capacity: to.capacity + credits };
  if (credits > 0) {
    // Both ends under one name. It moves what is there and gives nothing, so it may happen as often as it is asked for.
    const reference = randomUUID();
    await enter(accounts, from, { kind, amount: -credits, at, reference });
    await enter(accounts, to, { kind, amount: credits, at, reference });
  }
  await savePool(accounts, left);
  await savePool(accounts, got);
  return { from: left, to: got };
}

async function lockKey(accounts: Accounts, keyId: number): Promise<Selectable<ApiKeysTable>> {
  return accounts
    .updateTable('api_keys')
    .set((row) => ({ budget: row.ref('budget') }))
    .where('id', '=', keyId)
    .returningAll()
    .executeTakeFirstOrThrow(() => new Error(`there is no key ${keyId}`));
}

async function lockOwnPool(accounts: Accounts, keyId: number): Promise<LockedPool> {
  return accounts
    .updateTable('pools')
    .set((row) => ({ leased: row.ref('leased') }))
    .where('key_id', '=', keyId)
    .returningAll()
    .executeTakeFirstOrThrow();
}
