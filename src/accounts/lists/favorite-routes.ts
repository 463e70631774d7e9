import { type BoundRoute, bind } from '../../handlers/bind.ts';
import { doneBody, listBody } from '../../handlers/json-answer.ts';
import { addFavorite, listFavorites, removeFavorite } from './contract-favorites.ts';
import type { FavoriteStore } from './favorite-store.ts';
import { listOwnerOf } from './list-owner.ts';

export function favoriteRoutes(favorites: FavoriteStore): readonly BoundRoute[] {
  return [
    bind(listFavorites, (_params, _query, call) => listBody(favorites.list(listOwnerOf(call)))),
    bind(addFavorite, (_params, _query, call) => {
      const { wallet, alias } = call.body;
      return doneBody(favorites.add(listOwnerOf(call), wallet, alias?.trim()).then(() => true));
    }),
    bind(removeFavorite, ({ wallet }, _query, call) =>
      doneBody(favorites.remove(listOwnerOf(call), wallet).then(() => true)),
    ),
  ];
}
