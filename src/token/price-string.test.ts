import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { floatPrice, ratioPrice } from './price-string.ts';

const u64 = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n });
const decimals = fc.integer({ min: 0, max: 18 });
const PLAIN = /^(0|[1-9]\d*)(\.\d{0,17}[1-9])?$/;

/** The printed decimal as a fraction of integers. */
function parse(text: string): { top: bigint; bottom: bigint } {
  const [whole = '', fraction = ''] = text.split('.');
  return { top: BigInt(whole + fraction), bottom: 10n ** BigInt(fraction.length) };
}

describe('ratioPrice', () => {
  it('is within half of the last digit of the exact rational, in plain decimals without trailing zeros', () => {
    fc.assert(
      fc.property(u64, u64, decimals, decimals, (quote, token, quoteDecimals, tokenDecimals) => {
        const text = ratioPrice({ quote, token, quoteDecimals, tokenDecimals });
        expect(text).toMatch(PLAIN);
        const { top, bottom } = parse(text);
        const exactTop = quote * 10n ** BigInt(tokenDecimals);
        const exactBottom = token * 10n ** BigInt(quoteDecimals);
        const gap = top * exactBottom - exactTop * bottom;
        expect(2n * (gap < 0n ? -gap : gap) * 10n ** 18n <= exactBottom * bottom).toBe(true);
      }),
    );
  });

  it('prints lamports per raw token as SOL per token', () => {
    const sol = { quoteDecimals: 9, tokenDecimals: 6 };
    expect(ratioPrice({ quote: 30_000_000_000n, token: 1_073_000_000_000_000n, ...sol })).toBe('0.000000027958993476');
    expect(ratioPrice({ quote: 1_500_000_000n, token: 1_000_000n, ...sol })).toBe('1.5');
    expect(ratioPrice({ quote: 2_000_000_000n, token: 1_000_000n, ...sol })).toBe('2');
    expect(ratioPrice({ quote: 7n, token: 0n, ...sol })).toBe('0');
  });
});

describe('floatPrice', () => {
  it('agrees with the exact ratio to fifteen significant digits', () => {
    fc.assert(
      fc.property(u64, u64, (quote, token) => {
        const text = floatPrice(Number(quote) / Number(token));
        expect(text).toMatch(PLAIN);
        const exact = Number(quote) / Number(token);
        expect(Math.abs(Number(text) - exact)).toBeLessThanOrEqual(exact * 1e-14 + 5e-19);
      }),
    );
  });

  it('prints no rounding noise', () => {
    expect(floatPrice(0.1 + 0.2)).toBe('0.3');
    expect(floatPrice(2.8e-8)).toBe('0.000000028');
    expect(floatPrice(1e21)).toBe('1000000000000000000000');
    expect(floatPrice(4e-19)).toBe('0');
    expect(floatPrice(Number.NaN)).toBe('0');
  });
});
