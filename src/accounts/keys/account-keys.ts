import type { Transaction } from 'kysely';
import { ApiError } from '../../contract/errors.ts';
import type { RateLimit } from '../../handlers/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import type { AccountsSchema } from '../../store/accounts-db/schema.ts';
import { lockAccount } from '../account-lock.ts';
import { type AuditActor, recordAudit } from '../audit.ts';
import { type AccountChangesFeed, recordChange } from '../changes.ts';
import type { IssuedKey, KeyResource } from '../contract-shapes.ts';
import type { Ledger } from '../credits/ledger.ts';
import type { Plan, Plans } from '../plans.ts';
import { createApiKey, hashApiKey } from './api-key.ts';
import { insertKey, keyPrefix } from './insert-key.ts';
import { type ShownKey, toKeyResource } from './key-rows.ts';
import { countKeys, forgetOldKeys, getKey, type KeyName, readKey, readKeys, retireText } from './key-table.ts';

/** The keys of accounts, for their owners and for the operator. Whatever changes is told to every process. */
export interface AccountKeys {
  /** Oldest first: all that are not revoked, and the newest revoked ones. */
  list(accountId: number): Promise<readonly KeyResource[]>;
  /** @throws {ApiError} key_limit; credits_exhausted when the general pool has not got the budget; invalid_param for a rate over the plan's. */
  create(accountId: number, key: KeySettings, actor: AuditActor): Promise<IssuedKey>;
  /** Undefined for a key that is not this account's, or revoked. @throws {ApiError} credits_exhausted; api_key_suspended for a key that only the operator lets in again. */
  change(accountId: number, keyId: number, change: KeyChange, actor: AuditActor): Promise<KeyResource | undefined>;
  /** A new text for the same key; the old one is revoked. Undefined for a key that is not this account's, or revoked. */
  rotate(accountId: number, keyId: number, actor: AuditActor): Promise<IssuedKey | undefined>;
  /** Revokes a key for good and gives its budget back. False for a key that is not this account's, or revoked. */
  revoke(accountId: number, keyId: number, actor: AuditActor): Promise<boolean>;
}

export interface KeySettings {
  readonly name: string;
  /** Credits a month of a pool of its own. */
  readonly budget?: number | undefined;
  readonly rate?: RateLimit | undefined;
}

export interface KeyChange {
  readonly name?: string | undefined;
  /** Null for the general pool. */
  readonly budget?: number | null | undefined;
  readonly active?: boolean | undefined;
}

export interface AccountKeysDeps {
  readonly db: AccountsDatabase['db'];
  readonly clock: Clock;
  readonly changes: Pick<AccountChangesFeed, 'tell'>;
  readonly plans: Pick<Plans, 'get'>;
  readonly ledger: Pick<Ledger, 'openBudgetPool' | 'changeBudget' | 'closeBudgetPool'>;
}

export function createAccountKeys({ db, clock, changes, plans, ledger }: AccountKeysDeps): AccountKeys {
  function tell(accountId: number, keyId: number): void {
    changes.tell({ kind: 'key', accountId, keyId });
    // A budget comes from the general pool, and goes back there.
    changes.tell({ kind: 'credits', accountId });
  }

  /** Changes a key that is not revoked, alone with its account; every process hears of it when it is through. */
  async function changeKey<T>(
    { accountId, keyId }: KeyName,
    run: (transaction: Transaction<AccountsSchema>, key: ShownKey, plan: Plan) => Promise<T>,
  ): Promise<T | undefined> {
    const done = await db.transaction().execute(async (transaction) => {
      const account = await lockAccount(transaction, accountId);
      const key = await readKey(transaction, { accountId, keyId });
      if (key === undefined || key.state === 'revoked') return undefined;
      const result = await run(transaction, key, plans.get(account.plan));
      await recordChange(transaction, { kind: 'key', accountId, keyId }, clock);
      return result;
    });
    if (done !== undefined) tell(accountId, keyId);
    return done;
  }

  async function create(accountId: number, key: KeySettings, actor: AuditActor): Promise<IssuedKey> {
    const made = await db.transaction().execute(async (transaction) => {
      const account = await lockAccount(transaction, accountId);
      const plan = plans.get(account.plan);
      assertRate(key.rate, plan);
      await assertRoom(transaction, accountId, plan);
      const { name, rate, budget } = key;
      const { id, text } = await insertKey(transaction, { name, rate, budget, accountId, actor }, clock);
      if (budget !== undefined) await ledger.openBudgetPool(transaction, id, budget);
      return issuedKey(await getKey(transaction, { accountId, keyId: id }), plan.rate, text);
    });
    tell(accountId, made.id);
    return made;
  }

  return {
    async list(accountId) {
      const account = await db.selectFrom('accounts').select('plan').where('id', '=', accountId).executeTakeFirst();
      if (account === undefined) return [];
      const { rate } = plans.get(account.plan);
      return (await readKeys(db, accountId)).map((row) => toKeyResource(row, rate));
    },
    create,
    change: (accountId, keyId, change, actor) =>
      changeKey({ accountId, keyId }, async (transaction, key, plan) => {
        await applyChange(transaction, key, change, actor);
        if (change.budget === null) await ledger.closeBudgetPool(transaction, keyId);
        else if (change.budget !== undefined) await ledger.changeBudget(transaction, keyId, change.budget);
        const details = { ...changed('name', change.name), ...changed('budget', change.budget) };
        const switched = changed('active', change.active);
        await recordAudit(
          transaction,
          { actor, action: 'key.change', accountId, keyId, details: { ...details, ...switched } },
          clock,
        );
        return toKeyResource(await getKey(transaction, { accountId, keyId }), plan.rate);
      }),
    rotate: (accountId, keyId, actor) =>
      changeKey({ accountId, keyId }, async (transaction, _key, plan) => {
        const text = createApiKey();
        await retireText(transaction, keyId, clock.now());
        const fresh = { hash: hashApiKey(text), prefix: keyPrefix(text) };
        await transaction.updateTable('api_keys').set(fresh).where('id', '=', keyId).execute();
        await recordAudit(transaction, { actor, action: 'key.rotate', accountId, keyId }, clock);
        return issuedKey(await getKey(transaction, { accountId, keyId }), plan.rate, text);
      }),
    async revoke(accountId, keyId, actor) {
      const done = await changeKey({ accountId, keyId }, async (transaction, key) => {
        if (key.budget !== null) await ledger.closeBudgetPool(transaction, keyId);
        await transaction.updateTable('api_keys').set({ state: 'revoked' }).where('id', '=', keyId).execute();
        await forgetOldKeys(transaction, accountId);
        await recordAudit(transaction, { actor, action: 'key.revoke', accountId, keyId }, clock);
        return true;
      });
      return done ?? false;
    },
  };
}

function issuedKey(row: ShownKey, plan: RateLimit, text: string): IssuedKey {
  return { ...toKeyResource(row, plan), key: text };
}

function assertRate(rate: RateLimit | undefined, plan: Plan): void {
  if (rate === undefined || (rate.rps <= plan.rate.rps && rate.burst <= plan.rate.burst)) return;
  throw new ApiError('invalid_param', {
    param: 'rate_limit',
    message: `rate_limit must be within the plan: ${plan.rate.rps} a second, ${plan.rate.burst} at once`,
    details: { max: plan.rate },
  });
}

/** The account is locked: whoever else makes a key of it waits. */
async function assertRoom(transaction: Transaction<AccountsSchema>, accountId: number, { keys }: Plan): Promise<void> {
  const used = await countKeys(transaction, accountId);
  if (used >= keys) throw new ApiError('key_limit', { details: { limit: keys, used } });
}

async function applyChange(
  transaction: Transaction<AccountsSchema>,
  key: ShownKey,
  { name, active }: KeyChange,
  actor: AuditActor,
): Promise<void> {
  const bySession = actor === 'session';
  if (active === true && bySession && key.suspended_by === 'operator') {
    throw new ApiError('api_key_suspended', {
      message: 'the operator suspended this key; only the operator lets it in',
    });
  }
  const state = active === undefined ? key.state : active ? 'active' : 'suspended';
  // The operator's suspension outlasts one by its owner.
  const byOperator = !bySession || key.suspended_by === 'operator';
  await transaction
    .updateTable('api_keys')
    .set({
      name: name ?? key.name,
      state,
      ...(active === undefined ? {} : { suspended_by: active ? null : byOperator ? 'operator' : 'session' }),
    })
    .where('id', '=', key.id)
    .execute();
}

function changed<T>(name: string, value: T | undefined): Record<string, T> {
  return value === undefined ? {} : { [name]: value };
}
