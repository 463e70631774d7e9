import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AccountWorld, createAccountWorld } from '../../../test/support/account-world.ts';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { systemClock } from '../../kernel/clock.ts';
import { silentLogger } from '../../kernel/log.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import { type AccountChangesFeed, createAccountChanges } from '../changes.ts';
import { DEFAULT_PLANS } from '../plans.ts';
import { refusalOf } from '../states.ts';
import { createKeyDirectory, type KeyDirectory } from './key-directory.ts';
import { findStoredKey } from './stored-keys.ts';

const WALLET = '9JYALPFZgzfD7w9HvXypnYTTTSEL2NXLDLFegip6qBE6';

/** One process that serves requests. */
interface Server {
  readonly directory: KeyDirectory;
  readonly changes: AccountChangesFeed;
  readonly lookUps: () => number;
  readonly world: AccountWorld;
}

/** Changes of a key or its account, and the refusal that the key's sender gets within a second. */
const CHANGES: readonly (readonly [
  what: string,
  run: (world: AccountWorld, accountId: number, keyId: number) => Promise<unknown>,
  refusal: string | undefined,
])[] = [
  ['rotated', (world, account, key) => world.keys.rotate(account, key, 'session'), 'api_key_revoked'],
  ['revoked', (world, account, key) => world.keys.revoke(account, key, 'session'), 'api_key_revoked'],
  [
    'suspended',
    (world, account, key) => world.keys.change(account, key, { active: false }, 'session'),
    'api_key_suspended',
  ],
  ['its account suspended', (world, account) => world.admin.setState(account, 'suspended'), 'account_suspended'],
  ['its account banned', (world, account) => world.admin.setState(account, 'banned'), 'account_banned'],
  ['its account made to wait', (world, account) => world.admin.setState(account, 'not_ready'), 'account_not_ready'],
];

describe.each(ENGINES)('keys in two processes on one $engine', ({ open }) => {
  let accounts: TestAccounts;
  let here: Server;
  let there: Server;
  let accountId: number;
  let key: { readonly id: number; readonly key: string };

  beforeEach(async () => {
    accounts = await open();
    // Before there is anybody who is told: only what comes later is obeyed.
    const before = createAccountWorld(accounts);
    accountId = await before.newAccount(WALLET);
    key = await before.keys.create(accountId, { name: 'bot' }, 'session');
    here = serve(accounts);
    there = serve(await accounts.openAnother());
    for (const { changes } of [here, there])
      await eventually(() => expect(changes.ageMs).toBeLessThan(Number.POSITIVE_INFINITY));
    for (const server of [here, there]) expect(await stateOf(server)).toBeUndefined();
  });
  afterEach(async () => {
    for (const { changes } of [here, there]) await changes.close();
    await accounts.close();
  });

  function serve(database: AccountsDatabase): Server {
    const changes = createAccountChanges(database.db, systemClock, silentLogger);
    const lookUp = vi.fn((hash: Buffer) => findStoredKey(database.db, DEFAULT_PLANS, hash));
    const directory = createKeyDirectory({
      clock: systemClock,
      lookUp,
      changes,
      used: () => undefined,
      development: undefined,
    });
    return {
      directory,
      changes,
      lookUps: () => lookUp.mock.calls.length,
      world: createAccountWorld(database, changes),
    };
  }

  async function stateOf({ directory }: Server, text = key.key): Promise<string | undefined> {
    const principal = await directory.find(text);
    return principal === undefined ? 'invalid_api_key' : refusalOf(principal);
  }

  it('are answered from memory while nothing changes', async () => {
    for (let asked = 0; asked < 100; await sleep(5)) {
      // A machine that stood still for a second has to look again.
      if (there.changes.ageMs > 500) continue;
      const before = there.lookUps();
      expect(await stateOf(there)).toBeUndefined();
      expect(there.lookUps()).toBe(before);
      asked += 1;
    }
  });

  it.each(CHANGES)('are obeyed by whoever serves them when one is %s', async (_what, run, refusal) => {
    await run(here.world, accountId, key.id);
    for (const server of [there, here]) await eventually(async () => expect(await stateOf(server)).toBe(refusal));
  });

  it('are obeyed at once where their owner changes them', async () => {
    await here.world.keys.change(accountId, key.id, { active: false }, 'session');
    expect(await stateOf(here)).toBe('api_key_suspended');
    await here.world.keys.change(accountId, key.id, { active: true }, 'session');
    expect(await stateOf(here)).toBeUndefined();
    await here.world.keys.rotate(accountId, key.id, 'session');
    expect(await stateOf(here)).toBe('api_key_revoked');
  });

  it('let in again what is let in again', async () => {
    await here.world.admin.setState(accountId, 'suspended');
    await eventually(async () => expect(await stateOf(there)).toBe('account_suspended'));
    await here.world.admin.setState(accountId, 'active');
    await eventually(async () => expect(await stateOf(there)).toBeUndefined());
  });

  it('follow a key to another pool and another plan', async () => {
    const before = await there.directory.find(key.key);
    await here.world.keys.change(accountId, key.id, { budget: 10 }, 'session');
    await eventually(async () => expect((await there.directory.find(key.key))?.poolId).not.toBe(before?.poolId));
    await here.world.admin.setPlan(accountId, 'pro');
    await eventually(async () =>
      expect(await there.directory.find(key.key)).toMatchObject({ plan: 'pro', rate: { rps: 50 } }),
    );
  });

  it('know a new text at once, wherever it is sent first', async () => {
    const rotated = await here.world.keys.rotate(accountId, key.id, 'session');
    expect(await stateOf(there, rotated?.key)).toBeUndefined();
  });
});
