import { describe, expect, it } from 'vitest';
import { readWholeNumber } from './whole-number.ts';

describe('the extent of a campaign', () => {
  it('is what was typed', () => {
    expect(readWholeNumber('kills', '100')).toBe(100);
  });

  it.each(['', '0', '-1', '1.5', '1e3', 'ten', ' 7'])('is never nothing: %j is refused', (word) => {
    expect(() => readWholeNumber('kills', word)).toThrow(/--kills must be a whole number/);
  });
});
