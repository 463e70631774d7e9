import { FREE } from './price.ts';

/** What all routes over a wallet's own lists have in common. They show what nobody else may see, and must show the last change. */
export const LIST_ROUTE = { tag: 'lists', access: 'owner', price: FREE, cacheControl: 'no-store' } as const;
