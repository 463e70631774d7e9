import { type BoundRoute, bind } from '../handlers/bind.ts';
import { getTokenImage, getTokenMetadata } from './contract.ts';
import type { MetadataAnswers } from './metadata-answers.ts';

export function metadataRoutes(answers: MetadataAnswers): readonly BoundRoute[] {
  return [
    bind(getTokenMetadata, ({ mint }) => answers.meta(mint)),
    bind(getTokenImage, ({ mint }) => answers.image(mint)),
  ];
}
