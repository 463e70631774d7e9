import { expect, it } from 'vitest';
import { countedSince } from './counted-since.ts';

const slots = { first: 1, since: 1_000 };
const [keptSince, width] = [5_000, 60];

it('begins with the data while all swaps of them are kept, and behind the first bucket where they are not', () => {
  expect(countedSince(slots, { keptSince: 900, first: 0, width })).toBe(1_000);
  expect(countedSince(slots, { keptSince, first: 2_000, width })).toBe(2_060);
  expect(countedSince(slots, { keptSince, first: 6_000, width })).toBe(5_000);
});

it('takes a rollup without a bucket for one that counts what is kept, and nothing for known without data', () => {
  expect(countedSince(slots, { keptSince, first: 0, width })).toBe(5_000);
  expect(countedSince(undefined, { keptSince, first: 2_000, width })).toBeUndefined();
});
