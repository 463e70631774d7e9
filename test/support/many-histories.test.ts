import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manyHistories, takeCounts } from './many-histories.ts';
import { manyHistoriesPlugin } from './many-histories-plugin.ts';

describe('fast-check with many times the histories', () => {
  it('multiplies the number that a property names, and the one it has by default', async () => {
    takeCounts();
    let runs = 0;
    const count = fc.property(fc.nat(), () => {
      runs += 1;
    });
    manyHistories(3).assert(count, { numRuns: 7 });
    expect(runs).toBe(21);
    manyHistories(3).assert(count);
    expect(runs).toBe(321);
    const slow = fc.asyncProperty(fc.nat(), async () => {
      runs += 1;
    });
    await manyHistories(2).assert(slow, { numRuns: 5 });
    expect(runs).toBe(331);
  });

  it('finds what so many histories find, and says its seed', () => {
    let runs = 0;
    const rare = fc.property(fc.nat(), () => {
      runs += 1;
      return runs < 15;
    });
    expect(() => manyHistories(4).assert(rare, { numRuns: 5, seed: 8 })).toThrow('seed: 8');
  });

  it('is what every test of such a run imports, itself aside', () => {
    const { resolveId } = manyHistoriesPlugin() as unknown as {
      resolveId: (source: string, importer: string) => unknown;
    };
    const path = resolveId('fast-check', '/anywhere/some.test.ts');
    expect(path).toMatch(/many-histories\.ts$/);
    expect(resolveId('fast-check', path as string)).toBeUndefined();
    expect(resolveId('vitest', '/anywhere/some.test.ts')).toBeUndefined();
  });
});
