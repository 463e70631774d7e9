import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AccountWorld, createAccountWorld } from '../../test/support/account-world.ts';
import { ENGINES, type TestAccounts } from '../../test/support/accounts-engines.ts';
import { eventually } from '../../test/support/eventually.ts';
import type { KeyPrincipal } from '../handlers/caller.ts';
import { systemClock } from '../kernel/clock.ts';
import { type Logger, silentLogger } from '../kernel/log.ts';
import { type AccountChangesFeed, createAccountChanges } from './changes.ts';
import { type ConnectionRight, judgeRights } from './connection-rights.ts';
import { type ConnectionRequest, createConnections, type OpenConnections } from './connections.ts';
import { hashApiKey } from './keys/api-key.ts';
import { findStoredKey } from './keys/stored-keys.ts';
import { DEFAULT_PLANS } from './plans.ts';

const WALLET = '9JYALPFZgzfD7w9HvXypnYTTTSEL2NXLDLFegip6qBE6';
const OTHER_WALLET = '5jmG7k3SQEA21UGV6oJtFCxsG3bfTrDqbg9fMVKV4ia5';

describe.each(ENGINES)('connections on $engine', ({ open }) => {
  let accounts: TestAccounts;
  let changes: AccountChangesFeed;
  let connections: OpenConnections;
  /** Accounts as another process changes them. */
  let elsewhere: AccountWorld;
  let accountId: number;
  let key: { readonly id: number; readonly key: string };

  beforeEach(async () => {
    accounts = await open();
    elsewhere = createAccountWorld(await accounts.openAnother());
    accountId = await elsewhere.newAccount(WALLET);
    key = await elsewhere.keys.create(accountId, { name: 'bot' }, 'session');
    serve();
    await eventually(() => expect(changes.ageMs).toBeLessThan(Number.POSITIVE_INFINITY));
  });
  afterEach(async () => {
    await connections.stop();
    await changes.close();
    await accounts.close();
  });

  function serve(enforce = true, log: Logger = silentLogger): void {
    const { db } = accounts;
    changes = createAccountChanges(db, systemClock, silentLogger);
    const rights = { db, plans: DEFAULT_PLANS, enforce, clock: systemClock };
    connections = createConnections({
      plans: DEFAULT_PLANS,
      changes,
      judge: (id, asked) => judgeRights(rights, id, asked),
      clock: systemClock,
      log,
    });
  }

  /** A socket that frees its place when it is closed. */
  async function connect(varied: Partial<ConnectionRequest> = {}, text = key.key) {
    const principal = (await findStoredKey(accounts.db, DEFAULT_PLANS, hashApiKey(text)))?.principal as KeyPrincipal;
    const codes: number[] = [];
    const opened = connections.open({
      principal,
      keyHash: hashApiKey(text),
      address: '203.0.113.7',
      stream: undefined,
      topics: () => ['leaders'],
      close: (code) => {
        codes.push(code);
        opened.closed();
      },
      ...varied,
    });
    return { ...opened, codes };
  }

  const closedWith = (socket: { readonly codes: readonly number[] }, code: number) =>
    eventually(() => expect(socket.codes).toEqual([code]));

  async function newStream(): Promise<{ readonly id: number; readonly tokenCode: Buffer }> {
    const values = {
      account_id: accountId,
      owner: WALLET,
      token_sealed: Buffer.alloc(0),
      token_code: Buffer.alloc(32, 1),
      name: 'stream',
      active: 1,
      kinds: '[]',
      wallet_list_id: '',
      dev_list_id: '',
      wallets: '[]',
      devs: '[]',
      min_sol: '0',
      created_at: 0,
      updated_at: 0,
    };
    const { id } = await accounts.db.insertInto('streams').values(values).returning('id').executeTakeFirstOrThrow();
    return { id, tokenCode: values.token_code };
  }

  it('are twice the streams of the plan at most, of an account, and are listed', async () => {
    const open = [];
    for (let i = 0; i < 6; i += 1) open.push(await connect());
    await expect(connect()).rejects.toMatchObject({ code: 'ws_connection_limit', details: { limit: 6, used: 6 } });
    expect(connections.list(accountId)).toHaveLength(6);
    expect(connections.list(accountId)[0]).toEqual({
      id: open[0]?.id,
      ip: '203.0.113.7',
      opened_at: expect.stringMatching(/Z$/) as string,
      topics: ['leaders'],
      key_id: key.id,
    });
    open[0]?.closed();
    open[0]?.closed();
    await connect();
    await expect(connect()).rejects.toMatchObject({ code: 'ws_connection_limit' });
  });

  it('are twenty at most from one address, of whatever account', async () => {
    const keys = [key];
    for (let i = 0; i < 3; i += 1) {
      const other = await elsewhere.newAccount(`${OTHER_WALLET.slice(0, -1)}${i + 1}`);
      keys.push(await elsewhere.keys.create(other, { name: 'bot' }, 'session'));
    }
    const open = [];
    for (let i = 0; i < 20; i += 1) open.push(await connect({}, keys[Math.floor(i / 5)]?.key));
    await expect(connect()).rejects.toMatchObject({ code: 'too_many_connections', details: { limit: 20, used: 20 } });
    await connect({ address: '203.0.113.8' });
    open[0]?.closed();
    await connect();
  });

  it('are closed by their owner with 4410, and by nobody else', async () => {
    const socket = await connect();
    const stranger = await elsewhere.newAccount(OTHER_WALLET);
    expect(connections.close(stranger, socket.id)).toBe(false);
    expect(socket.codes).toEqual([]);
    expect(connections.close(accountId, socket.id)).toBe(true);
    expect(socket.codes).toEqual([4410]);
    expect(connections.list(accountId)).toEqual([]);
    expect(connections.close(accountId, socket.id)).toBe(false);
  });

  it.each([
    ['4401 when its key is rotated', 4401, () => elsewhere.keys.rotate(accountId, key.id, 'session')],
    ['4401 when its key is revoked', 4401, () => elsewhere.keys.revoke(accountId, key.id, 'session')],
    [
      '4403 when its key is suspended',
      4403,
      () => elsewhere.keys.change(accountId, key.id, { active: false }, 'session'),
    ],
    ['4403 when its account is suspended', 4403, () => elsewhere.admin.setState(accountId, 'suspended')],
    ['4403 when its account is banned', 4403, () => elsewhere.admin.setState(accountId, 'banned')],
    ['4402 when its credits are taken', 4402, () => elsewhere.admin.correct(accountId, -200_000)],
  ] as const)('are closed with %s', async (_what, code, change) => {
    const socket = await connect();
    await change();
    await closedWith(socket, code);
  });

  it('are closed with 4404 when their stream is turned off, deleted or given another token', async () => {
    const stream = await newStream();
    const steps = [
      () => accounts.db.updateTable('streams').set({ active: 0 }).execute(),
      () =>
        accounts.db
          .updateTable('streams')
          .set({ active: 1, token_code: Buffer.alloc(32, 2) })
          .execute(),
      () => accounts.db.deleteFrom('streams').execute(),
    ];
    for (const step of steps) {
      const socket = await connect({ stream });
      const plain = await connect();
      await step();
      changes.tell({ kind: 'stream', accountId, streamId: stream.id });
      await closedWith(socket, 4404);
      expect(plain.codes).toEqual([]);
      plain.closed();
      await accounts.db.updateTable('streams').set({ token_code: stream.tokenCode, active: 1 }).execute();
    }
  });

  it('stay open when something else changes', async () => {
    const socket = await connect();
    await elsewhere.keys.change(accountId, key.id, { name: 'renamed', budget: 10 }, 'session');
    await elsewhere.admin.setPlan(accountId, 'pro');
    const other = await elsewhere.keys.create(accountId, { name: 'other' }, 'session');
    await elsewhere.keys.revoke(accountId, other.id, 'session');
    changes.tell({ kind: 'account', accountId });
    const judged = await connect();
    await elsewhere.keys.rotate(accountId, key.id, 'session');
    await closedWith(socket, 4401);
    await closedWith(judged, 4401);
  });

  it('that came in while their key was taken away are closed too', async () => {
    const principal = (await findStoredKey(accounts.db, DEFAULT_PLANS, hashApiKey(key.key)))?.principal;
    // Notices of the key's creation are past: changes were read since.
    const before = systemClock.elapsed();
    await eventually(() => expect(changes.ageMs).toBeLessThan(systemClock.elapsed() - before));
    const told = new Promise<void>((resolve) => changes.listen(({ kind }) => kind === 'key' && resolve()));
    await elsewhere.keys.revoke(accountId, key.id, 'session');
    await told;
    const late = await connect(principal === undefined ? {} : { principal });
    await closedWith(late, 4401);
  });

  it('are judged as soon as accounts can be read again, which is warned of once an outage', async () => {
    await connections.stop();
    await changes.close();
    const warn = vi.fn();
    serve(true, { ...silentLogger, warn });
    const socket = await connect();
    await accounts.db.schema.alterTable('api_keys').renameTo('elsewhere').execute();
    await sql`UPDATE elsewhere SET state = 'revoked'`.execute(accounts.db);
    changes.tell({ kind: 'account', accountId });
    await eventually(() => expect(warn).toHaveBeenCalled());
    // Time in which the judging is tried again, without another warning.
    await systemClock.sleep(700);
    expect(socket.codes).toEqual([]);
    expect(warn).toHaveBeenCalledTimes(1);
    await accounts.db.schema.alterTable('elsewhere').renameTo('api_keys').execute();
    await closedWith(socket, 4401);
  });

  it('are not judged once their account has none left', async () => {
    await connections.stop();
    const warn = vi.fn();
    const rights = { db: accounts.db, plans: DEFAULT_PLANS, enforce: true, clock: systemClock };
    const judge = vi.fn((id: number, asked: readonly ConnectionRight[]) => judgeRights(rights, id, asked));
    const log = { ...silentLogger, warn };
    connections = createConnections({ plans: DEFAULT_PLANS, changes, judge, clock: systemClock, log });
    const socket = await connect();
    changes.tell({ kind: 'account', accountId });
    socket.closed();
    await eventually(() => expect(judge).toHaveBeenCalled());
    // Time in which nobody is judged again.
    await systemClock.sleep(400);
    expect(warn).not.toHaveBeenCalled();
    expect(judge).toHaveBeenCalledTimes(1);
  });

  it('stay open without credits where nobody is refused for want of them', async () => {
    await connections.stop();
    await changes.close();
    serve(false);
    const socket = await connect();
    await elsewhere.admin.correct(accountId, -200_000);
    await elsewhere.keys.change(accountId, key.id, { active: false }, 'session');
    await closedWith(socket, 4403);
  });
});
