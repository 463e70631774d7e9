import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHistogram, quantile } from './histogram.ts';

const BOUNDS = [1, 2, 5, 10, 100];

function bucketOf(value: number): number {
  const at = BOUNDS.findIndex((bound) => value <= bound);
  return at < 0 ? BOUNDS.length : at;
}

describe('a histogram', () => {
  it('has every measurement in the bucket of its value, a bound in the bucket below it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200 })), (values) => {
        const histogram = createHistogram(BOUNDS);
        for (const value of values) histogram.observe(value);
        const { counts, sum, count } = histogram.figures();
        expect(counts).toEqual([...BOUNDS, 0].map((_, at) => values.filter((value) => bucketOf(value) === at).length));
        expect(count).toBe(values.length);
        expect(sum).toBe(values.reduce((total, value) => total + value, 0));
      }),
    );
  });

  it('knows quantiles as exactly as its buckets are wide', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1 }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (values, share) => {
          const histogram = createHistogram(BOUNDS);
          for (const value of values) histogram.observe(value);
          const exact = [...values].sort((a, b) => a - b)[Math.ceil(share * values.length - 1e-9) - 1]!;
          const bucket = bucketOf(exact);
          const read = quantile(histogram.figures(), share)!;
          expect(read).toBeGreaterThanOrEqual(BOUNDS[bucket - 1] ?? 0);
          expect(read).toBeLessThanOrEqual(BOUNDS[bucket]!);
        },
      ),
    );
  });

  it('knows no quantile without a measurement, and says its last bound for what is beyond', () => {
    const histogram = createHistogram(BOUNDS);
    expect(quantile(histogram.figures(), 0.5)).toBeUndefined();
    histogram.observe(1_000);
    expect(quantile(histogram.figures(), 0.5)).toBe(100);
  });
});
