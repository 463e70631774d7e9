import { describe, expect, it } from 'vitest';
import { createRandom } from './random.ts';

const DRAWS = 40_000;

describe('createRandom', () => {
  it('repeats itself for one seed and differs for another', () => {
    const draw = (seed: string) => {
      const random = createRandom(seed);
      return Array.from({ length: 20 }, () => random.next());
    };
    expect(draw('x')).toEqual(draw('x'));
    expect(draw('x')).not.toEqual(draw('y'));
  });

  it('gives every fork a stream of its own', () => {
    const random = createRandom('forks');
    expect(random.fork('a').next()).not.toBe(random.fork('a').next());
  });

  it('draws ranks by a power law', () => {
    const random = createRandom('zipf');
    const counts = new Array<number>(100).fill(0);
    for (let draw = 0; draw < DRAWS; draw++) counts[random.zipf(100, 1)]!++;
    expect(counts[0]! / counts[9]!).toBeGreaterThan(5);
    expect(counts.every((count) => count > 0)).toBe(true);
  });

  it.each([0.3, 4, 80])('counts arrivals with mean and variance %d', (mean) => {
    const random = createRandom(`poisson ${mean}`);
    const counts = Array.from({ length: DRAWS }, () => random.poisson(mean));
    const average = counts.reduce((sum, count) => sum + count, 0) / DRAWS;
    const variance = counts.reduce((sum, count) => sum + (count - average) ** 2, 0) / DRAWS;
    expect(Math.abs(average / mean - 1)).toBeLessThan(0.05);
    expect(Math.abs(variance / mean - 1)).toBeLessThan(0.08);
  });
});
