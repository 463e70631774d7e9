import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecretSearch } from '../../test/fuzz/secret-search.ts';
import { type DatabasePlace, ENGINES, type TestAccounts } from '../../test/support/accounts-engines.ts';
import { filledAccounts, rowsOf, SPENT_STREAM } from '../../test/support/accounts-rows.ts';
import { eventually } from '../../test/support/eventually.ts';
import { extent } from '../../test/support/extent.ts';
import { TEST_KEY_PLACE } from '../../test/support/secrets-key.ts';
import { readPageSecret } from '../accounts/sessions/page-sessions.ts';
import { systemClock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import { makePrivateFile } from '../kernel/private-files.ts';
import { assertRestorable, backupAccounts, restoreAccounts } from './accounts-backup.ts';
import { openAccountsDatabase } from './accounts-db/accounts-db.ts';
import type { Engine } from './accounts-db/engine.ts';
import { MIGRATIONS, migrateAccounts } from './accounts-db/migrations.ts';
import { openPostgres, SERVING } from './accounts-db/postgres.ts';
import { PAGE_SECRET_SETTING } from './accounts-db/secret-places.ts';
import type { SecretsKeyPlace } from './accounts-db/secrets-key.ts';
import { openSqlite } from './accounts-db/sqlite.ts';
import { TABLES } from './accounts-db/tables.ts';
import { backupOnlyAccounts, restoreOnlyAccounts, restoreStore } from './store-backup.ts';

const clock = systemClock;
const OTHER_KEY = '4f1c9d0a77e2b35886c1f0de249ab3651d7fe08c92a4b6135ec8d7f1a0934b2e';
const at = ({ url }: { readonly url: string }) => ({ url, path: 'unused' });
const ALL_WAYS = ENGINES.flatMap((from) =>
  ENGINES.map((to) => ({ name: `${from.engine}, put back on ${to.engine}`, from, to })),
);
/** In short each engine is copied from, and put back on, once. */
const WAYS = extent(
  ALL_WAYS.filter(({ from, to }) => ENGINES.length === 1 || from !== to),
  ALL_WAYS,
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
    expect(await backupAccounts(at(accounts), join(dir, 'accounts.db'), clock)).toEqual({ key: undefined });
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
      .values({ ...stream, token_code: Buffer.alloc(32, 3) } as never)
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

describe.each(WAYS)('secrets copied from $name', ({ from, to }) => {
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
  const folder = () => join(dir, 'copy');
  const keyFile = () => join(dir, 'data', 'secrets.key');
  const backup = () =>
    backupOnlyAccounts({ accounts: { ...at(accounts), key: TEST_KEY_PLACE }, folder: folder(), clock });
  const restoreWith = (key: SecretsKeyPlace, keyLater = false) =>
    restoreOnlyAccounts({ accounts: { ...at(target), key }, folder: folder(), clock, keyLater });

  it('stay sealed with the key that the backup names and does not hold, and open with it', async () => {
    const box = await accounts.secrets();
    const secret = await readPageSecret(accounts);
    const manifest = await backup();
    expect(manifest.secrets_key).toEqual({ id: box.keyId, kept_in: 'MINTSCOPE_SECRETS_KEY' });
    expect((await readdir(folder())).sort()).toEqual(['accounts.db', 'manifest.json']);
    const files = await Promise.all((await readdir(folder())).map((name) => readFile(join(folder(), name))));
    const secrets = createSecretSearch();
    const key = Buffer.from(TEST_KEY_PLACE.setting ?? '', 'hex');
    for (const bytes of [key, secret]) {
      for (const how of ['hex', 'base64url', 'latin1'] as const) secrets.add({ name: how, text: bytes.toString(how) });
    }
    expect(secrets.find(Buffer.concat(files))).toBeUndefined();
    await restoreWith(TEST_KEY_PLACE);
    const restored = await openAccountsDatabase({ ...at(target), key: TEST_KEY_PLACE, clock });
    expect(await readPageSecret(restored)).toEqual(secret);
    await restored.close();
  });

  it('are refused by a place that has others, of before they were sealed, which get no key of ours', async () => {
    await accounts.secrets();
    await backup();
    await makePlain(target, to.engine);
    const ours = { setting: undefined, file: keyFile(), mayMake: true };
    await expect(restoreWith(ours, true)).rejects.toThrow();
    await expect(readdir(join(dir, 'data'))).rejects.toThrow('ENOENT');
  });

  it('come back to no place without their key, unless it is to come later', async () => {
    const { keyId } = await accounts.secrets();
    await backup();
    const none = { setting: undefined, file: keyFile(), mayMake: true };
    await expect(restoreWith(none)).rejects.toMatchObject({
      code: 'secrets_key_missing',
      message: expect.stringMatching(new RegExp(`${keyId}.*${keyFile()}.*MINTSCOPE_SECRETS_KEY`)),
    });
    await expect(restoreWith({ ...none, setting: OTHER_KEY })).rejects.toMatchObject({ code: 'secrets_key_wrong' });
    await assertRestorable(at(target), clock);
    await restoreWith(none, true);
    await expect(readdir(join(dir, 'data'))).rejects.toThrow('ENOENT');
    const restored = await openAccountsDatabase({ ...at(target), key: none, clock });
    await expect(restored.secrets()).rejects.toMatchObject({ code: 'secrets_key_missing' });
    await restored.close();
    await makePrivateFile(join(dir, 'key'));
    await writeFile(join(dir, 'key'), TEST_KEY_PLACE.setting ?? '');
    const later = await openAccountsDatabase({ ...at(target), key: { ...none, file: join(dir, 'key') }, clock });
    expect((await later.secrets()).keyId).toBe(keyId);
    await later.close();
  });
});

/** Accounts of version 3 with a secret in plain text. */
async function makePlain({ url }: DatabasePlace, engine: Engine): Promise<void> {
  const raw = engine === 'sqlite' ? await openSqlite(fileURLToPath(url)) : openPostgres(url, SERVING, silentLogger);
  await migrateAccounts(raw, engine, { clock, migrations: MIGRATIONS.slice(0, 3) });
  await raw.insertInto('settings').values({ name: PAGE_SECRET_SETTING, value: OTHER_KEY }).execute();
  await raw.destroy();
}
