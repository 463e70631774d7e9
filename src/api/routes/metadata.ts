import type { MetadataAnswers } from '../../metadata/metadata-answers.ts';
import { getTokenImage, getTokenMetadata } from '../contract/routes/metadata.ts';
import { type BoundRoute, bind } from '../plugins/serve-route.ts';

export function metadataRoutes(answers: MetadataAnswers): readonly BoundRoute[] {
  return [
    bind(getTokenMetadata, ({ mint }) => answers.meta(mint)),
    bind(getTokenImage, ({ mint }) => answers.image(mint)),
  ];
}
