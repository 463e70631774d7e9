import { expect, it } from 'vitest';
import { textHash } from './text-hash.ts';

const TEXTS = 200_000;
const SEED = 0x1234_5678;
/** Seeds that have the low bits in common, which are as many as a character has. */
const ALIKE = [0x0234_5678, 0x1235_5678, 0x9234_5678, 0x1234_5ff8, 0xfedc_ba78];

it('texts that have one hash under a seed have different ones under every other', () => {
  const texts = new Map<number, string>();
  const pairs: (readonly [string, string])[] = [];
  for (let number = 0; number < TEXTS; number += 1) {
    const text = `${number.toString(36)}pump${(number * 7_919).toString(36)}`;
    const hash = textHash(text, SEED);
    const other = texts.get(hash);
    if (other === undefined) texts.set(hash, text);
    else pairs.push([other, text]);
  }
  // Of 32 bits: some five, or a few more or less.
  expect(pairs.length).toBeGreaterThan(0);
  expect(pairs.length).toBeLessThan(30);
  for (const seed of ALIKE) {
    expect(pairs.filter(([a, b]) => textHash(a, seed) === textHash(b, seed))).toEqual([]);
  }
});
