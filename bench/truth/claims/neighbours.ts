import type { Address } from '../../../src/chain/address.ts';
import type { Swap } from '../../../src/facts/fact.ts';

/** Transactions on one token that stand together. */
export interface Run {
  readonly slot: number;
  /** Of its first transaction. */
  readonly start: number;
  /** Distinct transactions. */
  readonly size: number;
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

/** Two wallets or more bought in it. */
export function isBundle({ buyers }: Run): boolean {
  return buyers.length > 1;
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
    buyers: [...new Set(group.flatMap((swap) => (swap.isBuy && !swap.protocolActor ? [swap.trader] : [])))],
  }));
}
