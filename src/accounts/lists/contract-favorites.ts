import { addressField, optional, textField } from '../../contract/fields.ts';
import { addressParameter } from '../../contract/parameter.ts';
import { defineRoute, type RouteContract } from '../../contract/route.ts';
import { Done, List } from '../../contract/scalars.ts';
import { MAX_ALIAS, MAX_FAVORITES } from './contract-limits.ts';
import { Favorite, favoriteExample, LIST_ROUTE, plainFavoriteExample } from './contract-shapes.ts';

export const listFavorites = defineRoute({
  ...LIST_ROUTE,
  path: '/wallet-favorites',
  name: 'listWalletFavorites',
  summary: 'Favorite wallets',
  description: 'In the order in which they were added.',
  response: List(Favorite),
  examples: { favorites: { data: [favoriteExample, plainFavoriteExample] } },
});

export const addFavorite = defineRoute({
  ...LIST_ROUTE,
  method: 'POST',
  path: '/wallet-favorites',
  name: 'addWalletFavorite',
  summary: 'Add a favorite wallet, or name one',
  description: `A wallet that is a favorite already stays where it is; an alias replaces its alias, an empty one takes it away. A wallet has at most ${MAX_FAVORITES} favorites.`,
  body: {
    wallet: addressField('invalid_wallet', 'The wallet to add.'),
    alias: optional(textField({ description: 'What to call it.', minimum: 0, maximum: MAX_ALIAS })),
  },
  response: Done,
  errors: ['too_many_items'],
  examples: { done: { ok: true } },
});

export const removeFavorite = defineRoute({
  ...LIST_ROUTE,
  method: 'DELETE',
  path: '/wallet-favorites/{wallet}',
  name: 'removeWalletFavorite',
  summary: 'Take a wallet off the favorites',
  description: 'One that is no favorite is none already.',
  params: { wallet: addressParameter('invalid_wallet', 'The wallet to take off.') },
  response: Done,
  examples: { done: { ok: true } },
});

export const FAVORITE_ROUTES: readonly RouteContract[] = [listFavorites, addFavorite, removeFavorite];
