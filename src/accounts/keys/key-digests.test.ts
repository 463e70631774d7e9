import { expect, test, vi } from 'vitest';
import { hashApiKey } from './api-key.ts';
import { createKeyDigests, digestOf } from './key-digests.ts';

const KEYS = Array.from({ length: 12 }, (_, index) => `ms_live_key number ${String(index).padStart(2, '0')}`);
const [KEY = '', OTHER = ''] = KEYS;

function digests() {
  const digest = vi.fn(digestOf);
  return { digest, keys: createKeyDigests(digest) };
}

test('a digest is that which the key is stored by', () => {
  expect(Buffer.from(createKeyDigests().of(KEY, {}), 'binary')).toEqual(hashApiKey(KEY));
});

test('a connection that sends one key has it hashed once', () => {
  const { keys, digest } = digests();
  const connection = {};
  for (let i = 0; i < 100; i += 1) expect(keys.of(KEY, connection)).toBe(digestOf(KEY));
  expect(digest).toHaveBeenCalledTimes(1);
});

test('a connection that sends another key is never given the digest of the one before', () => {
  const { keys } = digests();
  const connection = {};
  for (const text of [KEY, OTHER, KEY, `${KEY}x`, KEY.slice(0, -1), `y${KEY.slice(1)}`, '', KEY]) {
    expect(keys.of(text, connection)).toBe(digestOf(text));
    expect(keys.of(text, connection)).toBe(digestOf(text));
  }
});

test('keys of one connection are none of another', () => {
  const { keys, digest } = digests();
  expect(keys.of(KEY, {})).toBe(digestOf(KEY));
  expect(keys.of(OTHER, {})).toBe(digestOf(OTHER));
  expect(keys.of(KEY, undefined)).toBe(digestOf(KEY));
  expect(digest).toHaveBeenCalledTimes(3);
});

test('a connection that carries many keys remembers none of them', () => {
  const { keys, digest } = digests();
  const connection = {};
  for (const text of KEYS) expect(keys.of(text, connection)).toBe(digestOf(text));
  digest.mockClear();
  for (const text of [KEY, KEY, '', '']) expect(keys.of(text, connection)).toBe(digestOf(text));
  expect(digest).toHaveBeenCalledTimes(4);
});
