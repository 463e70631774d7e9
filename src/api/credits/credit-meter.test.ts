import { describe, expect, it } from 'vitest';
import { createMemoryMeter } from './credit-meter.ts';

describe('memory meter', () => {
  it('takes what a call costs and says what is left', () => {
    const meter = createMemoryMeter({ credits: 10, enforce: true });
    expect(meter.reserve(1, 'a', 8)?.remaining).toBe(2);
    expect(meter.remaining(1)).toBe(2);
    expect(meter.remaining(2)).toBe(10);
  });

  it('takes nothing when it refuses', () => {
    const meter = createMemoryMeter({ credits: 10, enforce: true });
    expect(meter.reserve(1, 'a', 11)).toBeUndefined();
    expect(meter.remaining(1)).toBe(10);
  });

  it('gives back once, however often a call is settled', () => {
    const meter = createMemoryMeter({ credits: 10, enforce: true });
    const reservation = meter.reserve(1, 'a', 8);
    expect(reservation?.settle(1)).toBe(9);
    expect(reservation?.settle(0)).toBe(9);
  });

  it('only counts when it does not enforce, and never shows less than nothing', () => {
    const meter = createMemoryMeter({ credits: 10, enforce: false });
    expect(meter.reserve(1, 'a', 25)?.remaining).toBe(0);
    expect(meter.reserve(1, 'b', 25)?.remaining).toBe(0);
  });
});
