import { expect, it } from 'vitest';
import { firstSlotOf } from './chain-time-reads.ts';

it('looks as far back as blocks of the same second may lie, at a full minute too', () => {
  expect(firstSlotOf(1_000, 0)).toBeLessThanOrEqual(1_000 - 5);
  expect(firstSlotOf(10_000, 60)).toBeLessThanOrEqual(10_000 - 61 * 5);
  expect(firstSlotOf(3, 60)).toBe(0);
});
