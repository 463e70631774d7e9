import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DatabasePlace, ENGINES } from '../../test/support/accounts-engines.ts';
import { useCommandLine } from '../../test/support/command-line.ts';
import { TEST_KEY_PLACE } from '../../test/support/secrets-key.ts';
import { systemClock as clock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import type { Engine } from '../store/accounts-db/engine.ts';
import { MIGRATIONS, migrateAccounts } from '../store/accounts-db/migrations.ts';
import { openPostgres, SERVING } from '../store/accounts-db/postgres.ts';
import { PAGE_SECRET_SETTING } from '../store/accounts-db/secret-places.ts';
import { openSqlite } from '../store/accounts-db/sqlite.ts';

const PAGE_SECRET = 'Txydgnfis1iGwfDeJJqzZR1_4IySpLYTXsjX8aCTSy4';

/** Accounts of before secrets were sealed, and a command that comes before the first start of the service. */
describe.each(ENGINES)('the key of accounts of version 3 on $engine', ({ engine, place }) => {
  let database: DatabasePlace;
  let dir: string;
  const run = useCommandLine();
  beforeEach(async () => {
    database = await place();
    dir = await mkdtemp(join(tmpdir(), 'mintscope-elsewhere-'));
    const raw = await openRaw(database.url, engine);
    await migrateAccounts(raw, engine, { clock, migrations: MIGRATIONS.slice(0, 3) });
    await raw.insertInto('settings').values({ name: PAGE_SECRET_SETTING, value: PAGE_SECRET }).execute();
    await raw.destroy();
    vi.stubEnv('DATABASE_URL', database.url);
    vi.stubEnv('MINTSCOPE_DATA_DIR', join(dir, 'data'));
  });
  afterEach(async () => {
    await database.remove();
    await rm(dir, { recursive: true });
  });

  const namesIn = (name: string) => readdir(join(dir, name)).catch(() => []);
  const pageSecret = async () => {
    const raw = await openRaw(database.url, engine);
    const rows = await raw.selectFrom('settings').select('value').where('name', '=', PAGE_SECRET_SETTING).execute();
    await raw.destroy();
    return rows[0]?.value;
  };

  it.each([
    ['admin', ['admin', 'key', 'list']],
    ['backup', ['backup', '--only', 'accounts', '--to', 'copy']],
  ])('is not made by %s, which refuses and leaves everything as it is', async (_name, words) => {
    const answer = await run(...words.map((word) => (word === 'copy' ? join(dir, 'copy') : word)));
    expect(answer).toEqual({
      out: '',
      code: 1,
      err: `mintscope: secrets of the accounts have to be sealed, and there is no key here: start the service first, which makes one, or set MINTSCOPE_SECRETS_KEY, or put the key into ${join(dir, 'data', 'secrets.key')}\n`,
    });
    expect(await namesIn('data')).toEqual([]);
    expect(await pageSecret()).toBe(PAGE_SECRET);
  });

  it('may be set, and then admin goes on and makes no file', async () => {
    vi.stubEnv('MINTSCOPE_SECRETS_KEY', TEST_KEY_PLACE.setting);
    expect(await run('admin', 'key', 'list')).toMatchObject({ code: 0, err: '' });
    expect(await namesIn('data')).toEqual([]);
    expect(await pageSecret()).not.toBe(PAGE_SECRET);
  });

  it('is made by whoever renews secrets, and its place is told', async () => {
    const answer = await run('admin', 'secrets', 'renew');
    expect(answer).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(answer.out)).toMatchObject({ kept_in: join(dir, 'data', 'secrets.key') });
    expect(await namesIn('data')).toEqual(['secrets.key']);
  });
});

function openRaw(url: string, engine: Engine) {
  return engine === 'sqlite' ? openSqlite(fileURLToPath(url)) : openPostgres(url, SERVING, silentLogger);
}
