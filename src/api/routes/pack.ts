import type { PackAnswers } from '../../books/pack-answers.ts';
import type { BoundRoute } from '../plugins/serve-route.ts';

export function packRoutes(_answers: PackAnswers): readonly BoundRoute[] {
  return [];
}
