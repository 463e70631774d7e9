import type { BoundRoute } from '../../handlers/bind.ts';
import { favoriteRoutes } from './favorite-routes.ts';
import { walletGroupRoutes } from './group-routes.ts';
import type { ListAnswers } from './lists.ts';
import { streamRoutes } from './stream-routes.ts';

/** Routes over the lists of the wallet that asks. */
export function listRoutes({ groups, favorites, streams }: ListAnswers): readonly BoundRoute[] {
  return [...walletGroupRoutes(groups), ...favoriteRoutes(favorites), ...streamRoutes(streams)];
}
