import type { MetadataAnswers } from '../../../src/metadata/metadata-answers.ts';

export function metadataDouble(): MetadataAnswers {
  return {};
}
