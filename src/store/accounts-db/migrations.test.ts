import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DatabasePlace, ENGINES } from '../../../test/support/accounts-engines.ts';
import { systemClock } from '../../kernel/clock.ts';
import { silentLogger } from '../../kernel/log.ts';
import { type AccountsDatabase, openAccountsDatabase } from './accounts-db.ts';
import type { Migration } from './migration.ts';
import { MIGRATIONS, migrateAccounts } from './migrations.ts';
import { openPostgres, SERVING } from './postgres.ts';
import type { AccountsSchema } from './schema.ts';
import { openSqlite } from './sqlite.ts';

const FIRST_ID = 1;
const hashOf = (name: string) => createHash('sha256').update(name).digest();
const openAt = (url: string) => openAccountsDatabase({ url, path: 'unused', clock: systemClock });
const versionsOf = async ({ db }: Pick<AccountsDatabase, 'db'>) =>
  (await db.selectFrom('migrations').select('version').orderBy('version').execute()).map(({ version }) => version);
const NEWEST = MIGRATIONS.map((_, index) => index + 1);

/** Every key belongs to the operator's account, and the next one counts on. */
async function expectAdopted({ db }: AccountsDatabase, keys: readonly string[]): Promise<void> {
  const [operator] = await db.selectFrom('accounts').selectAll().execute();
  expect(operator).toMatchObject({ id: FIRST_ID, wallet: null, plan: 'operator', state: 'active', reset_at: null });
  const rows = await db.selectFrom('api_keys').selectAll().orderBy('id').execute();
  expect(rows.map(({ id, account_id, name, hash }) => ({ id, account_id, name, hash }))).toEqual(
    keys.map((name, index) => ({ id: index + 1, account_id: FIRST_ID, name, hash: hashOf(name) })),
  );
  expect(rows[1]).toMatchObject({ state: 'revoked', budget: null, last_used_at: null, created_at: 1_790_000_000_000 });
  const { id: _, ...another } = { ...rows[0]!, hash: hashOf('another') };
  const made = await db.insertInto('api_keys').values(another).returning('id').executeTakeFirstOrThrow();
  expect(made.id).toBe(keys.length + 1);
}

describe.each(ENGINES)('migrations on $engine', ({ engine, place }) => {
  let at: DatabasePlace;
  let raw: Kysely<AccountsSchema>;
  beforeEach(async () => {
    at = await place();
    raw = engine === 'sqlite' ? await openSqlite(fileURLToPath(at.url)) : openPostgres(at.url, SERVING, silentLogger);
  });
  afterEach(async () => {
    await raw.destroy();
    await at.remove();
  });
  const migrate = (migrations: readonly Migration[]) =>
    migrateAccounts(raw, engine, { clock: systemClock, migrations });

  it('make the operator’s account for the keys of version 1', async () => {
    await migrate(MIGRATIONS.slice(0, 1));
    const names = ['first', 'second', 'third'];
    for (const name of names) {
      const state = name === 'second' ? 'revoked' : 'active';
      const values = { name, hash: hashOf(name), prefix: name, state, created_at: 1_790_000_000_000 } as const;
      await raw
        .insertInto('api_keys')
        .values(values as never)
        .execute();
    }
    const accounts = await openAt(at.url);
    expect(await versionsOf(accounts)).toEqual(NEWEST);
    await expectAdopted(accounts, names);
    await accounts.close();
  });

  it('make no account where there are no keys', async () => {
    await migrate(MIGRATIONS.slice(0, 1));
    const accounts = await openAt(at.url);
    expect(await accounts.db.selectFrom('accounts').selectAll().execute()).toEqual([]);
    await accounts.close();
  });

  it('leave everything as it was when one fails, so that the version of before goes on', async () => {
    await migrate(MIGRATIONS.slice(0, 1));
    const breaks: Migration = async (db) => {
      await db.schema.createTable('half').addColumn('id', 'integer').execute();
      throw new Error('the power went');
    };
    await expect(migrate([...MIGRATIONS, breaks])).rejects.toThrow('the power went');
    expect(await versionsOf({ db: raw })).toEqual([FIRST_ID]);
    expect((await raw.introspection.getTables()).map(({ name }) => name)).not.toContain('half');
    const accounts = await openAt(at.url);
    expect(await versionsOf(accounts)).toEqual(NEWEST);
    await accounts.close();
  });

  it('are done once by eight that open the same empty database at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => openAt(at.url)));
    for (const accounts of all) expect(await versionsOf(accounts)).toEqual(NEWEST);
    await Promise.all(all.map((accounts) => accounts.close()));
  });

  it('refuse a database of a newer version in plain words, and leave it alone', async () => {
    await (await openAt(at.url)).close();
    await raw.insertInto('migrations').values({ version: 12, applied_at: 0 }).execute();
    await expect(openAt(at.url)).rejects.toMatchObject({
      name: 'AccountsError',
      code: 'accounts_newer',
      message: expect.stringContaining(`is of version 12, and this mintscope knows ${MIGRATIONS.length}`),
    });
    expect(await versionsOf({ db: raw })).toEqual([...NEWEST, 12]);
  });
});

describe('a file that version 1 has made', () => {
  it('is brought over with its keys', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'mintscope-version-1-'));
    const path = join(dir, 'accounts.db');
    const packed = await readFile(new URL('../../../test/fixtures/accounts-of-version-1.db.gz', import.meta.url));
    await writeFile(path, gunzipSync(packed));
    const accounts = await openAccountsDatabase({ url: undefined, path, clock: systemClock });
    await expectAdopted(accounts, ['first', 'second', 'third']);
    await accounts.close();
    await rm(dir, { recursive: true });
  });
});
