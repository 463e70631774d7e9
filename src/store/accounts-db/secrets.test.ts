import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DatabasePlace, ENGINES } from '../../../test/support/accounts-engines.ts';
import { systemClock } from '../../kernel/clock.ts';
import { silentLogger } from '../../kernel/log.ts';
import { type AccountsDatabase, openAccountsDatabase } from './accounts-db.ts';
import { createSecretBox } from './secret-box.ts';
import { settingPlace } from './secret-places.ts';
import { assertKeyInUse } from './secrets.ts';

const SETTING = '4f1c9d0a77e2b35886c1f0de249ab3651d7fe08c92a4b6135ec8d7f1a0934b2e';

describe.each(ENGINES)('secrets on $engine', ({ engine, place }) => {
  let database: DatabasePlace;
  let dir: string;
  const opened: AccountsDatabase[] = [];
  beforeEach(async () => {
    database = await place();
    dir = await mkdtemp(join(tmpdir(), 'mintscope-hosts-'));
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
    await database.remove();
    await rm(dir, { recursive: true });
  });

  const fileOf = (host: string) => join(dir, host, 'secrets.key');
  const filesOf = (host: string) => readdir(join(dir, host)).catch(() => []);
  /** A process of a host that has a data folder of its own. */
  async function start(host: string, setting?: string): Promise<AccountsDatabase> {
    const key = { setting, file: fileOf(host), mayMake: true };
    const accounts = await openAccountsDatabase({ url: database.url, path: 'unused', key, clock: systemClock });
    opened.push(accounts);
    return accounts;
  }
  const secretsOf = async (host: string, setting?: string) => (await start(host, setting)).secrets();

  it('are opened with a key that the first process makes, and that those after it find', async () => {
    expect(await filesOf('here')).toEqual([]);
    const first = await secretsOf('here');
    expect(await filesOf('here')).toEqual(['secrets.key']);
    expect((await secretsOf('here')).keyId).toBe(first.keyId);
  });

  it('need no key of whoever does not ask for them', async () => {
    await start('here');
    expect(await filesOf('here')).toEqual([]);
  });

  it('are refused on a host without the key, which makes none', async () => {
    const { keyId } = await secretsOf('here');
    await expect(secretsOf('there')).rejects.toMatchObject({
      name: 'AccountsError',
      code: 'secrets_key_missing',
      message: `secrets of the accounts are sealed with the key ${keyId}, which is not there: put it into ${fileOf('there')}, or set MINTSCOPE_SECRETS_KEY`,
    });
    expect(await filesOf('there')).toEqual([]);
  });

  it('are refused with another key, in a file or in the setting, and the message names where that lies', async () => {
    const { keyId } = await secretsOf('here');
    const wrong = createSecretBox(Buffer.from(SETTING, 'hex')).keyId;
    await expect(secretsOf('here', SETTING)).rejects.toMatchObject({
      code: 'secrets_key_wrong',
      message: `secrets of the accounts are sealed with the key ${keyId}, and MINTSCOPE_SECRETS_KEY holds the key ${wrong}: the right one belongs into MINTSCOPE_SECRETS_KEY or ${fileOf('here')}`,
    });
    await writeFile(fileOf('here'), SETTING);
    await expect(secretsOf('here')).rejects.toThrow(`and ${fileOf('here')} holds the key ${wrong}`);
    expect(await readFile(fileOf('here'), 'utf8')).toBe(SETTING);
  });

  it('have one key for all, of six hosts that start at once with keys of their own, and five of them are refused', async () => {
    const starting = await Promise.all(Array.from({ length: 6 }, (_, n) => start(`host${n}`)));
    const results = await Promise.allSettled(starting.map((accounts) => accounts.secrets()));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.map(({ reason }) => reason.code)).toEqual(Array(5).fill('secrets_key_missing'));
    const files = await Promise.all(starting.map((_, n) => filesOf(`host${n}`)));
    expect(files.filter((names) => names.length > 0)).toEqual([['secrets.key']]);
  });

  it('have one key for all that start at once with the same setting', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, (_, n) => secretsOf(`host${n}`, SETTING)));
    expect(new Set(all.map(({ keyId }) => keyId)).size).toBe(1);
    expect(await filesOf('host0')).toEqual([]);
  });

  it('need their key also when the note of it is gone, for as long as anything is sealed', async () => {
    const accounts = await start('here');
    const box = await accounts.secrets();
    const value = box.seal('secret', settingPlace('page_session_secret')).toString('base64url');
    await accounts.db.deleteFrom('settings').execute();
    await accounts.db.insertInto('settings').values({ name: 'page_session_secret', value }).execute();
    await expect(secretsOf('there')).rejects.toMatchObject({ code: 'secrets_key_missing' });
    const later = await start('here');
    expect((await later.secrets()).keyId).toBe(box.keyId);
    await later.db.transaction().execute((transaction) => assertKeyInUse(transaction, engine, box));
  });

  it('are opened with a warning where others could read the key, whichever start it is', async () => {
    const warned: unknown[] = [];
    const log = { ...silentLogger, warn: (...line: unknown[]) => void warned.push(line) };
    await mkdir(join(dir, 'here'));
    for (const _start of ['first', 'later']) {
      await writeFile(fileOf('here'), SETTING);
      await chmod(fileOf('here'), 0o644);
      const key = { setting: undefined, file: fileOf('here'), mayMake: true };
      const accounts = await openAccountsDatabase({ url: database.url, path: 'unused', key, clock: systemClock, log });
      opened.push(accounts);
      await accounts.secrets();
    }
    expect(warned).toEqual(Array(2).fill([{ file: fileOf('here') }, expect.any(String)]));
  });

  it('are not written by a process that has another key than the database by now', async () => {
    const accounts = await start('here');
    const box = await accounts.secrets();
    const inUse = () => accounts.db.transaction().execute((transaction) => assertKeyInUse(transaction, engine, box));
    await inUse();
    await accounts.db.updateTable('settings').set({ value: 'another' }).where('name', '=', 'secrets_key_id').execute();
    await expect(inUse()).rejects.toMatchObject({ code: 'secrets_key_wrong' });
  });

  it.runIf(engine === 'postgres')(
    'keep their key until whoever writes one is through, and others write meanwhile',
    async () => {
      const [writes, renews, alsoWrites] = [await start('here'), await start('here'), await start('here')];
      const box = await writes.secrets();
      const takeNote = () =>
        sql`SELECT 1 FROM settings WHERE name = 'secrets_key_id' FOR UPDATE NOWAIT`.execute(renews.db);
      await writes.db.transaction().execute(async (transaction) => {
        await assertKeyInUse(transaction, engine, box);
        await alsoWrites.db.transaction().execute((another) => assertKeyInUse(another, engine, box));
        await expect(takeNote()).rejects.toMatchObject({ name: 'AccountsError' });
      });
      await takeNote();
    },
  );
});
