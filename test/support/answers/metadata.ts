import { ApiError } from '../../../src/api/contract/errors.ts';
import { imageExample, metadataExample } from '../../../src/api/contract/examples/metadata.ts';
import { tokenExample } from '../../../src/api/contract/examples/tokens.ts';
import { getTokenMetadata } from '../../../src/api/contract/routes/metadata.ts';
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
