import type { PriceAnswers } from '../../../src/books/price-answers.ts';

export function pricesDouble(): PriceAnswers {
  return {};
}
