import type { Address } from '../chain/address.ts';
import type { DraftSwap } from './draft-swap.ts';

/**
 * Decides `bundled`: another transaction that swapped the mint sits right before
 * or right behind in the block. Legs of one transaction count once and share the
 * flag. The swaps are those of one whole block, in order of place.
 */
export function markBundled(swaps: readonly DraftSwap[]): void {
  const last = new Map<Address, DraftSwap>();
  for (const swap of swaps) {
    const previous = last.get(swap.mint);
    last.set(swap.mint, swap);
    swap.bundled = false;
    if (previous === undefined) continue;
    if (previous.blockIndex === swap.blockIndex) {
      swap.bundled = previous.bundled;
    } else if (previous.blockIndex === swap.blockIndex - 1) {
      swap.bundled = true;
      previous.bundled = true;
    }
  }
  shareWithinTransactions(swaps);
}

/** An earlier leg may have been passed before a later neighbour bundled its transaction. */
function shareWithinTransactions(swaps: readonly DraftSwap[]): void {
  const next = new Map<Address, DraftSwap>();
  for (let i = swaps.length - 1; i >= 0; i--) {
    const swap = swaps[i]!;
    const later = next.get(swap.mint);
    if (later !== undefined && later.blockIndex === swap.blockIndex) swap.bundled = later.bundled;
    next.set(swap.mint, swap);
  }
}
