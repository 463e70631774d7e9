import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationParameter, parseDuration } from './duration.ts';

const window = durationParameter({
  ...{ fallback: '24h', min: '1m', max: '168h' },
  error: 'invalid_window',
  description: 'How far back.',
});

describe('a duration', () => {
  it.each([
    ['1m', 60],
    ['60s', 60],
    ['61s', 120],
    ['60.000000001s', 120],
    ['1h30m', 5_400],
    ['30m1h', 5_400],
    ['1.5h', 5_400],
    // As a double, this is a little more than 66 minutes.
    ['1.1h', 3_960],
    ['.5h', 1_800],
    ['2.h', 7_200],
    ['90m', 5_400],
    ['0h1m0s', 60],
    ['24h', 86_400],
    ['168h', 604_800],
    ['10080m', 604_800],
    // What Go cuts off is no part of a minute.
    ['60.0000000001s', 60],
  ])('%s is %i seconds, in whole minutes', (text, seconds) => {
    expect(window.parse(text)).toBe(seconds);
  });

  it.each([
    ...['', '7d', '90', '1', 'h', '.h', '-1h', '+1h', ' 1h', '1h ', '1h 30m', '1H', '1e3s', '1,5h', '1h30', '1µs'],
    ...['500ms', '1h500ms', '1ns', '1w', 'NaN', 'Infinity', '１h', '1h\n', '0x1h', '1..5h', '1.5.h', 'day'],
    ...['0s', '59s', '59.999s', '168h1s', '168h0.000000001s', '604801s', `${'9'.repeat(31)}h`, `${'0'.repeat(40)}1h`],
  ])('%j is refused', (text) => {
    expect(window.parse(text)).toBeUndefined();
  });

  it('adds up its parts to the nanosecond, in any order', () => {
    const part = fc.tuple(fc.nat(99), fc.nat(999), fc.constantFrom(['h', 3_600n], ['m', 60n], ['s', 1n]));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const text = parts.map(([whole, milli, [unit]]) => `${whole}.${String(milli).padStart(3, '0')}${unit}`);
        const sum = parts.reduce(
          (total, [whole, milli, [, seconds]]) => total + BigInt(whole * 1_000 + milli) * BigInt(seconds) * 1_000_000n,
          0n,
        );
        expect(parseDuration(text.join(''))).toBe(sum);
      }),
    );
  });

  it('is a day when nobody asks for another', () => {
    expect([window.absent, window.error]).toEqual([86_400, 'invalid_window']);
  });
});
