import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AccountWorld, createAccountWorld } from '../../../test/support/account-world.ts';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { createHandClock } from '../../../test/support/hand-clock.ts';
import { systemClock } from '../../kernel/clock.ts';
import { silentLogger } from '../../kernel/log.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import { createFirstKey } from '../keys/first-key.ts';
import { createKeyUse } from '../keys/key-use.ts';
import { ensureOperatorAccount } from './operator-account.ts';

const WALLET = '9JYALPFZgzfD7w9HvXypnYTTTSEL2NXLDLFegip6qBE6';

describe.each(ENGINES)('the operator on $engine', ({ open }) => {
  let accounts: TestAccounts;
  let world: AccountWorld;

  beforeEach(async () => {
    accounts = await open();
    world = createAccountWorld(accounts);
  });
  afterEach(() => accounts.close());

  const start = ({ db }: Pick<AccountsDatabase, 'db'>) =>
    db.transaction().execute(async (transaction) => {
      const { accountId } = await ensureOperatorAccount(transaction, world.ledger, systemClock);
      return { accountId, key: await createFirstKey(transaction, accountId, systemClock) };
    });

  it('has one account and one first key, however many processes start at once', async () => {
    const others = [accounts, await accounts.openAnother(), await accounts.openAnother()];
    const started = await Promise.all(others.flatMap((each) => [start(each), start(each)]));
    expect(new Set(started.map(({ accountId }) => accountId)).size).toBe(1);
    expect(started.filter(({ key }) => key !== undefined)).toHaveLength(1);
    expect(await world.admin.list({ after: 0, limit: 10 })).toMatchObject([{ plan: 'operator', state: 'active' }]);
    expect((await world.admin.list({ after: 0, limit: 10 }))[0]).not.toHaveProperty('wallet');
  });

  it('gets no first key when there is one already, revoked or somebody else’s', async () => {
    const accountId = await world.newAccount(WALLET);
    const { id } = await world.keys.create(accountId, { name: 'theirs' }, 'session');
    await world.keys.revoke(accountId, id, 'session');
    expect((await start(accounts)).key).toBeUndefined();
  });

  it('makes accounts for wallets, once', async () => {
    const made = await world.admin.create({ wallet: WALLET, plan: 'basic', state: 'not_ready' });
    expect(made).toMatchObject({ wallet: WALLET, plan: 'basic', state: 'not_ready' });
    expect(made?.reset_at).toBeDefined();
    const accountId = made?.account_id ?? 0;
    expect(await world.balances(accountId)).toEqual({ general: 1_000_000 });
    expect(await world.admin.create({ wallet: WALLET, plan: 'basic', state: 'active' })).toBeUndefined();
    expect(await world.admin.find(WALLET)).toMatchObject({ id: accountId });
    expect(await world.admin.find(String(accountId))).toMatchObject({ wallet: WALLET });
    for (const nobody of ['999', '9'.repeat(30), 'operator', `${WALLET}x`]) {
      expect(await world.admin.find(nobody)).toBeUndefined();
    }
  });

  it('leaves nothing of an account that could not be made', async () => {
    const making = world.admin.create({ wallet: WALLET, plan: 'no such plan', state: 'active' });
    await expect(making).rejects.toThrow('there is no plan no such plan');
    expect(await world.admin.find(WALLET)).toBeUndefined();
  });

  it('puts an account on the trial once', async () => {
    const made = await world.admin.create({ wallet: WALLET, plan: 'trial', state: 'active' });
    const accountId = made?.account_id ?? 0;
    await world.admin.setPlan(accountId, 'none');
    await world.admin.setPlan(accountId, 'trial');
    expect(await world.balances(accountId)).toEqual({ general: 200_000 });
  });

  it('grants once by reference, corrects never below zero, and finds it all in the ledger and the audit', async () => {
    const accountId = await world.newAccount(WALLET);
    expect(await world.admin.grant(accountId, 500, 'invoice-7')).toBe(true);
    expect(await world.admin.grant(accountId, 500, 'invoice-7')).toBe(false);
    expect(await world.admin.correct(accountId, 20)).toBe(20);
    expect(await world.admin.correct(accountId, -1_000_000)).toBe(-200_520);
    const { pools, entries } = await world.admin.credits(accountId);
    expect(pools).toMatchObject([{ balance: 0, leased: 0 }]);
    expect(entries.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['correction', -200_520],
      ['correction', 20],
      ['grant', 500],
      ['trial', 200_000],
    ]);
    await world.admin.setState(accountId, 'suspended');
    const audit = await world.admin.audit(accountId, { before: undefined, limit: 3 });
    expect(audit).toMatchObject([
      { actor: 'operator', action: 'account.state', details: { from: 'active', to: 'suspended' } },
      { actor: 'operator', action: 'credits.correct', details: { asked: -1_000_000, applied: -200_520 } },
      { actor: 'operator', action: 'credits.correct', details: { asked: 20, applied: 20 } },
    ]);
    const [oldest] = await world.admin.audit(accountId, { before: audit.at(-1)?.id, limit: 1 });
    expect(oldest).toMatchObject({ action: 'credits.grant', details: { credits: 500, granted: false } });
  });

  it('sees when keys were last used, written behind', async () => {
    const accountId = await world.newAccount(WALLET);
    const keys = [];
    for (let i = 0; i < 3; i += 1) keys.push(await world.keys.create(accountId, { name: `key ${i}` }, 'session'));
    const clock = createHandClock();
    const use = createKeyUse(accounts.db, clock, silentLogger);
    await clock.advance(0);
    use.used(keys[0]?.id ?? 0);
    await clock.advance(1_000);
    expect((await world.keys.list(accountId))[0]).not.toHaveProperty('last_used_at');
    use.used(keys[2]?.id ?? 0);
    await use.close();
    const [first, second, third] = await world.keys.list(accountId);
    expect(second).not.toHaveProperty('last_used_at');
    expect(Date.parse(third?.last_used_at ?? '')).toBe(clock.now());
    expect(Math.abs(Date.parse(first?.last_used_at ?? '') - clock.now())).toBeLessThanOrEqual(1_000);
  });

  it('sees when each key was used also of a time when nothing could be written', async () => {
    const { db } = accounts;
    const accountId = await world.newAccount(WALLET);
    const first = await world.keys.create(accountId, { name: 'first' }, 'session');
    const second = await world.keys.create(accountId, { name: 'second' }, 'session');
    const clock = createHandClock();
    const start = clock.now();
    let away = true;
    const updateTable = ((table: 'api_keys') => {
      if (away) throw new Error('the database is away');
      return db.updateTable(table);
    }) as typeof db.updateTable;
    const use = createKeyUse({ updateTable } as typeof db, clock, silentLogger);
    await clock.advance(0);
    use.used(first.id);
    await clock.advance(3_600_000);
    use.used(second.id);
    away = false;
    await use.close();
    const used = (await world.keys.list(accountId)).map(({ last_used_at: at }) => Date.parse(at ?? ''));
    expect(used).toEqual([start, start + 3_600_000]);
  });
});
