import { createFavoriteStore, type FavoriteStore } from './favorite-store.ts';
import { createGroupStore, type GroupStore } from './group-store.ts';
import { createStreamDirectory, type StreamDirectory } from './stream-directory.ts';
import { createStreamStore, type StreamStore, type StreamStoreOptions } from './stream-store.ts';

/** Lists of wallets. Each question and each change names the owner, who sees its own alone. */
export interface ListAnswers {
  readonly groups: GroupStore;
  readonly favorites: FavoriteStore;
  readonly streams: StreamStore;
}

/** The lists, and what serves the sockets of streams. */
export interface Lists extends ListAnswers {
  readonly streamTokens: StreamDirectory;
}

/** The lists of the accounts database. */
export function createLists(options: StreamStoreOptions): Lists {
  const { db, clock, secrets } = options;
  return {
    groups: createGroupStore(db, clock),
    favorites: createFavoriteStore(db, clock),
    streams: createStreamStore(options),
    streamTokens: createStreamDirectory(db, secrets),
  };
}
