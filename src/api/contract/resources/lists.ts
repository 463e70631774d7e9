import { type Static, Type } from 'typebox';
import { Address, Count, Digits, Text, Timestamp } from './scalars.ts';

/** What an id of a group looks like. */
export const GROUP_ID_PATTERN = '^[a-z0-9_-]{1,64}$';

/** What a stream can carry. */
export const STREAM_KINDS = ['swaps', 'creations', 'dev_score', 'grad', 'feed'] as const;
export type StreamKind = (typeof STREAM_KINDS)[number];

export const GroupMember = Type.Object(
  {
    wallet: Address('The wallet.'),
    note: Type.Optional(Text('What its owner wrote beside it.')),
    added_at: Timestamp('When it came into the group.'),
  },
  { $id: 'GroupMember' },
);
export type GroupMember = Static<typeof GroupMember>;

export const WalletGroup = Type.Object(
  {
    id: Type.String({ pattern: GROUP_ID_PATTERN, description: 'Unique among its owner’s groups.' }),
    name: Text('Of its owner’s choice; not unique.'),
    count: Count('Wallets in the group.'),
    created_at: Timestamp('When it was made.'),
    updated_at: Timestamp('When its name, its wallets or their notes last changed.'),
    members: Type.Optional(
      Type.Array(GroupMember, {
        description: 'In the order in which they came; of a single group, and of lists with `members=1`.',
      }),
    ),
  },
  { $id: 'WalletGroup' },
);
export type WalletGroup = Static<typeof WalletGroup>;

export const Favorite = Type.Object(
  { wallet: Address('The wallet.'), alias: Type.Optional(Text('What its owner calls it.')) },
  { $id: 'Favorite' },
);
export type Favorite = Static<typeof Favorite>;

export const Stream = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: 'Names its topic, `sub:<id>`.' }),
    token: Text('Opaque; what a socket connects with, beside a key.'),
    name: Text('Of its owner’s choice; not unique.'),
    active: Type.Boolean({ description: 'Whether sockets may connect with it.' }),
    kinds: Type.Array(Type.Enum([...STREAM_KINDS], { type: 'string' }), { description: 'What it carries.' }),
    wallet_list_id: Text('Group of the wallets whose swaps it carries; empty when unset.'),
    dev_list_id: Text('Group of the creators whose tokens it carries; empty when unset: those of all.'),
    wallets: Type.Array(Address('Wallet.'), { description: 'What the wallet list held when the stream was last set.' }),
    devs: Type.Array(Address('Creator.'), {
      description: 'What the developer list held when the stream was last set.',
    }),
    min_sol: Digits('Lamports of the smallest trade in `feed`.'),
    created_at: Timestamp('When it was made.'),
    updated_at: Timestamp('When it was last set.'),
  },
  { $id: 'Stream' },
);
export type Stream = Static<typeof Stream>;

/** What has nothing else to say. */
export const Done = Type.Object({ ok: Type.Literal(true) });
export type Done = Static<typeof Done>;

export const WalletsAdded = Type.Object({
  ok: Type.Literal(true),
  added: Count('Wallets that were not in the group before.'),
});
export type WalletsAdded = Static<typeof WalletsAdded>;
