import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DatabasePlace, ENGINES, type TestAccounts } from '../../test/support/accounts-engines.ts';
import { filledAccounts, rowsOf, SPENT_STREAM } from '../../test/support/accounts-rows.ts';
import { eventually } from '../../test/support/eventually.ts';
import { systemClock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import { assertRestorable, backupAccounts, restoreAccounts } from './accounts-backup.ts';
import { openAccountsDatabase } from './accounts-db/accounts-db.ts';
import { TABLES } from './accounts-db/tables.ts';
import { backupOnlyAccounts, restoreOnlyAccounts, restoreStore } from './store-backup.ts';

const clock = systemClock;
const at = ({ url }: { readonly url: string }) => ({ url, path: 'unused' });
const WAYS = ENGINES.flatMap((from) =>
  ENGINES.map((to) => ({ name: `${from.engine}, put back on ${to.engine}`, from, to })),
);

describe.each(WAYS)('accounts copied from $name', ({ from, to }) => {
  let dir: string;
  let accounts: TestAccounts;
  let target: DatabasePlace;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'mintscope-accounts-backup-'));
    accounts = await from.open();
    target = await to.place();
  });
  afterEach(async () => {
    await accounts.close();
    await target.remove();
    await rm(dir, { recursive: true });
  });
  const openTarget = () => openAccountsDatabase({ ...at(target), clock });

  it('are the same, row for row, with nothing leased, and ids go on where they were', async () => {
    await filledAccounts(accounts.db);
    const before = await rowsOf(accounts.db);
    expect(await backupAccounts(at(accounts), join(dir, 'accounts.db'), clock)).toBe(true);
    expect(await readdir(dir)).toEqual(['accounts.db']);
    await restoreAccounts(join(dir, 'accounts.db'), at(target), clock);
    const restored = await openTarget();
    const after = await rowsOf(restored.db);
    for (const [name, layout] of Object.entries(TABLES)) {
      if (name === 'migrations') continue;
      const rows = (before[name] ?? []).map((row) => (name === 'pools' ? { ...row, leased: 0 } : row));
      expect({ name, rows: after[name] }).toEqual({ name, rows: layout.leftOut === undefined ? rows : [] });
      expect(before[name]?.length).toBeGreaterThan(0);
    }
    const { id: _, ...stream } = before.streams![0]!;
    const made = await restored.db
      .insertInto('streams')
      .values({ ...stream, token: 'another' } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    // The last stream was deleted before the copy was made: its id is not given out again.
    expect(made.id).toBe(SPENT_STREAM + 1);
    await restored.close();
  });

  it('are of one moment, whatever is moved meanwhile', async () => {
    await filledAccounts(accounts.db);
    const another = await accounts.openAnother();
    let ends = false;
    let moved = 0;
    const moving = (async () => {
      for (; !ends; moved++) {
        // SQLite answers at once: without this nobody else would ever get a turn.
        await systemClock.sleep(1);
        await another.db.transaction().execute(async (transaction) => {
          const lose = transaction.updateTable('pools').where('id', '=', 1);
          await lose.set((row) => ({ balance: row('balance', '-', 1) })).execute();
          const entry = {
            pool_id: 1,
            account_id: 1,
            kind: 'calls',
            amount: -1,
            at: moved,
            reference: `moved${moved}`,
          } as const;
          await transaction.insertInto('ledger').values(entry).execute();
        });
      }
    })();
    await eventually(() => expect(moved).toBeGreaterThan(0));
    await backupAccounts(at(accounts), join(dir, 'accounts.db'), clock);
    const movedDuring = moved;
    ends = true;
    await moving;
    expect(movedDuring).toBeGreaterThan(0);
    await restoreAccounts(join(dir, 'accounts.db'), at(target), clock);
    const restored = await openTarget();
    const pools = await restored.db.selectFrom('pools').select(['id', 'balance']).orderBy('id').execute();
    const sums = await restored.db
      .selectFrom('ledger')
      .select((eb) => ['pool_id as id', eb.fn.sum('amount').as('balance')])
      .groupBy('pool_id')
      .orderBy('pool_id')
      .execute();
    expect(sums).toEqual(pools);
    await restored.close();
  });

  it('never come into a database that has some', async () => {
    await filledAccounts(accounts.db);
    await backupAccounts(at(accounts), join(dir, 'accounts.db'), clock);
    await restoreAccounts(join(dir, 'accounts.db'), at(target), clock);
    const restored = await openTarget();
    const before = await rowsOf(restored.db);
    await expect(assertRestorable(at(target), clock)).rejects.toThrow(/already/);
    if (to.engine === 'postgres') {
      await expect(restoreAccounts(join(dir, 'accounts.db'), at(target), clock)).rejects.toThrow(
        'there are accounts in it already',
      );
    }
    expect(await rowsOf(restored.db)).toEqual(before);
    await restored.close();
  });

  it('come whole or not at all', async () => {
    await filledAccounts(accounts.db);
    await backupAccounts(at(accounts), join(dir, 'accounts.db'), clock);
    // A row that no database takes, in a table that is copied after most others.
    const damaged = await openAccountsDatabase({ url: undefined, path: join(dir, 'accounts.db'), clock });
    await damaged.db.schema.dropTable('audit').execute();
    await damaged.close();
    await expect(restoreAccounts(join(dir, 'accounts.db'), at(target), clock)).rejects.toThrow('audit');
    await assertRestorable(at(target), clock);
    const untouched = await openTarget();
    expect((await rowsOf(untouched.db)).accounts).toEqual([]);
    await untouched.close();
  });
});

describe('a folder with accounts alone', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'mintscope-accounts-backup-'));
  });
  afterEach(() => rm(dir, { recursive: true }));
  const place = (name: string) => ({ url: undefined, path: join(dir, name, 'accounts.db') });
  const folder = () => join(dir, 'copy');

  it('says so, and is no backup of a store', async () => {
    const first = await openAccountsDatabase({ ...place('from'), clock });
    await filledAccounts(first.db);
    // In use while it is copied.
    const manifest = await backupOnlyAccounts({ accounts: place('from'), folder: folder(), clock });
    await first.close();
    expect(manifest).toMatchObject({ format: 1, only: 'accounts' });
    expect(JSON.parse(await readFile(join(folder(), 'manifest.json'), 'utf8'))).toEqual(manifest);
    const options = { accounts: place('to'), folder: folder(), clock };
    await expect(restoreStore({ ...options, dataDir: join(dir, 'to'), log: silentLogger })).rejects.toThrow(
      '--only accounts',
    );
    expect(await restoreOnlyAccounts(options)).toEqual(manifest);
    await expect(restoreOnlyAccounts(options)).rejects.toThrow('is there already');
    await expect(backupOnlyAccounts({ ...options, folder: folder() })).rejects.toThrow('is not empty');
    await expect(backupOnlyAccounts({ accounts: place('none'), folder: join(dir, 'new'), clock })).rejects.toThrow(
      'no accounts yet',
    );
  });

  it('may have been made by an older version, and stays as it was', async () => {
    const packed = await readFile(new URL('../../test/fixtures/accounts-of-version-1.db.gz', import.meta.url));
    const { gunzipSync } = await import('node:zlib');
    await mkdir(folder());
    await writeFile(join(folder(), 'accounts.db'), gunzipSync(packed));
    await writeFile(join(folder(), 'manifest.json'), JSON.stringify({ format: 1, accounts: true }));
    await copyFile(join(folder(), 'accounts.db'), join(dir, 'before'));
    await restoreOnlyAccounts({ accounts: place('to'), folder: folder(), clock });
    expect(await readFile(join(folder(), 'accounts.db'))).toEqual(await readFile(join(dir, 'before')));
    const restored = await openAccountsDatabase({ ...place('to'), clock });
    expect(await restored.db.selectFrom('api_keys').select(['name', 'account_id']).orderBy('id').execute()).toEqual(
      ['first', 'second', 'third'].map((name) => ({ name, account_id: 1 })),
    );
    await restored.close();
  });
});
