import { describe, expect, it } from 'vitest';
import { publicText } from './public-text.ts';

describe('a text for anybody', () => {
  it.each([
    ['fetch failed: https://me:secret@node.invalid:8899/v2/secret?api-key=secret', 'https://node.invalid:8899'],
    ['cannot reach "http://node.invalid/secret", twice', '"http://node.invalid", twice'],
    ['wss://sec@ret:secret@node.invalid#secret', 'wss://node.invalid'],
    ["HTTPS://node.invalid?token=secret'", "HTTPS://node.invalid'"],
  ])('keeps of %s no more than the host', (text, kept) => {
    expect(publicText(text)).toContain(kept);
    expect(publicText(text)).not.toMatch(/secret|sec@|ret:/);
  });

  it.each(['0f8fad5b-d9cb-469f-a165-70867728950e', 'sk_live_a1B2c3D4e5F6g7H8', '4'.repeat(31).concat('f')])(
    'leaves the key %s out',
    (key) => {
      expect(publicText(`getBlock: key ${key} has no access (-32052)`)).toBe('getBlock: key … has no access (-32052)');
    },
  );

  it.each([
    '12 slots are missing, the oldest from 460000000 to 460000011: SOLANA_RPC_URL is not set',
    'Code: 241. DB::Exception: Memory limit (total) exceeded. (TOO_MANY_SIMULTANEOUS_QUERIES)',
    'connect ECONNREFUSED 127.0.0.1:8123',
  ])('leaves %s as it is', (text) => {
    expect(publicText(text)).toBe(text);
  });

  it('is one line, and not long', () => {
    expect(publicText('one\n  two\t')).toBe('one two');
    expect(publicText('word '.repeat(1_000)).length).toBeLessThanOrEqual(501);
  });

  it('never ends within what it would have left out', () => {
    for (let before = 0; before < 60; before += 1) {
      const masked = `${'k3y'.repeat(50)} `.repeat(13);
      const text = `${masked.slice(0, 1_940)} ${'x'.repeat(before)} https://me:pass@node.invalid/`;
      expect(publicText(`${text}${' end'.repeat(100)}`)).not.toContain('pass');
    }
  });
});
