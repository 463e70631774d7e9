import { describe, expect, it, vi } from 'vitest';
import { createHandChanges } from '../../../test/support/hand-changes.ts';
import { createHandClock } from '../../../test/support/hand-clock.ts';
import type { KeyPrincipal } from '../../handlers/caller.ts';
import { createApiKey, hashApiKey } from './api-key.ts';
import { createKeyDirectory, type StoredKey } from './key-directory.ts';

const KEY = keyOf(7);
const PRINCIPAL: KeyPrincipal = {
  id: 3,
  name: 'first',
  accountId: 5,
  wallet: undefined,
  accountState: 'active',
  plan: 'trial',
  state: 'active',
  rate: { rps: 10, burst: 20 },
  poolId: 8,
};
const STORED: StoredKey = { principal: PRINCIPAL, hash: hashApiKey(KEY), lastUsedAt: undefined };
const DEVELOPER: KeyPrincipal = { ...PRINCIPAL, id: 0, name: 'development' };

/** A key of a number's own. */
function keyOf(n: number): string {
  const secret = Buffer.alloc(32, 9);
  secret.writeUInt32LE(n);
  return createApiKey(secret);
}

function directory(
  lookUp = vi.fn(async (hash: Buffer) => (hash.equals(STORED.hash) ? STORED : undefined)),
  developmentKey = 'local-development',
) {
  const clock = createHandClock();
  const changes = createHandChanges();
  const used = vi.fn();
  const development = { key: developmentKey, principal: DEVELOPER };
  return { clock, changes, lookUp, used, keys: createKeyDirectory({ clock, lookUp, changes, used, development }) };
}

describe('key directory', () => {
  it('asks for each request who its key is, whatever the connection has sent before', async () => {
    const { keys, lookUp, changes } = directory();
    const asker = { clientAddress: '192.0.2.1', socket: {} };
    expect(await keys.find(KEY, asker)).toBe(PRINCIPAL);
    expect(keys.find(KEY, asker)).toBe(PRINCIPAL);
    expect(await keys.find(keyOf(8), asker)).toBeUndefined();
    expect(keys.find(KEY, asker)).toBe(PRINCIPAL);
    lookUp.mockResolvedValue({ ...STORED, principal: { ...PRINCIPAL, state: 'revoked' } });
    changes.tell({ kind: 'key', accountId: PRINCIPAL.accountId, keyId: PRINCIPAL.id });
    expect(await keys.find(KEY, asker)).toMatchObject({ state: 'revoked' });
  });

  it('reads a key once, then knows it at once, for as long as changes are read', async () => {
    const { keys, lookUp, clock } = directory();
    expect(await keys.find(KEY)).toBe(PRINCIPAL);
    for (let second = 0; second < 200; second += 1) {
      await clock.advance(1_000);
      expect(keys.find(KEY)).toBe(PRINCIPAL);
    }
    expect(lookUp).toHaveBeenCalledTimes(1);
    await clock.advance(101_000);
    expect(await keys.find(KEY)).toBe(PRINCIPAL);
    expect(lookUp, 'even then it is looked up again now and then').toHaveBeenCalledTimes(2);
  });

  it('reads a key once for all who ask at the same time', async () => {
    const { keys, lookUp } = directory();
    await Promise.all([keys.find(KEY), keys.find(KEY), keys.find(KEY)]);
    expect(lookUp).toHaveBeenCalledTimes(1);
  });

  it('refuses a mistyped key, and one that is too long to be one, without a look-up', () => {
    const { keys, lookUp } = directory();
    expect(keys.find(`${KEY.slice(0, -1)}x`)).toBeUndefined();
    expect(keys.find('x'.repeat(100_000))).toBeUndefined();
    expect(lookUp).not.toHaveBeenCalled();
  });

  it.each([
    ['its key', { kind: 'key', accountId: 5, keyId: 3 }],
    ['its account', { kind: 'account', accountId: 5 }],
    ['anything', { kind: 'everything' }],
  ] as const)('looks a key up again when %s changed', async (_what, change) => {
    let stored: StoredKey | undefined = STORED;
    const { keys, changes } = directory(vi.fn(async () => stored));
    await keys.find(KEY);
    stored = { ...STORED, principal: { ...PRINCIPAL, state: 'suspended' } };
    expect(keys.find(KEY)).toBe(PRINCIPAL);
    changes.tell(change);
    expect(await keys.find(KEY)).toMatchObject({ state: 'suspended' });
    stored = undefined;
    changes.tell(change);
    expect(await keys.find(KEY)).toBeUndefined();
  });

  it.each([
    ['another key of the account', { kind: 'key', accountId: 5, keyId: 4 }],
    ['another account', { kind: 'account', accountId: 6 }],
    ['what keys do not depend on', { kind: 'credits', accountId: 5 }],
  ] as const)('goes on with a key when %s changed', async (_what, change) => {
    const { keys, changes, lookUp } = directory();
    await keys.find(KEY);
    changes.tell(change);
    expect(keys.find(KEY)).toBe(PRINCIPAL);
    expect(lookUp).toHaveBeenCalledTimes(1);
  });

  it('looks each key up at most once a second while changes are not read', async () => {
    const { keys, changes, clock, lookUp } = directory();
    await keys.find(KEY);
    changes.ageMs = 1_001;
    expect(keys.find(KEY)).toBe(PRINCIPAL);
    await clock.advance(1_000);
    await keys.find(KEY);
    expect(keys.find(KEY)).toBe(PRINCIPAL);
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it('trusts no key longer than a second after changes were read, however old that was when it asked', async () => {
    const { keys, changes, clock, lookUp } = directory();
    await keys.find(KEY);
    await clock.advance(1_000);
    changes.ageMs = 400;
    expect(keys.find(KEY)).toBe(PRINCIPAL);
    await clock.advance(599);
    expect(keys.find(KEY)).toBe(PRINCIPAL);
    expect(lookUp).toHaveBeenCalledTimes(1);
    await clock.advance(1);
    changes.ageMs = 1_000;
    await keys.find(KEY);
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it('does not go on with what was read before a change that was told meanwhile', async () => {
    let stored = STORED;
    const answers: (() => void)[] = [];
    const lookUp = vi.fn((): Promise<StoredKey | undefined> => {
      const read = stored;
      return new Promise((resolve) => answers.push(() => resolve(read)));
    });
    const { keys, changes, clock } = directory(lookUp);
    const first = keys.find(KEY);
    await clock.advance(0);
    stored = { ...STORED, principal: { ...PRINCIPAL, state: 'revoked' } };
    changes.tell({ kind: 'key', accountId: 5, keyId: 3 });
    answers.shift()?.();
    expect(await first).toBe(PRINCIPAL);
    await clock.advance(1_000);
    const second = keys.find(KEY);
    answers.shift()?.();
    expect(await second, 'within a second of the change').toMatchObject({ state: 'revoked' });
  });

  it('refuses a stored key whose hash is another one', async () => {
    const { keys } = directory(vi.fn(async () => ({ ...STORED, hash: hashApiKey('other') })));
    expect(await keys.find(KEY)).toBeUndefined();
  });

  it('knows the development key, of whatever shape', () => {
    const { keys } = directory();
    expect(keys.find('local-development')).toBe(DEVELOPER);
    expect(keys.find('local-developmenT')).toBeUndefined();
    const asIfStored = directory(undefined, keyOf(1));
    expect(asIfStored.keys.find(keyOf(1))).toBe(DEVELOPER);
    expect(asIfStored.lookUp).not.toHaveBeenCalled();
  });

  it('tells of a key in use at most once a minute, and never of one that is let in nowhere', async () => {
    const { keys, used, clock } = directory();
    await keys.find(KEY);
    expect(used).toHaveBeenCalledTimes(1);
    for (let i = 0; i < 10; i += 1) expect(keys.find(KEY)).toBe(PRINCIPAL);
    expect(used).toHaveBeenCalledTimes(1);
    await clock.advance(60_000);
    await keys.find(KEY);
    expect(used).toHaveBeenCalledTimes(2);
    const suspended = directory(
      vi.fn(async () => ({ ...STORED, principal: { ...PRINCIPAL, state: 'suspended' as const } })),
    );
    await suspended.keys.find(KEY);
    await suspended.keys.find(KEY);
    expect(suspended.used).not.toHaveBeenCalled();
  });
});

describe('key directory while keys cannot be read', () => {
  it('lets a known key work for a minute, at once, then fails', async () => {
    const lookUp = vi.fn(async (): Promise<StoredKey | undefined> => STORED);
    const { keys, clock, changes } = directory(lookUp);
    await keys.find(KEY);
    changes.ageMs = Number.POSITIVE_INFINITY;
    lookUp.mockRejectedValue(new Error('disk'));
    await clock.advance(30_000);
    expect(await keys.find(KEY)).toBe(PRINCIPAL);
    for (let i = 0; i < 100; i += 1) expect(keys.find(KEY), 'one failed look-up a second').toBe(PRINCIPAL);
    expect(lookUp).toHaveBeenCalledTimes(2);
    await clock.advance(31_000);
    await expect(keys.find(KEY)).rejects.toThrow('disk');
  });

  it('does not wait for a look-up that hangs', async () => {
    const lookUp = vi.fn(async (): Promise<StoredKey | undefined> => STORED);
    const { keys, clock, changes } = directory(lookUp);
    await keys.find(KEY);
    changes.ageMs = Number.POSITIVE_INFINITY;
    lookUp.mockReturnValue(new Promise(() => {}));
    await clock.advance(2_000);
    const waiting = keys.find(KEY);
    await clock.advance(500);
    expect(await waiting).toBe(PRINCIPAL);
    expect(keys.find(KEY)).toBe(PRINCIPAL);
    await clock.advance(3_000);
    expect(keys.find(KEY), 'and does not begin another').toBe(PRINCIPAL);
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it('does not go on with a key that is known to have changed', async () => {
    const lookUp = vi.fn(async (): Promise<StoredKey | undefined> => STORED);
    const { keys, changes } = directory(lookUp);
    await keys.find(KEY);
    changes.tell({ kind: 'key', accountId: 5, keyId: 3 });
    lookUp.mockRejectedValue(new Error('disk'));
    await expect(keys.find(KEY)).rejects.toThrow('disk');
  });
});

describe('key directory under a stream of keys that nobody knows', () => {
  it('remembers for a moment that a key is not known', async () => {
    const { keys, lookUp, clock } = directory();
    expect(await keys.find(keyOf(8))).toBeUndefined();
    expect(keys.find(keyOf(8))).toBeUndefined();
    await clock.advance(1_000);
    await keys.find(keyOf(8));
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it('keeps the known ones, and reads few at a time', async () => {
    let running = 0;
    let most = 0;
    const lookUp = vi.fn(async (hash: Buffer): Promise<StoredKey | undefined> => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return hash.equals(STORED.hash) ? STORED : undefined;
    });
    const { keys } = directory(lookUp);
    await keys.find(KEY);
    for (let batch = 0; batch < 60; batch += 1) {
      await Promise.all(Array.from({ length: 1_000 }, (_, i) => keys.find(keyOf(10 + batch * 1_000 + i))));
    }
    expect(lookUp).toHaveBeenCalledTimes(60_001);
    expect(most).toBe(4);
    expect(keys.find(KEY), 'still at once').toBe(PRINCIPAL);
  });

  it('refuses when too many wait, and goes on afterwards', async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { keys } = directory(vi.fn(() => gate.then((): StoredKey | undefined => undefined)));
    const asked = Array.from({ length: 3_000 }, async (_, i) => keys.find(keyOf(10 + i)));
    const settled = Promise.allSettled(asked);
    open();
    const refused = (await settled).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(3_000 - 2_004);
    expect(await keys.find(keyOf(9_999))).toBeUndefined();
  });
});
