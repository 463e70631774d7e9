import { inspect } from 'node:util';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { type CutServer, startCutServer } from '../../../test/support/cut-server.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { systemClock } from '../../kernel/clock.ts';
import { type Logger, silentLogger } from '../../kernel/log.ts';
import { type AccountsDatabase, openAccountsDatabase } from './accounts-db.ts';
import { openPostgres } from './postgres.ts';

const POSTGRES = ENGINES.filter(({ engine }) => engine === 'postgres');
const UNAVAILABLE = { name: 'AccountsError', code: 'accounts_unavailable' };
const PASSWORD = 'hunter2-is-nobodys-business';

/** A server that goes away must be a clear error to whoever asks, and nothing to anybody else. */
describe.each(POSTGRES)('a lost connection on $engine', ({ open }) => {
  let accounts: TestAccounts;
  let way: CutServer;
  let ours: AccountsDatabase;
  let warnings: string[];
  beforeEach(async () => {
    accounts = await open();
    way = await startCutServer(accounts.url);
    warnings = [];
    const log: Logger = { ...silentLogger, warn: (fields, message) => warnings.push(`${message} ${inspect(fields)}`) };
    ours = await openAccountsDatabase({ url: way.url, path: 'unused', clock: systemClock, log });
  });
  afterEach(async () => {
    await ours.close();
    await way.close();
    await accounts.close();
  });
  const ask = () => sql<{ one: number }>`SELECT 1 AS one`.execute(ours.db);
  const untilIdleIsLost = () => eventually(() => expect(warnings).not.toEqual([]));
  const untilRunning = (text: string) =>
    eventually(async () => {
      const found = sql`SELECT pid FROM pg_stat_activity WHERE query LIKE ${`SELECT ${text}%`} AND state = 'active'`;
      expect((await found.execute(accounts.db)).rows).not.toEqual([]);
    });

  it('in the middle of a statement fails that statement, and the next one gets another connection', async () => {
    const lost = expect(sql`SELECT pg_sleep(60)`.execute(ours.db)).rejects.toMatchObject(UNAVAILABLE);
    await untilRunning('pg_sleep(60)');
    way.cut();
    await lost;
    expect((await ask()).rows).toEqual([{ one: 1 }]);
  });

  it('while nobody uses it is noted in the log, and harms nobody', async () => {
    await ask();
    way.cut();
    await untilIdleIsLost();
    expect(warnings.join()).toContain('a connection to the accounts database was lost');
    expect((await ask()).rows).toEqual([{ one: 1 }]);
  });

  it('between two statements of a transaction fails the transaction whole', async () => {
    const transaction = ours.db.transaction().execute(async (inside) => {
      await inside.insertInto('settings').values({ name: 'a', value: 'b' }).execute();
      way.cut();
      await systemClock.sleep(50);
      await inside.insertInto('settings').values({ name: 'c', value: 'd' }).execute();
    });
    await expect(transaction).rejects.toMatchObject(UNAVAILABLE);
    expect(await ours.db.selectFrom('settings').selectAll().execute()).toEqual([]);
  });

  it('that the operator ended is the same', async () => {
    const lost = expect(sql`SELECT pg_sleep(61)`.execute(ours.db)).rejects.toMatchObject(UNAVAILABLE);
    await untilRunning('pg_sleep(61)');
    const killed = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(61)%' AND application_name = 'mintscope'`;
    await killed.execute(accounts.db);
    await lost;
    expect((await ask()).rows).toEqual([{ one: 1 }]);
  });
});

describe.each(POSTGRES)('waiting on $engine', ({ open }) => {
  let accounts: TestAccounts;
  beforeEach(async () => {
    accounts = await open();
  });
  afterEach(() => accounts.close());
  const patience = { statementMs: 2_000, lockMs: 500 };

  it('for a lock that somebody holds ends with the lock’s own time', async () => {
    const impatient = openPostgres(accounts.url, patience, silentLogger);
    await accounts.db.insertInto('settings').values({ name: 'a', value: 'b' }).execute();
    await accounts.db.transaction().execute(async (holder) => {
      await holder.updateTable('settings').set({ value: 'c' }).execute();
      const waiting = impatient.updateTable('settings').set({ value: 'd' }).execute();
      await expect(waiting).rejects.toMatchObject(UNAVAILABLE);
      await expect(waiting).rejects.toThrow('lock timeout');
    });
    expect(await impatient.updateTable('settings').set({ value: 'd' }).executeTakeFirst()).toMatchObject({
      numUpdatedRows: 1n,
    });
    await impatient.destroy();
  });

  it('for a statement ends with the statement’s time', async () => {
    const impatient = openPostgres(accounts.url, patience, silentLogger);
    await expect(sql`SELECT pg_sleep(60)`.execute(impatient)).rejects.toMatchObject(UNAVAILABLE);
    await impatient.destroy();
  });

  it('for a server that says nothing ends too, and that connection is not used again', async () => {
    const way = await startCutServer(accounts.url);
    const impatient = openPostgres(way.url, patience, silentLogger);
    await sql`SELECT 1`.execute(impatient);
    way.swallow();
    await expect(sql`SELECT 1`.execute(impatient)).rejects.toMatchObject(UNAVAILABLE);
    await way.close();
    await impatient.destroy();
  });

  it('on each other ends for one of two, who may try again', async () => {
    await accounts.db
      .insertInto('settings')
      .values([
        { name: 'a', value: '' },
        { name: 'b', value: '' },
      ])
      .execute();
    const other = openPostgres(accounts.url, { statementMs: 60_000, lockMs: 60_000 }, silentLogger);
    let begun = 0;
    const both = (db: TestAccounts['db'], names: readonly string[]) =>
      db.transaction().execute(async (transaction) => {
        for (const name of names) {
          await transaction.updateTable('settings').set({ value: name }).where('name', '=', name).execute();
          begun += 1;
          // Each has its first row before either asks for the other's.
          await eventually(() => expect(begun).toBeGreaterThanOrEqual(2));
        }
      });
    const ends = await Promise.allSettled([both(other, ['a', 'b']), both(other, ['b', 'a'])]);
    const failed = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    expect(failed).toMatchObject([UNAVAILABLE]);
    expect(failed[0].message).toContain('deadlock');
    await other.destroy();
  });
});

describe.each(POSTGRES)('a value that $engine does not take', ({ open }) => {
  it.each([
    ['of another type', PASSWORD],
    ['out of range', '99999999999999999999'],
  ])('stands in no error: one %s', async (_what, value) => {
    const accounts = await open();
    const pool = { account_id: value as unknown as number, key_id: null, balance: 0, capacity: 0, leased: 0 };
    const error: unknown = await accounts.db
      .insertInto('pools')
      .values(pool)
      .execute()
      .catch((fault) => fault);
    expect(error).toMatchObject({ name: 'AccountsError', code: 'accounts_refused' });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(value);
    await accounts.close();
  });
});

describe('a Postgres that cannot be reached', () => {
  const wrong = [
    ['nobody listens', `postgres://me:${PASSWORD}@127.0.0.1:1/accounts`],
    ['there is no such host', `postgres://me:${PASSWORD}@nowhere.invalid/accounts`],
    ['there is no such socket', `postgres://me:${PASSWORD}@localhost/accounts?host=/nowhere`],
  ] as const;
  it.each(wrong)('is said so plainly, without the password, when %s', async (_, url) => {
    const error: unknown = await openAccountsDatabase({ url, path: 'unused', clock: systemClock }).catch(
      (fault) => fault,
    );
    expect(error).toMatchObject(UNAVAILABLE);
    expect(error).toHaveProperty('message', expect.stringMatching(/^the accounts database does not answer: \S+/));
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(PASSWORD);
  });
});
