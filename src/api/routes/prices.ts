import type { PriceAnswers } from '../../books/price-answers.ts';
import type { BoundRoute } from '../plugins/serve-route.ts';

export function pricesRoutes(_answers: PriceAnswers): readonly BoundRoute[] {
  return [];
}
