import {
  favoriteExample,
  groupExample,
  groupRowExample,
  newGroupExample,
  plainFavoriteExample,
  streamExample,
} from '../../../src/accounts/lists/contract-shapes.ts';
import type { ListAnswers } from '../../../src/accounts/lists/lists.ts';

/** The lists of an owner who has one group, two favorites and one stream. Whatever is changed, they stay as they are. */
export function listsDouble(): ListAnswers {
  const isGroup = (id: string) => id === groupExample.id;
  const isStream = (id: number) => id === streamExample.id;
  return {
    groups: {
      list: async (_owner, withMembers) => [withMembers ? groupExample : groupRowExample],
      find: async (_owner, id) => (isGroup(id) ? groupExample : undefined),
      create: async (_owner, { id, name }) => ({ ...newGroupExample, name, ...(id === undefined ? {} : { id }) }),
      rename: async (_owner, id) => isGroup(id),
      delete: async (_owner, id) => isGroup(id),
      add: async (_owner, id, { wallets }) => (isGroup(id) ? wallets.length : undefined),
      remove: async (_owner, id) => isGroup(id),
    },
    favorites: {
      list: async () => [favoriteExample, plainFavoriteExample],
      add: async () => {},
      remove: async () => {},
    },
    streams: {
      list: async () => [streamExample],
      create: async () => streamExample,
      update: async (_owner, id) => (isStream(id) ? streamExample : undefined),
      rotate: async (_owner, id) => (isStream(id) ? streamExample : undefined),
      delete: async (_owner, id) => isStream(id),
    },
  };
}
