import { describe, expect, it } from 'vitest';
import type { Reservation } from '../../src/accounts/credits/credit-meter.ts';
import { TEST_PRINCIPAL as ONE } from './api-app.ts';
import { createMemoryMeter } from './memory-meter.ts';

const OTHER = { ...ONE, id: 2, poolId: 2 };

describe('memory meter', () => {
  it('takes what a call costs and says what is left', () => {
    const meter = createMemoryMeter({ credits: 10, enforce: true });
    expect(take(meter.reserve(ONE, 'a', 'GET /x', 8))?.remaining).toBe(2);
    expect(meter.remaining(ONE)).toBe(2);
    expect(meter.remaining(OTHER)).toBe(10);
  });

  it('takes nothing when it refuses', () => {
    const meter = createMemoryMeter({ credits: 10, enforce: true });
    expect(take(meter.reserve(ONE, 'a', 'GET /x', 11))).toBeUndefined();
    expect(meter.remaining(ONE)).toBe(10);
  });

  it('gives back once, however often a call is settled', () => {
    const meter = createMemoryMeter({ credits: 10, enforce: true });
    const reservation = take(meter.reserve(ONE, 'a', 'GET /x', 8));
    expect(reservation?.settle(1)).toBe(9);
    expect(reservation?.settle(0)).toBe(9);
  });

  it('only counts when it does not enforce, and never shows less than nothing', () => {
    const meter = createMemoryMeter({ credits: 10, enforce: false });
    expect(take(meter.reserve(ONE, 'a', 'GET /x', 25))?.remaining).toBe(0);
    expect(take(meter.reserve(ONE, 'b', 'GET /x', 25))?.remaining).toBe(0);
  });
});

/** This meter always answers at once. */
function take(reserved: ReturnType<ReturnType<typeof createMemoryMeter>['reserve']>): Reservation | undefined {
  if (reserved instanceof Promise) throw new Error('it made us wait');
  return reserved;
}
