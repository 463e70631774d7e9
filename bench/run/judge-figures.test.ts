import { describe, expect, it } from 'vitest';
import { readOptions } from './benchmark.ts';
import { judgeFigures } from './judge-figures.ts';

const GOOD = { bench: 'api', ratio: 0.7, bar: 0.6, rows: 0, swaps_ratio: 0.9, claims: { sends: { precision: 1 } } };
const judge =
  (figures: Readonly<Record<string, unknown>>, whole = true) =>
  () =>
    judgeFigures('api', { ...GOOD, ...figures }, { whole });

describe('the figures of a benchmark', () => {
  it('are printed when all of them were measured', () => {
    expect(judge({})).not.toThrow();
  });

  it.each([
    [{ ratio: Number.NaN }, 'ratio is NaN'],
    [{ ratio: 0 }, 'ratio is 0: nothing was measured'],
    [{ swaps_ratio: -1 }, 'swaps_ratio is -1'],
    [{ sign_in_per_second: 0 }, 'sign_in_per_second is 0'],
    [{ p99_ms: Number.POSITIVE_INFINITY }, 'p99_ms is Infinity'],
    [{ claims: { sends: { precision: Number.NaN } } }, 'claims.sends.precision is NaN'],
    [{ ratios: [1, Number.NaN] }, 'ratios.1 is NaN'],
    [{ bench: 'wire' }, 'says that it is of wire'],
    [{ ratio: undefined }, 'there is no ratio'],
  ])('are refused when %o', (figures, message) => {
    expect(judge(figures)).toThrow(message);
  });

  it('may be without a ratio where only a part was asked for', () => {
    expect(judge({ ratio: undefined }, false)).not.toThrow();
  });
});

describe('the words behind the name of a benchmark', () => {
  it('are read the same way by all of them, wherever --short stands', () => {
    expect(readOptions(['hot', '--short', '200'])).toEqual({ short: true, words: ['hot', '200'] });
    expect(readOptions(['--seeds', '3'])).toEqual({ short: false, words: ['--seeds', '3'] });
  });
});
