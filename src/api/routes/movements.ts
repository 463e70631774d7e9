import type { MovementAnswers } from '../../books/movement-answers.ts';
import type { BoundRoute } from '../plugins/serve-route.ts';

export function movementsRoutes(_answers: MovementAnswers): readonly BoundRoute[] {
  return [];
}
