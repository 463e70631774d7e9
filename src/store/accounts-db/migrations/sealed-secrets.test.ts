import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Kysely, sql } from 'kysely';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecretSearch } from '../../../../test/fuzz/secret-search.ts';
import { type DatabasePlace, ENGINES } from '../../../../test/support/accounts-engines.ts';
import { bytesOfDatabase } from '../../../../test/support/file-bytes.ts';
import { randomBytes } from '../../../../test/support/random.ts';
import { systemClock as clock } from '../../../kernel/clock.ts';
import { type Logger, silentLogger } from '../../../kernel/log.ts';
import { openAccountsDatabase } from '../accounts-db.ts';
import type { Engine } from '../engine.ts';
import { MIGRATIONS, migrateAccounts } from '../migrations.ts';
import { openPostgres, SERVING } from '../postgres.ts';
import type { AccountsSchema } from '../schema.ts';
import { PAGE_SECRET_SETTING, settingPlace, streamTokenPlace } from '../secret-places.ts';
import { openSqlite } from '../sqlite.ts';

/** More than are sealed at once. */
const STREAMS = 503;
const PLAIN_VERSIONS = MIGRATIONS.slice(0, 3);
const newToken = () => randomBytes(32).toString('base64url');

describe.each(ENGINES)('secrets of a database of version 3 on $engine', ({ engine, place }) => {
  let at: DatabasePlace;
  let dir: string;
  let raw: Kysely<AccountsSchema>;
  const pageSecret = newToken();
  const tokens = Array.from({ length: STREAMS }, newToken);
  /** Of streams that were deleted, and the one that was made last. */
  const gone = [newToken(), newToken()];

  beforeEach(async () => {
    at = await place();
    dir = await mkdtemp(join(tmpdir(), 'mintscope-version-3-'));
    raw = await openRaw(at.url, engine);
    await migrateAccounts(raw, engine, { clock, migrations: PLAIN_VERSIONS });
    await raw.transaction().execute(async (transaction) => {
      for (const [n, token] of [...tokens, ...gone].entries()) await insertPlain(transaction, n, token);
    });
    await raw.deleteFrom('streams').where('id', '>', STREAMS).execute();
    await raw.insertInto('settings').values({ name: PAGE_SECRET_SETTING, value: pageSecret }).execute();
    await raw.insertInto('settings').values({ name: 'another', value: 'kept' }).execute();
  });
  afterEach(async () => {
    await raw.destroy();
    await at.remove();
    await rm(dir, { recursive: true });
  });

  const key = (mayMake = true) => ({ setting: undefined, file: join(dir, 'secrets.key'), mayMake });
  const open = (log: Logger = silentLogger) =>
    openAccountsDatabase({ url: at.url, path: 'unused', key: key(), clock, log });
  const secretsIn = async () => findIn(await bytesOf(raw, at.url, engine), [...tokens, ...gone, pageSecret]);

  it('are the same secrets, sealed, and everything beside them is as it was', async () => {
    const accounts = await open();
    const box = await accounts.secrets();
    const streams = await accounts.db.selectFrom('streams').selectAll().orderBy('id').execute();
    expect(streams.map((row) => box.open(row.token_sealed, streamTokenPlace(row)))).toEqual(tokens);
    expect(streams.map(({ token_code }) => token_code)).toEqual(tokens.map((token) => box.codeOf(token)));
    const { token_sealed: _, token_code: __, ...rest } = streams[1]!;
    expect(rest).toEqual({
      id: 2,
      account_id: 1,
      owner: 'owner1',
      name: 'stream 1',
      active: 1,
      kinds: '["feed"]',
      wallet_list_id: 'g',
      dev_list_id: '',
      wallets: '["w"]',
      devs: '[]',
      min_sol: '5',
      created_at: 1,
      updated_at: 2,
    });
    const settings = await accounts.db.selectFrom('settings').selectAll().orderBy('name').execute();
    expect(settings.map(({ name }) => name)).toEqual(['another', PAGE_SECRET_SETTING, 'secrets_key_id']);
    const sealed = Buffer.from(settings[1]?.value ?? '', 'base64url');
    expect(box.open(sealed, settingPlace(PAGE_SECRET_SETTING))).toBe(pageSecret);
    const { id: ___, ...another } = { ...streams[0]!, token_code: Buffer.alloc(32) };
    const made = await accounts.db.insertInto('streams').values(another).returning('id').executeTakeFirstOrThrow();
    expect(made.id).toBe(STREAMS + gone.length + 1);
    await accounts.close();
  });

  it('are nowhere in the files of the database any more, those of deleted streams neither', async () => {
    expect(await secretsIn()).toBe(true);
    const accounts = await open();
    expect(await secretsIn()).toBe(false);
    await accounts.close();
    expect(await secretsIn()).toBe(false);
  });

  it('stay as they are, and the version of before goes on, where no key can be had', async () => {
    await expect(openAccountsDatabase({ url: at.url, path: 'unused', clock })).rejects.toMatchObject({
      code: 'secrets_key_missing',
    });
    const { rows } = await sql<{ token: string }>`SELECT token FROM streams ORDER BY id`.execute(raw);
    expect(rows.map(({ token }) => token)).toEqual(tokens);
  });

  it.runIf(engine === 'sqlite')(
    'are scrubbed at the next start when the process that sealed them was killed',
    async () => {
      await migrateAccounts(raw, engine, { clock, key: key() });
      expect(await secretsIn()).toBe(true);
      const accounts = await open();
      expect(await secretsIn()).toBe(false);
      await accounts.close();
    },
  );

  it.runIf(engine === 'sqlite')(
    'are scrubbed at a later start while somebody reads the file, who is told of',
    async () => {
      await migrateAccounts(raw, engine, { clock, key: key() });
      const reader = new Database(fileURLToPath(at.url));
      reader.exec('BEGIN');
      reader.prepare('SELECT count(*) FROM streams').get();
      const warned: unknown[] = [];
      const log = { ...silentLogger, warn: (...line: unknown[]) => void warned.push(line) };
      await (await open(log)).close();
      expect(warned).toHaveLength(1);
      reader.exec('ROLLBACK');
      reader.close();
      await (await open(log)).close();
      expect([warned.length, await secretsIn()]).toEqual([1, false]);
    },
  );
});

function openRaw(url: string, engine: Engine): Promise<Kysely<AccountsSchema>> | Kysely<AccountsSchema> {
  return engine === 'sqlite' ? openSqlite(fileURLToPath(url)) : openPostgres(url, SERVING, silentLogger);
}

async function insertPlain(db: Kysely<AccountsSchema>, n: number, token: string): Promise<void> {
  await sql`
    INSERT INTO streams (account_id, owner, token, name, active, kinds, wallet_list_id, dev_list_id, wallets, devs, min_sol, created_at, updated_at)
    VALUES (${n % 7}, ${`owner${n % 5}`}, ${token}, ${`stream ${n}`}, ${n % 2}, '["feed"]', 'g', '', '["w"]', '[]', '5', 1, 2)`.execute(
    db,
  );
}

function findIn(bytes: Buffer, texts: readonly string[]): boolean {
  const secrets = createSecretSearch();
  for (const text of texts) secrets.add({ name: 'secret', text });
  return secrets.find(bytes) !== undefined;
}

/** Every byte that the engine keeps of the database on disk, but for Postgres's log of writes. */
async function bytesOf(raw: Kysely<AccountsSchema>, url: string, engine: Engine): Promise<Buffer> {
  if (engine === 'sqlite') {
    return bytesOfDatabase(fileURLToPath(url));
  }
  await sql`CHECKPOINT`.execute(raw);
  const { rows } = await sql<{ bytes: Buffer }>`
    SELECT pg_read_binary_file(pg_relation_filepath(oid)) AS bytes FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'i', 't')`.execute(raw);
  return Buffer.concat(rows.map(({ bytes }) => bytes));
}
