import { describe, expect, it } from 'vitest';
import { simulatedSolUsd } from './sol-price.ts';

describe('the simulated price', () => {
  it('is the same for the same seed and time, and moves little in five seconds', () => {
    const start = Date.UTC(2026, 10, 21);
    for (let i = 0; i < 2_000; i += 1) {
      const now = start + i * 5_000;
      const usd = simulatedSolUsd('1', now);
      expect(usd).toBe(simulatedSolUsd('1', now));
      expect(Math.abs(usd / simulatedSolUsd('1', now + 5_000) - 1)).toBeLessThan(0.002);
    }
    expect(simulatedSolUsd('1', start)).not.toBe(simulatedSolUsd('2', start));
    const daily = Array.from({ length: 365 }, (_, day) => simulatedSolUsd('1', start + day * 86_400_000));
    expect(Math.min(...daily)).toBeGreaterThan(110);
    expect(Math.max(...daily)).toBeLessThan(200);
    expect(new Set(daily).size).toBeGreaterThan(300);
  });
});
