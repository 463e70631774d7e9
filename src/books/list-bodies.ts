import { KeptBodies } from './kept-bodies.ts';

/** Bodies made of lists that are kept: a few of each, for as long as the list is. */
export interface ListBodies {
  /** The body of a question about a list, made when it was not asked lately. `key` tells questions apart. */
  of(list: object, key: string, make: () => Buffer): Buffer;
}

export function createListBodies(): ListBodies {
  const bodies = new WeakMap<object, KeptBodies>();
  return {
    of(list, key, make) {
      const kept = bodies.get(list) ?? new KeptBodies();
      bodies.set(list, kept);
      return kept.get(key, make);
    },
  };
}
