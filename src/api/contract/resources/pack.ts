import { type TSchema, Type } from 'typebox';
import { Address, Count } from './scalars.ts';

/** Why a part is missing. */
const PartError = Type.Object(
  {
    code: Type.String({ description: 'As the part’s own endpoint would answer; the message may change.' }),
    message: Type.String(),
    retry_after: Type.Optional(Count('Whole seconds.')),
  },
  { $id: 'PartError' },
);

/** Several answers about one token; `parts` are the schemas of their endpoints by their names in the pack. */
export function Pack(parts: Readonly<Record<string, TSchema>>) {
  return Type.Object(
    {
      mint: Address('The token.'),
      ok: Count('Parts that are here.'),
      failed: Count('Parts that are not.'),
      cost: Count('Credits charged.'),
      parts: Type.Object(
        Object.fromEntries(Object.entries(parts).map(([name, schema]) => [name, Type.Optional(schema)])),
        { description: 'By name, each the body of its own endpoint, byte for byte, with that endpoint’s defaults.' },
      ),
      errors: Type.Record(Type.String(), PartError, { description: 'Of the parts that are missing, by name.' }),
    },
    { $id: 'Pack' },
  );
}
