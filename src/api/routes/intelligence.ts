import type { IntelligenceAnswers } from '../../books/intelligence-answers.ts';
import type { BoundRoute } from '../plugins/serve-route.ts';

export function intelligenceRoutes(_answers: IntelligenceAnswers): readonly BoundRoute[] {
  return [];
}
