import { describe, expect, it, vi } from 'vitest';
import type { Clock } from '../../kernel/clock.ts';
import { createApiKey, hashApiKey, isApiKey } from './api-key.ts';
import { createKeyDirectory, DEVELOPMENT_HOLDER, type StoredKey } from './key-directory.ts';

const KEY = createApiKey(new Uint8Array(32).fill(7));
const STORED: StoredKey = { ...DEVELOPMENT_HOLDER, id: 3, name: 'first', hash: hashApiKey(KEY) };

function manualClock(): Clock & { time: number } {
  return {
    time: 0,
    now: () => 0,
    elapsed() {
      return this.time;
    },
    sleep: async () => {},
  };
}

function directory(lookUp = vi.fn(async (hash: Buffer) => (hash.equals(STORED.hash) ? STORED : undefined))) {
  const clock = manualClock();
  return { clock, lookUp, keys: createKeyDirectory({ clock, lookUp, developmentKey: 'local-development' }) };
}

describe('API key', () => {
  it('is well formed when it is made', () => {
    for (let i = 0; i < 50; i += 1) expect(isApiKey(createApiKey())).toBe(true);
  });

  it('shows any single mistyped character', () => {
    for (let i = 'ms_live_'.length; i < KEY.length; i += 1) {
      const typo = KEY[i] === 'x' ? 'y' : 'x';
      expect(isApiKey(KEY.slice(0, i) + typo + KEY.slice(i + 1)), `at ${i}`).toBe(false);
    }
  });

  it.each(['', 'ms_live_', 'ms_test_abc', KEY.slice(1), `${KEY}1`])('is not %j', (text) => {
    expect(isApiKey(text)).toBe(false);
  });
});

describe('key directory', () => {
  it('reads a key once, then knows it at once', async () => {
    const { keys, lookUp } = directory();
    expect(await keys.find(KEY)).toEqual(STORED);
    expect(keys.find(KEY)).toEqual(STORED);
    expect(lookUp).toHaveBeenCalledTimes(1);
  });

  it('reads a key once for all who ask at the same time', async () => {
    const { keys, lookUp } = directory();
    await Promise.all([keys.find(KEY), keys.find(KEY), keys.find(KEY)]);
    expect(lookUp).toHaveBeenCalledTimes(1);
  });

  it('refuses a mistyped key without a look-up', () => {
    const { keys, lookUp } = directory();
    expect(keys.find(`${KEY.slice(0, -1)}x`)).toBeUndefined();
    expect(lookUp).not.toHaveBeenCalled();
  });

  it('remembers for a moment that a key is not known', async () => {
    const { keys, lookUp } = directory();
    const stranger = createApiKey(new Uint8Array(32).fill(8));
    expect(await keys.find(stranger)).toBeUndefined();
    expect(keys.find(stranger)).toBeUndefined();
    expect(lookUp).toHaveBeenCalledTimes(1);
  });

  it('stops knowing a key that was taken away within a second', async () => {
    let stored: StoredKey | undefined = STORED;
    const { keys, clock } = directory(vi.fn(async () => stored));
    await keys.find(KEY);
    stored = undefined;
    clock.time = 1001;
    expect(await keys.find(KEY)).toBeUndefined();
  });

  it('refuses a stored key whose hash is another one', async () => {
    const { keys } = directory(vi.fn(async () => ({ ...STORED, hash: hashApiKey('other') })));
    expect(await keys.find(KEY)).toBeUndefined();
  });

  it('lets a known key work for a minute while keys cannot be read, then fails', async () => {
    const lookUp = vi.fn(async (): Promise<StoredKey | undefined> => STORED);
    const { keys, clock } = directory(lookUp);
    await keys.find(KEY);
    lookUp.mockRejectedValue(new Error('disk'));
    clock.time = 30_000;
    expect(await keys.find(KEY)).toEqual(STORED);
    clock.time = 61_000;
    await expect(keys.find(KEY)).rejects.toThrow('disk');
  });

  it('knows the development key, of whatever shape', () => {
    const { keys } = directory();
    expect(keys.find('local-development')).toBe(DEVELOPMENT_HOLDER);
    expect(keys.find('local-developmenT')).toBeUndefined();
  });
});
