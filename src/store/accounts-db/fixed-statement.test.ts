import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { fixedStatement, idsQuestion, idsStatement, rowsStatement } from './fixed-statement.ts';

const NETWORK = '203.0.113.0/24';
const save = rowsStatement({
  shared: 1,
  columns: 2,
  row: ([account, at], [network]) => `(${account}, ${network}, ${at})`,
  text: (rows) => `
    INSERT INTO trials (account_id, network, at) VALUES ${rows}
    ON CONFLICT (account_id) DO UPDATE SET at = trials.at + excluded.at`,
});
const read = idsQuestion<{ readonly account_id: number; readonly network: string; readonly at: number }>({
  shared: 1,
  columns: ['account_id', 'network', 'at'],
  text: (isOneOf, [network]) => `
    SELECT account_id, network, at FROM trials WHERE network = ${network} AND account_id ${isOneOf} ORDER BY account_id`,
});
const forget = idsStatement((isOneOf) => `DELETE FROM nonces WHERE nonce ${isOneOf}`);
const clear = fixedStatement((place) => `DELETE FROM trials WHERE network = ${place(1)} AND at < ${place(2)}`);

describe.each(ENGINES)('statements of fixed shape on $engine', ({ open, engine }) => {
  let accounts: TestAccounts;
  beforeEach(async () => {
    accounts = await open();
  });
  afterEach(() => accounts.close());
  const write = (rows: readonly (readonly [account: number, at: number])[]) =>
    accounts.db.transaction().execute((transaction) => save.run(transaction, engine, [NETWORK], rows.flat()));
  const readAll = (ids: readonly number[]) =>
    accounts.db.transaction().execute((transaction) => read.rows(transaction, engine, [NETWORK], ids));

  it.each([0, 1, 2, 3, 255, 256, 257, 700])('writes and reads %i rows, each once', async (count) => {
    const ids = Array.from({ length: count }, (_, index) => index + 1);
    await write(ids.map((id) => [id, 10 * id]));
    await write(ids.map((id) => [id, 1]));
    expect(await readAll(ids)).toEqual(ids.map((id) => ({ account_id: id, network: NETWORK, at: 10 * id + 1 })));
  });

  it.each([4_096, 4_097, 16_385, 40_000])(
    'reads %i ids, in whatever order they are asked for, each once',
    async (count) => {
      const ids = Array.from({ length: count }, (_, index) => count - index);
      const there = [1, 2, Math.floor(count / 2), count - 1, count];
      await write(there.map((id) => [id, id]));
      const found = await readAll([...ids, ...there]);
      expect(found.map(({ account_id }) => account_id)).toEqual(there);
    },
  );

  it('finds nothing of ids that are not there, nor of another shared value', async () => {
    await write([
      [1, 5],
      [3, 6],
    ]);
    expect((await readAll([1, 2, 3])).map(({ account_id }) => account_id)).toEqual([1, 3]);
    const elsewhere = await accounts.db
      .transaction()
      .execute((transaction) => read.rows(transaction, engine, ['198.51.100.0/24'], [1, 3]));
    expect(elsewhere).toEqual([]);
  });

  it('deletes by ids of any text, and nothing else', async () => {
    const texts = ['plain', 'a "quoted" one', 'back\\slash', '{brace, comma}', 'NULL', ''];
    const there = [...texts, 'stays'].map((nonce) => ({ nonce, wallet: 'w', expires_at: 1 }));
    await accounts.db.insertInto('nonces').values(there).execute();
    await accounts.db.transaction().execute((transaction) => forget.run(transaction, engine, [...texts, 'unknown']));
    await accounts.db.transaction().execute((transaction) => forget.run(transaction, engine, []));
    expect(await accounts.db.selectFrom('nonces').select('nonce').execute()).toEqual([{ nonce: 'stays' }]);
  });

  it('tells how many rows a single statement changed', async () => {
    await write([
      [1, 5],
      [2, 50],
    ]);
    const { numAffectedRows } = await accounts.db
      .transaction()
      .execute((transaction) => clear.run(transaction, engine, [NETWORK, 10]));
    expect(numAffectedRows).toBe(1n);
  });
});

describe.each(ENGINES.filter(({ engine }) => engine === 'sqlite'))('prepared statements on $engine', ({ open }) => {
  let accounts: TestAccounts;
  const prepare = vi.spyOn(Database.prototype, 'prepare');
  beforeEach(async () => {
    accounts = await open();
    prepare.mockClear();
  });
  afterEach(() => accounts.close());
  const insert = (account: number) =>
    accounts.db.insertInto('trials').values({ account_id: account, network: NETWORK, at: 1 }).execute();

  it('prepares a text once, whatever its values are', async () => {
    for (let account = 1; account <= 20; account += 1) await insert(account);
    expect(prepare).toHaveBeenCalledTimes(1);
  });

  it('prepares one anew that has failed, and goes on with it', async () => {
    await insert(1);
    await expect(insert(1)).rejects.toMatchObject({ code: 'accounts_conflict' });
    await insert(2);
    expect(prepare).toHaveBeenCalledTimes(2);
  });

  it('reads columns that another process has added since', async () => {
    const rows = () => accounts.db.selectFrom('trials').selectAll().execute();
    await insert(1);
    await rows();
    const other = await accounts.openAnother();
    await other.db.schema.alterTable('trials').addColumn('noted', 'text').execute();
    expect(await rows()).toEqual([{ account_id: 1, network: NETWORK, at: 1, noted: null }]);
  });

  it('keeps few of many texts', async () => {
    for (let limit = 1; limit <= 300; limit += 1) {
      await accounts.db.selectFrom('trials').select('at').limit(limit).orderBy('at').offset(limit).execute();
    }
    const texts = prepare.mock.calls.length;
    await accounts.db.selectFrom('trials').select('at').limit(1).execute();
    expect(prepare.mock.calls.length).toBe(texts + 1);
  });
});
