import { expect, test } from 'vitest';
import { KnownByAccount } from './known-by-account.ts';

const knownOfThree = () => {
  const known = new KnownByAccount<{ readonly account: number; readonly n: number }>(3, ({ account }) => account);
  known.set('a', { account: 1, n: 1 });
  known.set('b', { account: 1, n: 2 });
  known.set('c', { account: 2, n: 3 });
  return known;
};

const all = (known: ReturnType<typeof knownOfThree>) => [...known.values()].map(({ n }) => n).sort();

test('what was looked up longest ago goes first, however often it is asked for', () => {
  const known = knownOfThree();
  known.set('a', { account: 1, n: 4 });
  known.get('b');
  known.set('d', { account: 3, n: 5 });
  expect(known.get('b')).toBeUndefined();
  expect(all(known)).toEqual([3, 4, 5]);
});

test('a change of an account makes all of it forgotten, or what it concerns, and nothing else', () => {
  const known = knownOfThree();
  known.forgetAccount(1, ({ n }) => n === 2);
  expect(all(known)).toEqual([1, 3]);
  known.forgetAccount(1);
  expect(all(known)).toEqual([3]);
});

test('what is known under an account of late is forgotten with that one alone', () => {
  const known = knownOfThree();
  known.set('a', { account: 2, n: 4 });
  known.forgetAccount(1);
  expect(all(known)).toEqual([3, 4]);
  known.forgetAccount(2);
  expect(all(known)).toEqual([]);
});
