import { describe, expect, it } from 'vitest';
import { socketLimits } from './socket-limits.ts';

const CONFIG = { connectionsPerAddress: 256, trustedHops: 0 };

describe('connections', () => {
  it.each([
    [320, 160],
    [512, 256],
    [1_024, 704],
    [4_096, 3_776],
    [1_048_576, 16_384],
    [Number.POSITIVE_INFINITY, 16_384],
  ])('of a process with %s descriptors leave a reserve for everything else: %s', (descriptors, expected) => {
    expect(socketLimits(CONFIG, descriptors).maxConnections).toBe(expected);
  });

  it('are bounded by address, but not behind a proxy, where all come from one', () => {
    expect(socketLimits(CONFIG, 1_024).maxPerAddress).toBe(256);
    expect(socketLimits({ ...CONFIG, trustedHops: 1 }, 1_024).maxPerAddress).toBe(0);
    expect(socketLimits({ ...CONFIG, connectionsPerAddress: 0 }, 1_024).maxPerAddress).toBe(0);
  });

  it('have a bound below the limit of this very process', () => {
    const { maxConnections } = socketLimits(CONFIG);
    expect(maxConnections).toBeGreaterThan(0);
    expect(maxConnections).toBeLessThanOrEqual(16_384);
  });
});
