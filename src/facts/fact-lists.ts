import type { DraftSwap } from './draft-swap.ts';
import type { BlockFacts } from './fact.ts';

type Mutable<T> = T extends readonly (infer E)[] ? E[] : never;
type ListName = { [K in keyof BlockFacts]: BlockFacts[K] extends readonly unknown[] ? K : never }[keyof BlockFacts];

/** A block's lists of facts while they are being derived. */
export type FactLists = { readonly [K in Exclude<ListName, 'swaps'>]: Mutable<BlockFacts[K]> } & {
  readonly swaps: DraftSwap[];
};

export function emptyFactLists(): FactLists {
  return {
    created: [],
    swaps: [],
    attempts: [],
    completed: [],
    graduated: [],
    creatorChanges: [],
    pools: [],
    liquidity: [],
    payouts: [],
    transfers: [],
    burns: [],
    unexplained: [],
    fundings: [],
  };
}
