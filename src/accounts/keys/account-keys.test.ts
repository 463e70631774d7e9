import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AccountWorld, createAccountWorld } from '../../../test/support/account-world.ts';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import type { AccountChange } from '../account-change.ts';
import { lockPools } from '../credits/pool-rows.ts';
import { DEFAULT_PLANS } from '../plans.ts';
import { hashApiKey, isApiKey } from './api-key.ts';
import { findStoredKey } from './stored-keys.ts';

const WALLET = '9JYALPFZgzfD7w9HvXypnYTTTSEL2NXLDLFegip6qBE6';
const OTHER_WALLET = '5jmG7k3SQEA21UGV6oJtFCxsG3bfTrDqbg9fMVKV4ia5';
const TRIAL = 200_000;

describe.each(ENGINES)('keys of an account on $engine', ({ open }) => {
  let accounts: TestAccounts;
  let world: AccountWorld;
  let told: AccountChange[];
  let accountId: number;
  let strangerId: number;

  beforeEach(async () => {
    accounts = await open();
    told = [];
    world = createAccountWorld(accounts, { tell: (change) => told.push(change) });
    accountId = await world.newAccount(WALLET);
    strangerId = await world.newAccount(OTHER_WALLET);
  });
  afterEach(() => accounts.close());

  const find = async (key: string) => (await findStoredKey(accounts.db, DEFAULT_PLANS, hashApiKey(key)))?.principal;
  const create = (settings: Partial<Parameters<AccountWorld['keys']['create']>[1]> = {}) =>
    world.keys.create(accountId, { name: 'bot', ...settings }, 'session');

  it('are found by their text, which is shown once and kept nowhere', async () => {
    const { key, ...row } = await create();
    expect(isApiKey(key)).toBe(true);
    expect(row).toEqual({
      id: row.id,
      name: 'bot',
      prefix: key.slice(0, 12),
      state: 'active',
      created_at: row.created_at,
      pool: 'general',
      rate_limit: { rps: 10, burst: 20 },
    });
    expect(await find(key)).toMatchObject({ id: row.id, accountId, wallet: WALLET, plan: 'trial', state: 'active' });
    expect(await world.keys.list(accountId)).toEqual([row]);
    const everything = await Promise.all(
      (['api_keys', 'audit', 'changes'] as const).map((table) => accounts.db.selectFrom(table).selectAll().execute()),
    );
    expect(JSON.stringify(everything)).not.toContain(key.slice(12, 40));
  });

  it('are ten at most, revoked ones aside, however many are made at once', async () => {
    for (let i = 0; i < 9; i += 1) await create({ name: `key ${i}` });
    const another = createAccountWorld(await accounts.openAnother());
    const tries = [world, another, world, another].map((each) =>
      each.keys.create(accountId, { name: 'tenth' }, 'session').then(
        () => 'made',
        (error: unknown) => error,
      ),
    );
    const outcomes = await Promise.all(tries);
    expect(outcomes.filter((each) => each === 'made')).toHaveLength(1);
    const refusals = outcomes.filter((each) => each !== 'made');
    expect(refusals).toHaveLength(3);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ code: 'key_limit', details: { limit: 10, used: 10 } });
    }
    const [first] = await world.keys.list(accountId);
    expect(await world.keys.revoke(accountId, first?.id ?? 0, 'session')).toBe(true);
    await create({ name: 'in its place' });
    await expect(create()).rejects.toMatchObject({ code: 'key_limit' });
  });

  it('are rotated: the same key under another text, the old one revoked at once', async () => {
    const made = await create({ budget: 500, rate: { rps: 3, burst: 4 } });
    const rotated = await world.keys.rotate(accountId, made.id, 'session');
    const { key: _old, prefix: _prefix, ...kept } = made;
    expect(rotated).toMatchObject(kept);
    const before = await find(made.key);
    const after = await find(rotated?.key ?? '');
    expect(before).toMatchObject({ id: made.id, state: 'revoked' });
    expect(after).toMatchObject({ id: made.id, state: 'active', rate: { rps: 3, burst: 4 } });
    expect(after?.poolId).toBe(before?.poolId);
    const again = await world.keys.rotate(accountId, made.id, 'session');
    for (const old of [made.key, rotated?.key ?? '']) expect(await find(old)).toMatchObject({ state: 'revoked' });
    expect(await find(again?.key ?? '')).toMatchObject({ state: 'active' });
  });

  it('forget the oldest texts of a key that is rotated without end', async () => {
    const made = await create();
    for (let i = 0; i < 25; i += 1) await world.keys.rotate(accountId, made.id, 'session');
    const kept = await accounts.db.selectFrom('retired_keys').select('hash').execute();
    expect(kept.length).toBeLessThanOrEqual(21);
    expect(await find(made.key)).toBeUndefined();
  });

  it('are suspended and let in again by their owner, unless the operator suspended them', async () => {
    const { id, key } = await create();
    expect(await world.keys.change(accountId, id, { active: false }, 'session')).toMatchObject({ state: 'suspended' });
    expect(await find(key)).toMatchObject({ state: 'suspended' });
    expect(await world.keys.change(accountId, id, { active: true }, 'session')).toMatchObject({ state: 'active' });
    await world.keys.change(accountId, id, { active: false }, 'operator');
    await world.keys.change(accountId, id, { active: false }, 'session');
    await expect(world.keys.change(accountId, id, { active: true }, 'session')).rejects.toMatchObject({
      code: 'api_key_suspended',
    });
    const rotated = await world.keys.rotate(accountId, id, 'session');
    expect(rotated, 'another text is no way around it').toMatchObject({ state: 'suspended' });
    expect(await world.keys.change(accountId, id, { active: true }, 'operator')).toMatchObject({ state: 'active' });
    await world.keys.change(accountId, id, { active: false }, 'session');
    expect(await world.keys.change(accountId, id, { active: true }, 'session')).toMatchObject({ state: 'active' });
  });

  it('have budgets out of the general pool, which come back with them', async () => {
    const { id, key } = await create({ budget: 50_000 });
    expect(await world.balances(accountId)).toEqual({ general: TRIAL - 50_000, [id]: 50_000 });
    const principal = await find(key);
    expect(principal?.poolId).toBe(await accounts.db.transaction().execute((each) => world.ledger.poolOf(each, id)));
    expect(await world.keys.change(accountId, id, { budget: 20_000 }, 'session')).toMatchObject({
      budget: 20_000,
      pool: 'dedicated',
    });
    expect(await world.balances(accountId)).toEqual({ general: TRIAL - 20_000, [id]: 20_000 });
    const general = await world.keys.change(accountId, id, { budget: null }, 'session');
    expect(general).toMatchObject({ pool: 'general' });
    expect(general).not.toHaveProperty('budget');
    expect(await world.balances(accountId)).toEqual({ general: TRIAL, [id]: 0 });
    expect((await find(key))?.poolId).not.toBe(principal?.poolId);
    await world.keys.change(accountId, id, { budget: 7 }, 'session');
    expect(await world.keys.revoke(accountId, id, 'session')).toBe(true);
    expect(await world.balances(accountId)).toEqual({ general: TRIAL, [id]: 0 });
  });

  it('are not made and not changed when the general pool has less than the budget', async () => {
    await expect(create({ budget: TRIAL + 1 })).rejects.toMatchObject({ code: 'credits_exhausted' });
    expect(await world.keys.list(accountId)).toEqual([]);
    const { id } = await create();
    const change = { name: 'renamed', budget: TRIAL + 1 };
    await expect(world.keys.change(accountId, id, change, 'session')).rejects.toMatchObject({
      code: 'credits_exhausted',
    });
    expect(await world.keys.list(accountId)).toMatchObject([{ name: 'bot', pool: 'general' }]);
    expect(await world.balances(accountId)).toEqual({ general: TRIAL });
  });

  it('ask as often as their plan allows, and no oftener', async () => {
    await expect(create({ rate: { rps: 11, burst: 20 } })).rejects.toMatchObject({
      code: 'invalid_param',
      param: 'rate_limit',
      details: { max: { rps: 10, burst: 20 } },
    });
    const { id, key } = await create({ rate: { rps: 10, burst: 5 } });
    expect(await find(key)).toMatchObject({ rate: { rps: 10, burst: 5 } });
    const plain = await create();
    await world.admin.setPlan(accountId, 'pro');
    const grown = await find(plain.key);
    expect(grown, 'grows with the plan').toMatchObject({ rate: { rps: 50, burst: 100 } });
    expect(grown?.rate, 'one of all keys without a rate of their own').toBe(DEFAULT_PLANS.get('pro').rate);
    expect((await world.keys.list(accountId)).find((each) => each.id === id)).toMatchObject({
      rate_limit: { rps: 10, burst: 5 },
    });
  });

  it('are nobody else’s to see or to change, and gone once they are revoked', async () => {
    const { id, key } = await create();
    expect(await world.keys.list(strangerId)).toEqual([]);
    expect(await world.keys.change(strangerId, id, { name: 'mine' }, 'session')).toBeUndefined();
    expect(await world.keys.rotate(strangerId, id, 'session')).toBeUndefined();
    expect(await world.keys.revoke(strangerId, id, 'session')).toBe(false);
    expect(await find(key)).toMatchObject({ state: 'active', name: 'bot' });
    expect(await world.keys.revoke(accountId, id, 'session')).toBe(true);
    expect(await find(key)).toMatchObject({ state: 'revoked' });
    expect(await world.keys.change(accountId, id, { active: true }, 'operator')).toBeUndefined();
    expect(await world.keys.rotate(accountId, id, 'operator')).toBeUndefined();
    expect(await world.keys.revoke(accountId, id, 'session')).toBe(false);
  });

  it('are in the audit with the budget and the rate that they were made with', async () => {
    await create({ budget: 10, rate: { rps: 2, burst: 3 } });
    const [made] = await world.admin.audit(accountId, { before: undefined, limit: 1 });
    expect(made).toMatchObject({ action: 'key.create', details: { name: 'bot', budget: 10, rps: 2, burst: 3 } });
  });

  it('with budgets that are gone leave no work for the account’s renewals', async () => {
    const kept = await create({ budget: 10 });
    for (let i = 0; i < 3; i += 1) {
      const { id } = await create({ budget: 10 });
      await world.keys.revoke(accountId, id, 'session');
    }
    const empty = await create({ budget: 10 });
    await accounts.db.updateTable('pools').set({ balance: 0, capacity: 0 }).where('key_id', '=', empty.id).execute();
    const locked = await accounts.db.transaction().execute((transaction) => lockPools(transaction, accountId));
    expect(locked.map(({ key_id: id }) => id)).toEqual([null, kept.id, empty.id]);
  });

  it('leave nothing behind without end when they are made and revoked over and over', async () => {
    for (let i = 0; i < 105; i += 1) {
      const { id } = await create();
      await world.keys.revoke(accountId, id, 'session');
    }
    const { id } = await create();
    expect(await accounts.db.selectFrom('api_keys').select('id').execute()).toHaveLength(101);
    const listed = await world.keys.list(accountId);
    expect(listed).toHaveLength(21);
    expect(listed.at(-1)).toMatchObject({ id, state: 'active' });
  });

  it('tell and write down every change, with who made it', async () => {
    const { id } = await create({ name: 'bot' });
    await world.keys.change(accountId, id, { name: 'robot' }, 'session');
    await world.keys.rotate(accountId, id, 'operator');
    await world.keys.revoke(accountId, id, 'session');
    const change = { kind: 'key', accountId, keyId: id };
    expect(told.filter(({ kind }) => kind === 'key')).toEqual([change, change, change, change]);
    const written = await accounts.db
      .selectFrom('changes')
      .select('id')
      .where('kind', '=', 'key')
      .where('key_id', '=', id)
      .execute();
    expect(written).toHaveLength(4);
    expect(await world.admin.audit(accountId, { before: undefined, limit: 10 })).toMatchObject([
      { actor: 'session', action: 'key.revoke', key_id: id },
      { actor: 'operator', action: 'key.rotate', key_id: id },
      { actor: 'session', action: 'key.change', key_id: id, details: { name: 'robot' } },
      { actor: 'session', action: 'key.create', key_id: id, details: { name: 'bot' } },
    ]);
  });

  it('count in the account that shows them', async () => {
    await create();
    const { id } = await create();
    await world.keys.revoke(accountId, id, 'session');
    expect(await world.answers.show(accountId)).toEqual({
      account_id: accountId,
      wallet: WALLET,
      state: 'active',
      plan: 'trial',
      created_at: expect.stringMatching(/Z$/) as string,
      keys: 1,
      streams: 0,
      limits: { keys: 10, streams: 3, connections: 6, rate_limit: { rps: 10, burst: 20 } },
    });
  });
});
