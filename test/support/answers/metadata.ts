import { ApiError } from '../../../src/contract/errors.ts';
import { tokenExample } from '../../../src/contract/examples.ts';
import { getTokenMetadata, imageExample, metadataExample } from '../../../src/metadata/contract.ts';
import type { MetadataAnswers } from '../../../src/metadata/metadata-answers.ts';

/** The metadata of the one token that the double knows. */
export function metadataDouble(): MetadataAnswers {
  const { cacheControl } = getTokenMetadata;
  return {
    async meta(mint) {
      return { body: Buffer.from(JSON.stringify(mint === tokenExample.mint ? metadataExample : {})), cacheControl };
    },
    async image(mint) {
      if (mint !== tokenExample.mint) throw new ApiError('image_not_found', { cacheControl: 'no-store' });
      return { status: 302, body: undefined, location: imageExample, cacheControl };
    },
  };
}
