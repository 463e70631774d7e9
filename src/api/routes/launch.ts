import type { LaunchAnswers } from '../../books/launch-answers.ts';
import type { BoundRoute } from '../plugins/serve-route.ts';

export function launchRoutes(_answers: LaunchAnswers): readonly BoundRoute[] {
  return [];
}
