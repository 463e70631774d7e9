import type { Selectable } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../test/support/accounts-engines.ts';
import { eventually } from '../../test/support/eventually.ts';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { createHastyClock } from '../../test/support/hasty-clock.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { type Logger, silentLogger } from '../kernel/log.ts';
import type { AccountsDatabase } from '../store/accounts-db/accounts-db.ts';
import type { ChangesTable } from '../store/accounts-db/schema.ts';
import type { AccountChange } from './account-change.ts';
import { createChangeReader, sweepChanges } from './change-reader.ts';
import { type AccountChangesFeed, createAccountChanges, recordChange } from './changes.ts';

const CHANGE: AccountChange = { kind: 'key', accountId: 4, keyId: 9 };

describe.each(ENGINES)('changes of accounts on $engine', ({ engine, open }) => {
  let accounts: TestAccounts;
  const opened: AccountChangesFeed[] = [];

  beforeEach(async () => {
    accounts = await open();
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
    await accounts.close();
  });

  function record({ db }: Pick<AccountsDatabase, 'db'>, change = CHANGE, clock: { now(): number } = systemClock) {
    return db.transaction().execute((transaction) => recordChange(transaction, change, clock));
  }

  /** Rows with ids of the test's own. */
  function insert(rows: readonly Selectable<ChangesTable>[]) {
    return accounts.db.insertInto('changes').values(rows).execute();
  }

  const ids = () => accounts.db.selectFrom('changes').select('id').orderBy('id').execute();

  function follow({ db }: Pick<AccountsDatabase, 'db'>, log: Logger = silentLogger, clock: Clock = systemClock) {
    const changes = createAccountChanges(db, clock, log);
    opened.push(changes);
    const heard: unknown[] = [];
    const heardAt: number[] = [];
    const stop = changes.listen((change) => {
      heard.push(change);
      heardAt.push(clock.elapsed());
    });
    return { changes, heard, heardAt, stop };
  }

  it('reach another process within a second', async () => {
    // Time passes while the follower waits for it, and stands still while it reads.
    const clock = createHastyClock();
    const { heard, heardAt, changes } = follow(await accounts.openAnother(), silentLogger, clock);
    await eventually(() => expect(changes.ageMs).toBeLessThan(Number.POSITIVE_INFINITY));
    const kinds: AccountChange[] = [
      CHANGE,
      { kind: 'account', accountId: 4 },
      { kind: 'stream', accountId: 4, streamId: 2 },
      { kind: 'session', accountId: 5 },
      { kind: 'credits', accountId: 6 },
    ];
    for (const change of kinds) {
      await record(accounts, change);
      const madeAt = clock.elapsed();
      await eventually(() => expect(heard).toContainEqual(change));
      expect(heardAt.at(-1)! - madeAt).toBeLessThan(1_000);
    }
    const told = clock.elapsed();
    await eventually(() => expect(clock.elapsed()).toBeGreaterThan(told + 1_000));
    expect(heard, 'each is read once').toEqual(kinds);
  });

  it('are heard at once where they were made, by all who listen, whatever one of them does', async () => {
    const { changes, heard, stop } = follow(accounts);
    changes.listen(() => {
      throw new Error('deaf');
    });
    const later: unknown[] = [];
    changes.listen((change) => later.push(change));
    changes.tell(CHANGE);
    expect(heard).toEqual([CHANGE]);
    expect(later).toEqual([CHANGE]);
    stop();
    changes.tell(CHANGE);
    expect(heard).toHaveLength(1);
  });

  it('are not told when their transaction is taken back', async () => {
    const { heard, changes } = follow(accounts);
    await eventually(() => expect(changes.ageMs).toBeLessThan(Number.POSITIVE_INFINITY));
    const taken = accounts.db.transaction().execute(async (transaction) => {
      await recordChange(transaction, CHANGE, systemClock);
      throw new Error('no');
    });
    await expect(taken).rejects.toThrow('no');
    const other: AccountChange = { kind: 'account', accountId: 1 };
    await record(accounts, other);
    await eventually(() => expect(heard).toEqual([other]));
  });

  it('are told in the end when more came than can be told one by one', async () => {
    const reader = createChangeReader(accounts.db, systemClock);
    expect(await reader.read()).toEqual([]);
    const row = { at: 1, kind: 'credits' as const, key_id: null, stream_id: null };
    for (let page = 0; page < 11; page += 1) {
      const values = Array.from({ length: 1_000 }, (_, i) => ({ ...row, account_id: i }));
      await accounts.db.insertInto('changes').values(values).execute();
    }
    expect(await reader.read()).toEqual([{ kind: 'everything' }]);
    expect(await reader.read()).toEqual([]);
    await record(accounts);
    expect(await reader.read()).toEqual([CHANGE]);
  });

  it('are told in the end when a read breaks off', async () => {
    const { db } = accounts;
    let reads = 0;
    let broken = 0;
    const selectFrom = ((table: 'changes') => {
      reads += 1;
      if (reads === broken) throw new Error('the database is away');
      return db.selectFrom(table);
    }) as typeof db.selectFrom;
    const reader = createChangeReader({ selectFrom } as typeof db, systemClock);
    await reader.read();
    const row = { at: 1, kind: 'credits' as const, key_id: null, stream_id: null };
    await insert(Array.from({ length: 999 }, (_, i) => ({ ...row, id: i + 1, account_id: i })));
    await insert([{ ...row, id: 1_001, account_id: 1_000 }]);
    broken = reads + 2;
    await expect(reader.read(), 'at its second page').rejects.toThrow('away');
    expect(await reader.read()).toHaveLength(1_000);
    await insert([{ ...row, id: 1_000, account_id: 999 }]);
    broken = reads + 2;
    await expect(reader.read(), 'behind the skipped ids').rejects.toThrow('away');
    expect(await reader.read()).toEqual([{ kind: 'credits', accountId: 999 }]);
    expect(await reader.read()).toEqual([]);
  });

  it('whose ids were skipped are asked for once more however long nothing was read', async () => {
    const clock = createHandClock();
    const reader = createChangeReader(accounts.db, clock);
    await reader.read();
    const row = { at: 1, kind: 'account' as const, key_id: null, stream_id: null };
    await insert([{ ...row, id: 2, account_id: 2 }]);
    expect(await reader.read()).toHaveLength(1);
    await clock.advance(120_000);
    await insert([{ ...row, id: 1, account_id: 1 }]);
    expect(await reader.read()).toEqual([{ kind: 'account', accountId: 1 }]);
  });

  it('say that everything changed when their ids went back, as after a failover that lost some', async () => {
    const reader = createChangeReader(accounts.db, systemClock);
    await reader.read();
    const row = { at: 1, kind: 'account' as const, key_id: null, stream_id: null };
    await insert([{ ...row, id: 50, account_id: 1 }]);
    expect(await reader.read()).toHaveLength(1);
    await accounts.db.deleteFrom('changes').execute();
    await insert([{ ...row, id: 20, account_id: 2 }]);
    expect(await reader.read()).toEqual([{ kind: 'everything' }]);
    await insert([{ ...row, id: 21, account_id: 3 }]);
    expect(await reader.read()).toContainEqual({ kind: 'account', accountId: 3 });
  });

  it('are not swept before they are read, whatever the clock of who sweeps says', async () => {
    const reader = createChangeReader(accounts.db, systemClock);
    await reader.read();
    await record(accounts);
    await record(accounts, { kind: 'account', accountId: 1 });
    const ahead = { now: () => systemClock.now() + 30 * 86_400_000 };
    while (await sweepChanges(accounts.db, ahead));
    expect(await reader.read()).toEqual([CHANGE, { kind: 'account', accountId: 1 }]);
  });

  it('say that everything changed when what was missed may have been swept', async () => {
    const reader = createChangeReader(accounts.db, systemClock);
    const row = { at: 1, kind: 'account' as const, key_id: null, stream_id: null, account_id: 1 };
    await insert([{ ...row, id: 1 }]);
    await reader.read();
    // Every step is small, as if what lies between had been swept in part.
    await insert(Array.from({ length: 900 }, (_, i) => ({ ...row, id: 2 + i * 12 })));
    expect(await reader.read()).toEqual([{ kind: 'everything' }]);
  });

  it('are swept when they are old, but for the newest, so that ids go on', async () => {
    const clock = createHandClock();
    const row = { at: clock.now(), kind: 'account' as const, key_id: null, stream_id: null, account_id: 1 };
    await insert([1, 2, 20_002, 20_003].map((id) => ({ ...row, id })));
    expect(await sweepChanges(accounts.db, clock)).toBe(false);
    expect(await ids()).toHaveLength(4);
    await clock.advance(3_600_001);
    expect(await sweepChanges(accounts.db, clock)).toBe(false);
    expect(await ids()).toEqual([{ id: 20_002 }, { id: 20_003 }]);
  });

  it('tell their age, which grows while they cannot be read, and catch up afterwards', async () => {
    const other = await accounts.openAnother();
    const warnings: string[] = [];
    const log = { ...silentLogger, warn: (_fields: unknown, message: string) => warnings.push(message) };
    const { changes, heard } = follow(other, log);
    expect(changes.ageMs).toBe(Number.POSITIVE_INFINITY);
    await eventually(() => expect(changes.ageMs).toBeLessThan(Number.POSITIVE_INFINITY));
    await accounts.db.schema.alterTable('changes').renameTo('elsewhere').execute();
    await eventually(() => expect(changes.ageMs).toBeGreaterThan(1_000));
    await accounts.db.schema.alterTable('elsewhere').renameTo('changes').execute();
    await record(accounts);
    await eventually(() => expect(heard).toEqual([CHANGE]));
    await eventually(() => expect(changes.ageMs).toBeLessThan(1_000));
    expect(warnings, 'one warning an outage').toHaveLength(1);
  });

  it.runIf(engine === 'postgres')('of a transaction that is long open are told when it ends', async () => {
    const another = await accounts.openAnother();
    const reader = createChangeReader(another.db, systemClock);
    await reader.read();
    const slow: AccountChange = { kind: 'account', accountId: 77 };
    await accounts.db.transaction().execute(async (transaction) => {
      await recordChange(transaction, slow, systemClock);
      await record(another);
      expect(await reader.read(), 'a later id is visible first').toEqual([CHANGE]);
      expect(await reader.read()).toEqual([]);
    });
    expect(await reader.read()).toEqual([slow]);
    expect(await reader.read()).toEqual([]);
  });

  it.runIf(engine === 'postgres')('that were being made when a process starts are not missed', async () => {
    const another = await accounts.openAnother();
    const slow: AccountChange = { kind: 'account', accountId: 77 };
    const reader = createChangeReader(another.db, systemClock);
    await accounts.db.transaction().execute(async (transaction) => {
      await recordChange(transaction, slow, systemClock);
      await record(another);
      await reader.read();
    });
    expect(await reader.read()).toEqual([slow]);
  });
});
