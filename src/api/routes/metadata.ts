import type { MetadataAnswers } from '../../metadata/metadata-answers.ts';
import type { BoundRoute } from '../plugins/serve-route.ts';

export function metadataRoutes(_answers: MetadataAnswers): readonly BoundRoute[] {
  return [];
}
