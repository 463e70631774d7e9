import { describe, expect, it } from 'vitest';
import { randomBetween } from '../../test/support/random.ts';
import { codePoints, editDistance, forgivenEdits } from './edit-distance.ts';

const between = (a: string, b: string, most: number) => editDistance(codePoints(a), codePoints(b), most);

/** By its definition, without a bound. */
function plainDistance(a: string, b: string): number {
  const x = [...a];
  const y = [...b];
  const known = new Map<string, number>();
  function of(i: number, j: number): number {
    const name = `${i} ${j}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    let least = i === 0 || j === 0 ? i + j : Number.POSITIVE_INFINITY;
    if (i > 0 && j > 0) {
      least = Math.min(of(i - 1, j) + 1, of(i, j - 1) + 1, of(i - 1, j - 1) + (x[i - 1] === y[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && x[i - 1] === y[j - 2] && x[i - 2] === y[j - 1])
        least = Math.min(least, of(i - 2, j - 2) + 1);
    }
    known.set(name, least);
    return least;
  }
  return of(x.length, y.length);
}

describe('editDistance', () => {
  it.each([
    ['pepe', 'pepe', 0],
    ['pepe', 'pepee', 1],
    ['pepe', 'pee', 1],
    ['pepe', 'pape', 1],
    ['pepe', 'eppe', 1],
    ['🐸🐸', '🐸', 1],
    ['dogwifhat', 'dgowifaht', 2],
    ['', 'ab', 2],
  ])('of %j and %j is %d', (a, b, edits) => {
    expect(between(a, b, 3)).toBe(edits);
    expect(between(b, a, 3)).toBe(edits);
  });

  it('is that of the definition, up to the bound', () => {
    const text = () => Array.from({ length: randomBetween(0, 9) }, () => 'abc'[randomBetween(0, 2)]).join('');
    for (let tries = 0; tries < 3_000; tries += 1) {
      const [a, b, most] = [text(), text(), randomBetween(0, 3)];
      expect(between(a, b, most), `${a} ${b}`).toBe(Math.min(plainDistance(a, b), most + 1));
    }
  });
});

it('forgives one edit in four to seven characters, and two from eight on', () => {
  expect([3, 4, 7, 8, 62, 63].map(forgivenEdits)).toEqual([0, 1, 1, 2, 2, 0]);
});
