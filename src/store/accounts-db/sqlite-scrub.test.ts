import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock as clock } from '../../kernel/clock.ts';
import { silentLogger } from '../../kernel/log.ts';
import { migrateAccounts } from './migrations.ts';
import type { AccountsSchema } from './schema.ts';
import { SCRUB_SETTING } from './secret-places.ts';
import { openSqlite } from './sqlite.ts';
import { scrubWhenDue } from './sqlite-scrub.ts';

describe('a file that is to be written anew', () => {
  let dir: string;
  let file: string;
  let db: Kysely<AccountsSchema>;
  const warned: unknown[] = [];
  const log = { ...silentLogger, warn: (...line: unknown[]) => void warned.push(line) };
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'mintscope-scrub-'));
    file = join(dir, 'accounts.db');
    db = await openSqlite(file);
    await migrateAccounts(db, 'sqlite', { clock });
    await db.insertInto('settings').values({ name: SCRUB_SETTING, value: '1' }).execute();
    warned.length = 0;
  });
  afterEach(async () => {
    await db.destroy();
    await rm(dir, { recursive: true });
  });
  const isDue = async () =>
    (await db.selectFrom('settings').select('name').where('name', '=', SCRUB_SETTING).execute()).length === 1;

  it.each([
    ['SQLITE_FULL', fillUp],
    ['ConnectionFailed', () => void new Database(join(file, 'no', 'folder'))],
    ['SQLITE_CANTOPEN', () => fail('SQLITE_CANTOPEN')],
    ['SQLITE_IOERR_WRITE', () => fail('SQLITE_IOERR_WRITE')],
  ])('is used as it is after %s, of which a warning tells, and is written at the next start', async (code, fault) => {
    await scrubWhenDue(db, file, log, fault);
    expect(warned).toEqual([
      [{ file, reason: expect.stringMatching(new RegExp(`^${code}`)) }, expect.stringContaining('next start')],
    ]);
    expect(await isDue()).toBe(true);
    await scrubWhenDue(db, file, log);
    expect([warned.length, await isDue()]).toEqual([1, false]);
  });

  it('keeps the service from starting when it is damaged', async () => {
    await expect(scrubWhenDue(db, file, log, () => fail('SQLITE_CORRUPT'))).rejects.toMatchObject({
      name: 'AccountsError',
    });
    expect([warned.length, await isDue()]).toEqual([0, true]);
  });
});

/** A database that has no room for another page. */
function fillUp(): void {
  const database = new Database(':memory:');
  try {
    database.pragma('max_page_count = 2');
    database.exec('CREATE TABLE t (x)');
    database.exec('INSERT INTO t VALUES (zeroblob(100000))');
  } finally {
    database.close();
  }
}

function fail(code: string): never {
  throw Object.assign(new Error('a fault'), { code });
}
