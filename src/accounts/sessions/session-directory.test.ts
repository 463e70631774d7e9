import { afterEach, describe, expect, it, vi } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { createHandChanges, type HandChanges } from '../../../test/support/hand-changes.ts';
import { createHandClock, type HandClock } from '../../../test/support/hand-clock.ts';
import { randomBytes } from '../../../test/support/random.ts';
import { type SignInProcess, startSignIn } from '../../../test/support/sign-in.ts';
import { createWallet } from '../../../test/support/wallets.ts';
import { silentLogger } from '../../kernel/log.ts';
import { recordChange } from '../changes.ts';
import { createPageSessions } from './page-sessions.ts';
import { createSessionCookies } from './session-cookies.ts';
import { createSessionDirectory, type OpenSessionDirectory } from './session-directory.ts';
import * as store from './session-store.ts';

const { MAX_SESSIONS, SESSION_IDLE_MS, SESSION_MAX_MS } = store;
const HOUR_MS = 3_600_000;

describe.each(ENGINES)('sessions on $engine', ({ open }) => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const close of closers.splice(0).reverse()) await close();
  });

  interface Directory {
    readonly accounts: TestAccounts;
    readonly clock: HandClock;
    readonly changes: HandChanges;
    readonly sessions: OpenSessionDirectory;
    /** Looks into the store. */
    readonly reads: () => number;
    begin(accountId: number): Promise<string>;
  }

  async function start(capacity?: number): Promise<Directory> {
    const accounts = await open();
    closers.push(() => accounts.close());
    const clock = createHandClock();
    const changes = createHandChanges();
    const found = vi.spyOn(accounts.db, 'selectFrom');
    const sessions = createSessionDirectory({
      db: accounts.db,
      changes,
      cookies: createSessionCookies({ isHttps: true }),
      pages: createPageSessions(Buffer.alloc(32), clock),
      clock,
      log: silentLogger,
      ...(capacity === undefined ? {} : { capacity }),
    });
    closers.push(() => sessions.close());
    return {
      accounts,
      clock,
      changes,
      sessions,
      reads: () => found.mock.calls.length,
      begin: (accountId) =>
        accounts.db.transaction().execute(async (transaction) => {
          return (await store.insertSession(transaction, accountId, clock.now())).token;
        }),
    };
  }

  async function account({ db }: TestAccounts, wallet: string): Promise<number> {
    const values = { wallet, state: 'active' as const, plan: 'none', created_at: 0, reset_at: null };
    return (await db.insertInto('accounts').values(values).returning('id').executeTakeFirstOrThrow()).id;
  }

  it('are found by their token, the second time at once', async () => {
    const { accounts, sessions, begin, reads } = await start();
    const accountId = await account(accounts, 'w');
    const token = await begin(accountId);
    const principal = {
      accountId,
      wallet: 'w',
      accountState: 'active',
      plan: 'none',
      hash: store.hashSessionToken(token),
    };
    expect(await sessions.find(token)).toEqual(principal);
    const before = reads();
    expect(sessions.find(token)).toEqual(principal);
    expect(reads()).toBe(before);
  });

  it('are read once for many who ask at the same time', async () => {
    const { accounts, sessions, begin, reads } = await start();
    const token = await begin(await account(accounts, 'w'));
    const before = reads();
    const found = await Promise.all(Array.from({ length: 20 }, () => sessions.find(token)));
    expect(found.every((principal) => principal?.wallet === 'w')).toBe(true);
    expect(reads()).toBe(before + 1);
  });

  it('are nobody’s with another token, and what cannot be one is not looked up', async () => {
    const { accounts, sessions, begin, reads } = await start();
    const token = await begin(await account(accounts, 'w'));
    expect(await sessions.find(`${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`)).toBeUndefined();
    const before = reads();
    for (const text of ['', 'x', `${token}x`, token.slice(1), `${token.slice(1)} `, '"'.repeat(43)]) {
      expect(sessions.find(text)).toBeUndefined();
    }
    expect(reads()).toBe(before);
  });

  it('are forgotten when their account changes, and what it became is told', async () => {
    const { accounts, changes, sessions, begin } = await start();
    const [accountId, otherId] = [await account(accounts, 'w'), await account(accounts, 'x')];
    const [token, other] = [await begin(accountId), await begin(otherId)];
    await Promise.all([sessions.find(token), sessions.find(other)]);
    await accounts.db.updateTable('accounts').set({ state: 'suspended' }).where('id', '=', accountId).execute();
    changes.tell({ kind: 'key', accountId, keyId: 1 });
    expect(sessions.find(token)).toMatchObject({ accountState: 'active' });
    changes.tell({ kind: 'account', accountId });
    expect(sessions.find(other)).not.toBeInstanceOf(Promise);
    expect(await sessions.find(token)).toMatchObject({ accountState: 'suspended' });
    await accounts.db.deleteFrom('sessions').execute();
    changes.tell({ kind: 'session', accountId });
    expect(await sessions.find(token)).toBeUndefined();
    changes.tell({ kind: 'everything' });
    expect(await sessions.find(other)).toBeUndefined();
  });

  it('are not believed from a read that a change has overtaken', async () => {
    const { accounts, changes, sessions, begin } = await start();
    const accountId = await account(accounts, 'w');
    const token = await begin(accountId);
    const reading = sessions.find(token);
    expect(reading).toBeInstanceOf(Promise);
    // Nobody knows yet whose session it is, nor whether the read sees what has changed.
    changes.tell({ kind: 'session', accountId });
    const after = sessions.find(token);
    expect(after).not.toBe(reading);
    expect(await reading).toMatchObject({ accountId });
    await after;
    expect(sessions.find(token)).toMatchObject({ accountId });
  });

  it('are asked of the store while changes cannot be read', async () => {
    const { accounts, changes, sessions, begin } = await start();
    const token = await begin(await account(accounts, 'w'));
    await sessions.find(token);
    await accounts.db.deleteFrom('sessions').execute();
    changes.ageMs = 1_000;
    expect(await sessions.find(token)).toBeUndefined();
  });

  it('end twelve hours after their last use, and after seven days whatever happens', async () => {
    const { accounts, clock, sessions, begin } = await start();
    const token = await begin(await account(accounts, 'w'));
    await clock.advance(SESSION_IDLE_MS - 1);
    expect(await sessions.find(token)).toBeDefined();
    await clock.advance(SESSION_IDLE_MS - 1);
    expect(await sessions.find(token)).toBeDefined();
    await clock.advance(SESSION_IDLE_MS);
    expect(await sessions.find(token)).toBeUndefined();

    const used = await begin(await account(accounts, 'x'));
    for (let hour = HOUR_MS; hour < SESSION_MAX_MS; hour += HOUR_MS) {
      await clock.advance(HOUR_MS);
      expect([hour, await sessions.find(used)]).toEqual([hour, expect.objectContaining({ wallet: 'x' })]);
    }
    await clock.advance(HOUR_MS);
    expect(await sessions.find(used)).toBeUndefined();
  });

  it('are written down every few minutes of use, not at every call', async () => {
    const { accounts, clock, sessions, begin } = await start();
    const token = await begin(await account(accounts, 'w'));
    const moved = vi.spyOn(accounts.db, 'updateTable');
    for (let second = 0; second < 3_600; second += 10) {
      await sessions.find(token);
      await clock.advance(10_000);
    }
    expect(moved.mock.calls.length).toBeGreaterThan(8);
    expect(moved.mock.calls.length).toBeLessThanOrEqual(12);
    await sessions.close();
    const { expires_at: end } = await accounts.db.selectFrom('sessions').select('expires_at').executeTakeFirstOrThrow();
    expect(end).toBeGreaterThan(clock.now() + SESSION_IDLE_MS - 400_000);
  });

  it('are as many as an account may have, the oldest goes', async () => {
    const { accounts, clock, sessions, begin } = await start();
    const [accountId, otherId] = [await account(accounts, 'w'), await account(accounts, 'x')];
    const other = await begin(otherId);
    const tokens: string[] = [];
    for (let i = 0; i < MAX_SESSIONS + 3; i += 1) {
      tokens.push(await begin(accountId));
      await clock.advance(1);
    }
    const known = await Promise.all(tokens.map(async (token) => (await sessions.find(token)) !== undefined));
    expect(known).toEqual(tokens.map((_, i) => i >= 3));
    expect(await sessions.find(other)).toBeDefined();
  });

  it('take as much memory as they may', async () => {
    const { accounts, sessions, begin, reads } = await start(3);
    const tokens: string[] = [];
    for (let i = 0; i < 5; i += 1) tokens.push(await begin(await account(accounts, `w${i}`)));
    for (const token of tokens) await sessions.find(token);
    const before = reads();
    for (const token of tokens.slice(2)) expect(sessions.find(token)).toMatchObject({ plan: 'none' });
    expect(reads()).toBe(before);
    expect(await sessions.find(tokens[0]!)).toMatchObject({ wallet: 'w0' });
    expect(reads()).toBe(before + 1);
  });

  it('are looked up a few at a time where nobody knows them, up to a bound, and displace no known ones', async () => {
    const { accounts, changes, sessions, begin, reads } = await start(2);
    const tokens = [await begin(await account(accounts, 'w')), await begin(await account(accounts, 'x'))];
    for (const token of tokens) await sessions.find(token);
    const guesses = Array.from({ length: 2_500 }, () => randomBytes(32).toString('base64url'));
    const before = reads();
    const asked = Promise.allSettled(guesses.map((guess) => sessions.find(guess)));
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    expect(reads() - before).toBeLessThanOrEqual(2);
    for (const token of tokens) expect(sessions.find(token)).toMatchObject({ plan: 'none' });
    changes.ageMs = 1_000;
    expect(await sessions.find(tokens[0]!)).toMatchObject({ wallet: 'w' });
    changes.ageMs = 0;
    const outcomes = await asked;
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(498);
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') expect(outcome.value).toBeUndefined();
    for (const token of tokens) expect(sessions.find(token)).toMatchObject({ plan: 'none' });
  });

  it('cannot be found while the store cannot be read, and are again afterwards', async () => {
    const { accounts, sessions, begin } = await start();
    const token = await begin(await account(accounts, 'w'));
    const { db } = accounts;
    await db.schema.alterTable('sessions').renameTo('sessions_away').execute();
    await expect(sessions.find(token)).rejects.toThrow();
    await db.schema.alterTable('sessions_away').renameTo('sessions').execute();
    expect(await sessions.find(token)).toMatchObject({ wallet: 'w' });
  });

  it('are swept when they have ended, some at a time', async () => {
    const { accounts, clock, begin } = await start();
    const [accountId, otherId] = [await account(accounts, 'w'), await account(accounts, 'x')];
    const token = await begin(accountId);
    await clock.advance(SESSION_IDLE_MS - 1);
    const ended = { account_id: otherId, created_at: 0, expires_at: clock.now() };
    for (let from = 0; from < 1_500; from += 500) {
      const rows = Array.from({ length: 500 }, (_, i) => ({ ...ended, hash: store.hashSessionToken(`${from + i}`) }));
      await accounts.db.insertInto('sessions').values(rows).execute();
    }
    expect(await store.sweepSessions(accounts.db, clock.now())).toBe(true);
    expect(await store.sweepSessions(accounts.db, clock.now())).toBe(false);
    const kept = await accounts.db.selectFrom('sessions').select('hash').execute();
    expect(kept.map(({ hash }) => Buffer.from(hash))).toEqual([store.hashSessionToken(token)]);
  });

  describe('in several processes', () => {
    async function startTwo(): Promise<readonly [TestAccounts, SignInProcess, SignInProcess]> {
      const accounts = await open();
      closers.push(() => accounts.close());
      const first = await startSignIn(accounts);
      closers.push(() => first.close());
      const second = await startSignIn(await accounts.openAnother());
      closers.push(() => second.close());
      return [accounts, first, second];
    }

    it('end everywhere when somebody signs out, and at once where it was', async () => {
      const [accounts, first, second] = await startTwo();
      const { accountId, cookie } = await first.enter(createWallet());
      const token = first.token(cookie);
      const hash = (await first.sessions.find(token))?.hash ?? new Uint8Array();
      expect(await second.sessions.find(token)).toMatchObject({ accountId });
      const { cookie: ended } = await first.auth.logOut(hash);
      expect(ended).toMatch(/Max-Age=0/);
      expect(await first.sessions.find(token)).toBeUndefined();
      await eventually(async () => expect(await second.sessions.find(token)).toBeUndefined());
      await second.auth.logOut(hash);
      const closed = await accounts.db.selectFrom('audit').select('id').where('action', '=', 'session.close').execute();
      expect(closed).toHaveLength(1);
    });

    it('obey what becomes of the account', async () => {
      const [accounts, first, second] = await startTwo();
      const { accountId, cookie } = await first.enter(createWallet());
      const token = first.token(cookie);
      for (const { sessions } of [first, second]) await sessions.find(token);
      await accounts.db.transaction().execute(async (transaction) => {
        await transaction.updateTable('accounts').set({ state: 'banned' }).where('id', '=', accountId).execute();
        await recordChange(transaction, { kind: 'account', accountId }, { now: () => Date.now() });
      });
      for (const { sessions } of [first, second]) {
        const banned = async () => expect(await sessions.find(token)).toMatchObject({ accountState: 'banned' });
        await eventually(banned);
      }
    });
  });
});
