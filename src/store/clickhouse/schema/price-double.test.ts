import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../../test/support/store.ts';
import { floatPrice, ratioPrice } from '../../../token/price-string.ts';
import { readRows } from '../client.ts';
import { toRowBatch } from './fact-rows.ts';
import { priceDouble } from './price-double.ts';
import { SWAPS } from './tables.ts';

const U64 = 2n ** 64n - 1n;
/** Amounts of every size, and those beside powers of ten, where logarithms are unsure. */
const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: U64 }),
  fc.integer({ min: 0, max: 63 }).chain((bits) => fc.bigInt({ min: 1n, max: 2n ** BigInt(bits + 1) - 1n })),
  fc
    .tuple(fc.integer({ min: 0, max: 19 }), fc.integer({ min: -2, max: 2 }))
    .map(([exponent, beside]) => 10n ** BigInt(exponent) + BigInt(beside))
    .filter((value) => value > 0n),
);

/** The first fifteen digits of a ratio, rounded half up, and the power of ten that they stand for: by long division. */
function digitsOf(quote: bigint, token: bigint): string {
  let [above, below, exponent] = [quote, token, 0];
  while (above >= 10n * below) {
    below *= 10n;
    exponent += 1;
  }
  while (above < below) {
    above *= 10n;
    exponent -= 1;
  }
  let rounded = (2n * above * 10n ** 14n + below) / (2n * below);
  if (rounded === 10n ** 15n) {
    rounded /= 10n;
    exponent += 1;
  }
  const text = rounded.toString();
  return `${text[0]}.${text.slice(1)}e${exponent < 0 ? '' : '+'}${exponent}`;
}

describe('a price in a double', () => {
  it('printed with fifteen digits is its ratio, whatever the amounts', () => {
    fc.assert(
      fc.property(amount, amount, (quote, token) => {
        expect(priceDouble(quote, token).toExponential(14)).toBe(digitsOf(quote, token));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is none without a quote or a token', () => {
    expect([priceDouble(0n, 7n), priceDouble(7n, 0n)]).toEqual([0, 0]);
  });

  it('printed as the price of a candle is that of its swap, to fifteen digits', () => {
    fc.assert(
      fc.property(amount, amount, fc.nat(18), fc.nat(18), (quote, token, quoteDecimals, tokenDecimals) => {
        const text = floatPrice(priceDouble(quote, token) * 10 ** (tokenDecimals - quoteDecimals));
        const swap = ratioPrice({ quote, token, quoteDecimals, tokenDecimals });
        // Below a thousandth a swap's 18 places are fewer digits, and a candle's are rounded once more.
        if (Number(swap) < 1e-3) return;
        expect(Number(text).toExponential(14)).toBe(
          digitsOf(quote * 10n ** BigInt(tokenDecimals), token * 10n ** BigInt(quoteDecimals)),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a price in the store', () => {
  let test: TestStore;
  beforeAll(async () => {
    test = await openTestStore();
  });
  afterAll(() => test?.close());

  it('is the same double', async () => {
    const pairs = fc.sample(fc.tuple(fc.oneof(amount, fc.constant(0n)), fc.oneof(amount, fc.constant(0n))), 4_000);
    const maker = createFactsMaker({ seed: 7, firstSlot: 1_000, mints: 3, swapsPerBlock: 4 });
    const block = maker.next();
    const swaps = pairs.map(([priceQuote, priceToken], at) => ({
      ...block.swaps[0]!,
      ...{
        blockIndex: at >> 4,
        ixIndex: at % 16,
        priceQuote,
        priceToken,
        quoteAmount: priceQuote,
        tokenAmount: priceToken,
      },
    }));
    await test.store.writer.flush([toRowBatch({ ...block, swaps }, [])]);
    const layout = { name: 'prices', columns: { price_quote: 'u64', price_token: 'u64', price: 'f64' } } as const;
    const rows = await readRows(test.store.client, layout, `SELECT price_quote, price_token, price FROM ${SWAPS.name}`);
    expect(rows).toHaveLength(pairs.length);
    for (const { price_quote, price_token, price } of rows) {
      expect([price_quote, price_token, price]).toEqual([
        price_quote,
        price_token,
        priceDouble(price_quote, price_token),
      ]);
    }
  });
});
