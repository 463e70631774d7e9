import { type Static, Type } from 'typebox';
import { type Parameter, parameter } from '../contract/parameter.ts';
import { flatPrice } from '../contract/price.ts';
import { defineRoute, type RouteContract } from '../contract/route.ts';
import { TokenMetadata } from '../contract/token.ts';

/** Answer of `/meta`: the fields that the document sets, or that they are not known yet. */
export const MetadataAnswer = Type.Object(
  {
    ...TokenMetadata.properties,
    pending: Type.Optional(
      Type.Literal(true, { description: 'Not final: ask again a few seconds later. Stands alone.' }),
    ),
  },
  { $id: 'MetadataAnswer' },
);
export type MetadataAnswer = Static<typeof MetadataAnswer>;

export const ImageLocation = Type.String({
  pattern: '^https://',
  description: 'Where the image is: content by its hash on a gateway, else its own host.',
});

const CONTENT = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy';

export const metadataExample: MetadataAnswer = {
  image: `https://ipfs.io/ipfs/${CONTENT}`,
  twitter: 'https://x.com/example',
  website: 'https://example.com/',
  telegram: 'https://t.me/example',
  description: 'An example.',
};
export const pendingExample: MetadataAnswer = { pending: true };
export const noMetadataExample: MetadataAnswer = {};

export const imageExample = `https://ipfs.io/ipfs/${CONTENT}`;

/** Any text: what is no address has neither metadata nor an image, and that is the answer. */
const anyMint: Parameter<string> = parameter({
  schema: Type.String({ description: 'Token address. What is none has no metadata and no image.' }),
  parse: (text) => text,
  absent: '',
  error: 'invalid_param',
  expected: 'must be shorter',
});

/** A final answer; those that are not final say so themselves. */
const FINAL = 'private, max-age=3600';

export const getTokenMetadata = defineRoute({
  path: '/tokens/{mint}/meta',
  tag: 'tokens',
  name: 'getTokenMetadata',
  summary: 'What the document says that the URI of a token names',
  description:
    'Read in the background, normally within seconds of the creation; an answer waits up to 1.5 s for it. `{"pending":true}` with no-store: not known yet, or a failed fetch waits for its next try; ask again a few seconds later. An answer without `pending` is final; an empty object: there is none. A mint that is not known is pending for 2 minutes from the first question, then empty for about 5 minutes.',
  access: 'key',
  pages: true,
  params: { mint: anyMint },
  price: flatPrice(1),
  response: MetadataAnswer,
  cacheControl: FINAL,
  etag: true,
  examples: { metadata: metadataExample, pending: pendingExample, none: noMetadataExample },
});

export const getTokenImage = defineRoute({
  path: '/tokens/{mint}/image',
  tag: 'tokens',
  name: 'getTokenImage',
  summary: 'Redirect to the image of a token',
  description:
    'Content by its hash: a gateway that was confirmed to serve it, for at most an hour; when none confirms within 1.5 s the first that has not refused it, for 90 s. An image on a host of its own is on a stranger’s: ask the Location without your key, because most clients that follow redirects by themselves send `X-API-Key` along. Every 404 says how long it holds: an hour when there is no image, 90 s while the metadata wait for another try, 5 minutes without a URI or for a mint unknown for over 2 minutes, no-store while the answer is not known.',
  access: 'key',
  pages: true,
  params: { mint: anyMint },
  price: flatPrice(1),
  response: ImageLocation,
  redirects: true,
  cacheControl: FINAL,
  absent: 'image_not_found',
  freeWhenAbsent: true,
  examples: { image: imageExample },
});

export const METADATA_ROUTES: readonly RouteContract[] = [getTokenMetadata, getTokenImage];
