import type { ListAnswers } from '../../accounts/lists/lists.ts';
import type { BoundRoute } from '../plugins/serve-route.ts';
import { favoriteRoutes } from './favorites.ts';
import { streamRoutes } from './streams.ts';
import { walletGroupRoutes } from './wallet-groups.ts';

/** What belongs to the wallet that asks. */
export function listRoutes({ groups, favorites, streams }: ListAnswers): readonly BoundRoute[] {
  return [...walletGroupRoutes(groups), ...favoriteRoutes(favorites), ...streamRoutes(streams)];
}
