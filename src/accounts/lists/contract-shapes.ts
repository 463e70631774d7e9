import { type Static, Type } from 'typebox';
import { FREE } from '../../contract/price.ts';
import { Address, Count, Digits, Text, Timestamp } from '../../contract/scalars.ts';

/**
 * Settings shared by all routes over a wallet's own lists. They show what nobody else may see, and must show the last
 * change.
 */
export const LIST_ROUTE = { tag: 'lists', access: 'owner', price: FREE, cacheControl: 'no-store' } as const;

/** Shape of a group's id. */
export const GROUP_ID_PATTERN = '^[a-z0-9_-]{1,64}$';

/** Kinds of messages that a stream can carry. */
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

export const WalletsAdded = Type.Object({
  ok: Type.Literal(true),
  added: Count('Wallets that were not in the group before.'),
});
export type WalletsAdded = Static<typeof WalletsAdded>;

/** Made-up but consistent: what one wallet keeps. */
const SNIPER = '9JYALPFZgzfD7w9HvXypnYTTTSEL2NXLDLFegip6qBE6';
const FRIEND = '5jmG7k3SQEA21UGV6oJtFCxsG3bfTrDqbg9fMVKV4ia5';

export const newGroupExample: WalletGroup = {
  id: 'snipers',
  name: 'Snipers',
  count: 0,
  created_at: '2026-08-01T10:00:00.000Z',
  updated_at: '2026-08-01T10:00:00.000Z',
  members: [],
};

export const groupExample: WalletGroup = {
  ...newGroupExample,
  count: 2,
  updated_at: '2026-08-01T10:02:30.125Z',
  members: [
    { wallet: SNIPER, note: 'always in the first slot', added_at: '2026-08-01T10:01:00.000Z' },
    { wallet: FRIEND, added_at: '2026-08-01T10:02:30.125Z' },
  ],
};

const { members: _members, ...withoutMembers } = groupExample;
export const groupRowExample: WalletGroup = withoutMembers;

export const favoriteExample: Favorite = { wallet: SNIPER, alias: 'the fast one' };
export const plainFavoriteExample: Favorite = { wallet: FRIEND };

export const streamExample: Stream = {
  id: 17,
  token: 'QmFzZTY0dXJsIG9mIHRoaXJ0eS10d28gYnl0ZXMuLi4',
  name: 'Snipers and large trades',
  active: true,
  kinds: ['swaps', 'feed'],
  wallet_list_id: 'snipers',
  dev_list_id: '',
  wallets: [SNIPER, FRIEND],
  devs: [],
  min_sol: '3000000000',
  created_at: '2026-08-01T10:03:00.000Z',
  updated_at: '2026-08-01T10:03:00.000Z',
};

export const newcomersExample: Stream = {
  ...streamExample,
  id: 18,
  token: 'QW5vdGhlciB0aGlydHktdHdvIGJ5dGVzIGFzIHRleHQ',
  name: 'New tokens',
  kinds: ['creations', 'grad'],
  wallet_list_id: '',
  wallets: [],
};
