import { type Static, Type } from 'typebox';
import { Address, Count, Text, Timestamp } from './scalars.ts';

export const Nonce = Type.Object(
  {
    nonce: Text('Names this attempt to sign in. It is used up by the first verification, whatever comes of it.'),
    message: Text('What the wallet signs, to the byte.'),
    expires_at: Timestamp('Until then the signature must be here.'),
  },
  { $id: 'Nonce' },
);
export type Nonce = Static<typeof Nonce>;

export const SignedIn = Type.Object(
  {
    wallet: Address('Who has signed in.'),
    account_id: Count('The account of the wallet.'),
    created: Type.Boolean({ description: 'The account was made just now.' }),
    first_key: Type.Optional(Text('The first API key of a new account. It is shown this once.')),
  },
  { $id: 'SignedIn' },
);
export type SignedIn = Static<typeof SignedIn>;

export const PageSession = Type.Object(
  { expires_at: Timestamp('Until then pages at this address may read.') },
  { $id: 'PageSession' },
);
export type PageSession = Static<typeof PageSession>;
