import { Type } from 'typebox';
import { TokenMetadata } from './token.ts';

/** What `/meta` answers: the fields that the document sets, or that they are not known yet. */
export const MetadataAnswer = Type.Object(
  {
    ...TokenMetadata.properties,
    pending: Type.Optional(
      Type.Literal(true, { description: 'Not final: ask again a few seconds later. Stands alone.' }),
    ),
  },
  { $id: 'MetadataAnswer' },
);

export const ImageLocation = Type.String({
  pattern: '^https://',
  description: 'Where the image is: content by its hash on a gateway, else its own host.',
});
