import type { PriceAnswers } from '../../../src/books/price-answers.ts';

export function pricesDouble(): PriceAnswers {
  return { solPrice: () => Buffer.from(JSON.stringify({ usd: 142.37, stale_s: 2 })) };
}
