import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts, type TestEngine } from '../../../test/support/accounts-engines.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { extent } from '../../../test/support/extent.ts';
import { systemClock } from '../../kernel/clock.ts';
import { openAccountsDatabase } from './accounts-db.ts';

const SCRIPT = fileURLToPath(new URL('../../../test/support/sharing-process.ts', import.meta.url));
const PROCESSES = extent(3, 4);
const TIMES = extent(30, 60);
/** Of work that is due every five milliseconds while somebody waits for 700. Standing still, it is not done once. */
const MIN_BEATS = 10;
/** Statements, which take far longer together than other work may wait. */
const MANY = 3_000;

async function runProcess(url: string): Promise<string> {
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, url, String(TIMES)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [faults] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return child.exitCode === 0 ? '' : faults;
}

describe.each(ENGINES)('a database on $engine that several processes use', ({ place }: TestEngine) => {
  it('is made by one of them, and what they write at the same time is all there', async () => {
    const { url, remove } = await place();
    const faults = await Promise.all(Array.from({ length: PROCESSES }, () => runProcess(url)));
    expect(faults.join('')).toBe('');
    const { db, close } = await openAccountsDatabase({ url, path: 'unused', clock: systemClock });
    const counted = await db.selectFrom('settings').select('value').where('name', '=', 'count').executeTakeFirst();
    expect(counted).toEqual({ value: String(PROCESSES * TIMES) });
    const rows = await db
      .selectFrom('audit')
      .select((eb) => eb.fn.countAll().as('rows'))
      .executeTakeFirst();
    expect(rows).toEqual({ rows: PROCESSES * TIMES });
    await close();
    await remove();
  });
});

describe.each(ENGINES)('somebody who waits for another on $engine', ({ open }) => {
  it('waits as long as a transaction takes, and does other work meanwhile', async () => {
    const accounts = await open();
    const another = await accounts.openAnother();
    await accounts.db.insertInto('settings').values({ name: 'a', value: '' }).execute();
    let beats = 0;
    let isHeld = false;
    const held = accounts.db.transaction().execute(async (transaction) => {
      await transaction.updateTable('settings').set({ value: 'first' }).execute();
      isHeld = true;
      await systemClock.sleep(700);
      await eventually(() => expect(beats).toBeGreaterThan(MIN_BEATS));
    });
    await eventually(() => expect(isHeld).toBe(true));
    const beat = setInterval(() => {
      beats++;
    }, 5);
    // One reads before it writes, which SQLite refuses to whoever has not got the lock from the start.
    const second = another.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('settings').selectAll().execute();
      await transaction.updateTable('settings').set({ value: sql`value || ' second'` }).execute();
    });
    await held;
    await second;
    clearInterval(beat);
    await another.db.updateTable('settings').set({ name: 'b' }).execute();
    expect(await accounts.db.selectFrom('settings').selectAll().execute()).toEqual([
      { name: 'b', value: 'first second' },
    ]);
    await accounts.close();
  });

  it('goes on after a refusal as if nothing had been', async () => {
    const accounts = await open();
    const another = await accounts.openAnother();
    const add = (name: string) =>
      another.db.insertInto('settings').values({ name, value: '' }).returning('name').execute();
    await add('a');
    for (let i = 0; i < 20; i++) {
      const begun = accounts.db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('settings')
          .values({ name: `held${i}`, value: '' })
          .execute();
        await systemClock.sleep(5);
      });
      await Promise.allSettled([begun, add('a'), add(`b${i}`)]);
    }
    const seen = await another.db
      .selectFrom('settings')
      .select((eb) => eb.fn.countAll().as('rows'))
      .executeTakeFirst();
    expect(seen).toEqual({ rows: 41 });
    await accounts.close();
  });
});

describe.each(ENGINES)('much that is asked on $engine', ({ open }) => {
  it.each(['each by itself', 'in one transaction'])('lets other work go on meanwhile, %s', async (how) => {
    const accounts = await open();
    const askMuch = async (db: Pick<TestAccounts['db'], 'selectFrom'>) => {
      for (let asked = 0; asked < MANY; asked++) await db.selectFrom('settings').selectAll().execute();
    };
    let beats = 0;
    const beat = setInterval(() => {
      beats++;
    }, 1);
    await (how === 'each by itself' ? askMuch(accounts.db) : accounts.db.transaction().execute(askMuch));
    clearInterval(beat);
    expect(beats).toBeGreaterThan(MIN_BEATS);
    await accounts.close();
  });
});

describe.each(ENGINES)('a database on $engine that is closed', ({ open }) => {
  it('answers or refuses those who still wait, and the process goes on', async () => {
    const accounts = await open();
    const { db } = await accounts.openAnother();
    const begun = accounts.db.transaction().execute(async (transaction) => {
      await transaction.insertInto('settings').values({ name: 'held', value: '' }).execute();
      await systemClock.sleep(50);
    });
    await systemClock.sleep(10);
    const asked = Array.from({ length: 3 }, (_, i) => [
      db
        .insertInto('settings')
        .values({ name: String(i), value: '' })
        .execute(),
      db.selectFrom('settings').selectAll().execute(),
    ]);
    await systemClock.sleep(1);
    const outcomes = Promise.allSettled(asked.flat());
    await db.destroy();
    expect(await outcomes).toHaveLength(6);
    await begun;
    await accounts.close();
  });
});

describe('a SQLite file', () => {
  it('that somebody does not let go of keeps all who wait for it as long as one of them', async () => {
    const accounts = await ENGINES[0]!.open();
    const another = await accounts.openAnother();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let isHeld = false;
    const holder = accounts.db.transaction().execute(() => {
      isHeld = true;
      return held;
    });
    await eventually(() => expect(isHeld).toBe(true));
    const before = performance.now();
    const waited: number[] = [];
    const insert = (name: string) => another.db.insertInto('settings').values({ name, value: '' }).execute();
    const asked = ['a', 'b'].map(async (name) => {
      await expect(insert(name)).rejects.toMatchObject({ code: 'accounts_unavailable' });
      waited.push(performance.now() - before);
    });
    await Promise.all(asked);
    // One behind the other would be twice as long.
    expect(waited[1]! / waited[0]!).toBeLessThan(1.8);
    letGo();
    await holder;
    await insert('c');
    await accounts.close();
  });

  it('is for its owner only, and whole by itself once it is closed', async () => {
    const { place } = ENGINES[0]!;
    const { url, remove } = await place();
    const accounts = await openAccountsDatabase({ url, path: 'unused', clock: systemClock });
    await accounts.db.insertInto('settings').values({ name: 'a', value: 'b' }).execute();
    const path = fileURLToPath(url);
    for (const file of await readdir(dirname(path))) {
      expect({ file, mode: (await stat(`${dirname(path)}/${file}`)).mode & 0o777 }).toEqual({ file, mode: 0o600 });
    }
    await accounts.close();
    expect(await readdir(dirname(path))).toEqual(['accounts.db']);
    await remove();
  });
});
