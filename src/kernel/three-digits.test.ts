import fc from 'fast-check';
import { expect, it } from 'vitest';
import { threeDigitAmount, threeDigitCode } from './three-digits.ts';

const amounts = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.integer({ min: 0, max: 19 }).map((digits) => 10n ** BigInt(digits)),
  fc.integer({ min: 1, max: 19 }).map((digits) => 10n ** BigInt(digits) - 1n),
  fc.bigInt({ min: 0n, max: 20_000n }),
);

/** The first three digits as text, and zeros for the rest. */
const cut = (amount: bigint) => {
  const text = amount.toString();
  return BigInt(text.slice(0, 3) + '0'.repeat(Math.max(0, text.length - 3)));
};

it('keeps the first three digits of an amount in 16 bits', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      const code = threeDigitCode(amount);
      expect(code).toBeLessThan(2 ** 16);
      expect(threeDigitAmount(code)).toBe(cut(amount));
      expect((amount - threeDigitAmount(code)) * 100n).toBeLessThanOrEqual(amount);
    }),
  );
});

it('orders amounts as they are, one number for each three digits', () => {
  fc.assert(
    fc.property(amounts, amounts, (a, b) => {
      expect(Math.sign(threeDigitCode(a) - threeDigitCode(b))).toBe(cut(a) < cut(b) ? -1 : cut(a) > cut(b) ? 1 : 0);
    }),
  );
  for (let code = 0; code < 16_385; code += 1) expect(threeDigitCode(threeDigitAmount(code))).toBe(code);
});
