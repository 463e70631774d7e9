import type { Favorite, Stream, WalletGroup } from '../resources/lists.ts';

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
