/**
 * The one total order of everything that happens on the chain.
 *
 * `slot` is the leader's slot, `blockIndex` the transaction's index in its
 * block, `ixIndex` the pre-order index of the instruction in the transaction's
 * flattened call tree.
 */
export interface ChainPlace {
  readonly slot: number;
  readonly blockIndex: number;
  readonly ixIndex: number;
}

/** Negative when `a` happened before `b`, zero when they are the same place. */
export function compareChainPlaces(a: ChainPlace, b: ChainPlace): number {
  return a.slot - b.slot || a.blockIndex - b.blockIndex || a.ixIndex - b.ixIndex;
}
