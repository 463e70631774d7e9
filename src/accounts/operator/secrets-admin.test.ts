import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DatabasePlace, ENGINES } from '../../../test/support/accounts-engines.ts';
import { addOwner } from '../../../test/support/list-owners.ts';
import { systemClock as clock } from '../../kernel/clock.ts';
import { type AccountsDatabase, openAccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import { listAudit } from '../audit.ts';
import type { ListOwner } from '../lists/list-owner.ts';
import { createLists } from '../lists/lists.ts';
import { readPageSecret } from '../sessions/page-sessions.ts';
import { createSecretsAdmin } from './secrets-admin.ts';

const PLAIN = { name: 'S', kinds: ['grad'], walletListId: '', devListId: '', minSol: undefined } as const;

describe.each(ENGINES)('secrets of everybody on $engine', ({ place }) => {
  let database: DatabasePlace;
  let dir: string;
  let accounts: AccountsDatabase;
  let owner: ListOwner;
  const opened: AccountsDatabase[] = [];
  beforeEach(async () => {
    database = await place();
    dir = await mkdtemp(join(tmpdir(), 'mintscope-renewed-'));
    accounts = await open();
    owner = await addOwner(accounts);
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
    await database.remove();
    await rm(dir, { recursive: true });
  });

  const key = () => ({ setting: undefined, file: join(dir, 'secrets.key'), mayMake: true });
  async function open(): Promise<AccountsDatabase> {
    const another = await openAccountsDatabase({ url: database.url, path: 'unused', key: key(), clock });
    opened.push(another);
    return another;
  }
  const listsOf = async ({ db, engine, secrets }: AccountsDatabase) =>
    createLists({ db, engine, clock, changes: { tell() {} }, secrets: await secrets(), streamLimit: () => 3 });
  const renew = () => createSecretsAdmin({ ...accounts, key: key(), clock }).renew();

  it('are all new after the key was lost, under a key that is made, and everything else is as it was', async () => {
    const before = await listsOf(accounts);
    const made = [await before.streams.create(owner, PLAIN), await before.streams.create(owner, PLAIN)];
    const pageSecret = await readPageSecret(accounts);
    const { keyId } = await accounts.secrets();
    await rm(key().file);
    await expect((await open()).secrets()).rejects.toMatchObject({ code: 'secrets_key_missing' });

    const renewed = await renew();
    expect(renewed).toEqual({ key_id: expect.stringMatching(/^[\w-]{11}$/), kept_in: key().file, streams: 2 });
    expect(renewed.key_id).not.toBe(keyId);
    const later = await open();
    expect((await later.secrets()).keyId).toBe(renewed.key_id);
    const lists = await listsOf(later);
    const now = await lists.streams.list(owner);
    expect(now).toEqual(made.map((stream, n) => ({ ...stream, token: now[n]?.token, updated_at: now[n]?.updated_at })));
    for (const [n, { token, id }] of made.entries()) {
      expect(now[n]?.token).not.toBe(token);
      expect(await lists.streamTokens.find(token)).toBeUndefined();
      expect(await lists.streamTokens.find(now[n]?.token ?? '')).toMatchObject({ id });
    }
    expect(await readPageSecret(later)).not.toEqual(pageSecret);
  });

  it('are renewed under the same key when that is there, told to every process, and in the audit without a secret', async () => {
    const lists = await listsOf(accounts);
    const { id } = await lists.streams.create(owner, PLAIN);
    const before = await readFile(key().file, 'utf8');
    expect(await renew()).toEqual({ key_id: (await accounts.secrets()).keyId, kept_in: key().file, streams: 1 });
    expect(await readFile(key().file, 'utf8')).toBe(before);
    const [change] = await accounts.db.selectFrom('changes').selectAll().orderBy('id', 'desc').limit(1).execute();
    expect(change).toMatchObject({ kind: 'stream', account_id: owner.accountId, stream_id: id });
    const [entry] = await listAudit(accounts.db, owner.accountId, { limit: 1 });
    expect(entry).toMatchObject({ actor: 'operator', action: 'stream.rotate', details: { stream: id } });
  });

  it('are written by no process that still has the key of before', async () => {
    const lists = await listsOf(accounts);
    const { id } = await lists.streams.create(owner, PLAIN);
    await rm(key().file);
    await renew();
    await expect(lists.streams.create(owner, PLAIN)).rejects.toMatchObject({ code: 'secrets_key_wrong' });
    await expect(lists.streams.rotate(owner, id)).rejects.toMatchObject({ code: 'secrets_key_wrong' });
    // A host that was starting just then.
    await expect(readPageSecret(accounts)).rejects.toMatchObject({ code: 'secrets_key_wrong' });
    const later = await open();
    expect(await (await listsOf(later)).streams.list(owner)).toHaveLength(1);
    expect(await readPageSecret(later)).toHaveLength(32);
  });
});
