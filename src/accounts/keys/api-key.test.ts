import { describe, expect, it } from 'vitest';
import { createApiKey, isApiKey } from './api-key.ts';

const KEY = createApiKey(new Uint8Array(32).fill(7));

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
