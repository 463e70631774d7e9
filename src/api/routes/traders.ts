import type { TraderAnswers } from '../../books/trader-answers.ts';
import type { BoundRoute } from '../plugins/serve-route.ts';

export function tradersRoutes(_answers: TraderAnswers): readonly BoundRoute[] {
  return [];
}
