import { expect, test } from 'vitest';
import type { Address } from '../chain/address.ts';
import { AddressCache } from './address-cache.ts';

test('a derived address is derived once while in use, and forgotten when two generations have passed', () => {
  const cache = new AddressCache(2);
  const derived: string[] = [];
  const get = (key: string): Address =>
    cache.get(key, () => {
      derived.push(key);
      return key as Address;
    });
  for (const key of ['a', 'a', 'b', 'c', 'a', 'd', 'a']) expect(get(key)).toBe(key);
  expect(derived).toEqual(['a', 'b', 'c', 'd']);
  for (const key of ['e', 'f', 'g', 'h', 'b']) get(key);
  expect(derived).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'b']);
});
