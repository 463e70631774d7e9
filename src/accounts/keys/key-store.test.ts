import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { type AccountsDatabase, openAccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import { createKeyStore } from './key-store.ts';

const TEXT = 'ms_live_aSecretThatIsShownOnce';
const HASH = createHash('sha256').update(TEXT).digest();

const keysOf = (accounts: AccountsDatabase) => createKeyStore(accounts, systemClock);

describe('keys in the accounts database', () => {
  let dir: string;
  let path: string;
  let accounts: AccountsDatabase;

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'mintscope-accounts-'));
    path = join(dir, 'accounts.db');
    accounts = await openAccountsDatabase({ url: undefined, path, clock: systemClock });
  });

  afterEach(async () => {
    await accounts.close();
    rmSync(dir, { recursive: true });
  });

  it('finds a key by its hash and never keeps the key', async () => {
    expect(await keysOf(accounts).hasAny()).toBe(false);
    const row = await keysOf(accounts).create({ name: 'first', hash: HASH, text: TEXT });
    expect(row).toMatchObject({ name: 'first', prefix: 'ms_live_aSec', state: 'active' });
    const found = await keysOf(accounts).find(HASH);
    expect(found).toMatchObject({ id: row.id, name: 'first' });
    expect(Buffer.from(found?.hash ?? [])).toEqual(HASH);
    expect(await keysOf(accounts).hasAny()).toBe(true);
    await accounts.close();
    expect(readFileSync(path).includes(TEXT)).toBe(false);
    accounts = await openAccountsDatabase({ url: pathToFileURL(path).href, path: 'unused', clock: systemClock });
    expect(await keysOf(accounts).find(HASH)).toMatchObject({ id: row.id });
  });

  it('does not find a revoked key, and revokes once', async () => {
    const { id } = await keysOf(accounts).create({ name: 'first', hash: HASH, text: TEXT });
    expect(await keysOf(accounts).revoke(id)).toBe(true);
    expect(await keysOf(accounts).revoke(id)).toBe(false);
    expect(await keysOf(accounts).find(HASH)).toBeUndefined();
    expect(await keysOf(accounts).list()).toMatchObject([{ id, state: 'revoked' }]);
  });

  it('is seen by another process that has it open', async () => {
    const other = await openAccountsDatabase({ url: undefined, path, clock: systemClock });
    const { id } = await keysOf(accounts).create({ name: 'first', hash: HASH, text: TEXT });
    expect(await keysOf(other).find(HASH)).toMatchObject({ id });
    await keysOf(other).revoke(id);
    expect(await keysOf(accounts).find(HASH)).toBeUndefined();
    await other.close();
  });
});
