import type { Static } from 'typebox';
import type { MetadataAnswer } from '../resources/metadata.ts';

const CONTENT = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy';

export const metadataExample: Static<typeof MetadataAnswer> = {
  image: `https://ipfs.io/ipfs/${CONTENT}`,
  twitter: 'https://x.com/example',
  website: 'https://example.com/',
  telegram: 'https://t.me/example',
  description: 'An example.',
};
export const pendingExample: Static<typeof MetadataAnswer> = { pending: true };
export const noMetadataExample: Static<typeof MetadataAnswer> = {};

export const imageExample = `https://ipfs.io/ipfs/${CONTENT}`;
