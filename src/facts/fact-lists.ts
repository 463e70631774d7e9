import type { DraftSwap } from './draft-swap.ts';
import type { BlockFacts } from './fact.ts';

type Mutable<T> = T extends readonly (infer E)[] ? E[] : never;
type ListName = { [K in keyof BlockFacts]: BlockFacts[K] extends readonly unknown[] ? K : never }[keyof BlockFacts];

/** The lists of a block's facts, in the order in which they are told. */
export const FACT_KINDS = [
  'created',
  'swaps',
  'attempts',
  'completed',
  'graduated',
  'creatorChanges',
  'pools',
  'liquidity',
  'payouts',
  'transfers',
  'burns',
  'unexplained',
  'fundings',
] as const satisfies readonly ListName[];

export type FactKind = (typeof FACT_KINDS)[number];

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
