import type { Address } from '../../../src/chain/address.ts';
import type { Swap } from '../../../src/facts/fact.ts';
import type { TokenTruth } from '../chain.ts';

/** Transactions on one token that stand together. */
export interface Run {
  readonly slot: number;
  /** Of its first transaction. */
  readonly start: number;
  /** Distinct transactions. */
  readonly size: number;
  /** True when one of them has a neighbour: one that was not looked at counts. */
  readonly bundled: boolean;
  /** Buyers in it, protocol actors left out. */
  readonly buyers: readonly Address[];
}

/** Transactions at places of a block that follow each other, votes counted: the definition of `bundled`. */
export function adjacentRuns(swaps: readonly Swap[]): Run[] {
  return runs(swaps, (before, swap) => before.slot === swap.slot && swap.blockIndex - before.blockIndex <= 1);
}

/** Transactions on one token that landed in one slot. */
export function slotRuns(swaps: readonly Swap[]): Run[] {
  return runs(swaps, (before, swap) => before.slot === swap.slot);
}

/** Two transactions or more, in which somebody bought who did not launch the token. */
export function isBundle({ creation }: TokenTruth, { bundled, buyers, size }: Run): boolean {
  return (size > 1 || bundled) && buyers.some((buyer) => buyer !== creation.creator);
}

function runs(swaps: readonly Swap[], belongs: (before: Swap, swap: Swap) => boolean): Run[] {
  const groups: Swap[][] = [];
  for (const swap of swaps) {
    const group = groups.at(-1);
    if (group !== undefined && belongs(group.at(-1)!, swap)) group.push(swap);
    else groups.push([swap]);
  }
  return groups.map((group) => ({
    slot: group[0]!.slot,
    start: group[0]!.blockIndex,
    size: new Set(group.map(({ blockIndex }) => blockIndex)).size,
    bundled: group.some(({ bundled }) => bundled === true),
    buyers: [...new Set(group.flatMap((swap) => (swap.isBuy && !swap.protocolActor ? [swap.trader] : [])))],
  }));
}
