import type { FavoriteStore } from '../../accounts/lists/favorite-store.ts';
import { addFavorite, listFavorites, removeFavorite } from '../contract/routes/favorites.ts';
import { type BoundRoute, bind } from '../plugins/serve-route.ts';
import { doneBody, listBody, listOwnerOf } from './list-answer.ts';

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
