import type { Address } from '../../chain/address.ts';
import type { PositionSwap } from '../../facts/average-cost.ts';

/** Swaps remembered while their mints are folded again. Beyond it the round is given up, and tried with fewer mints. */
const MAX_REMEMBERED_SWAPS = 100_000;

/** Confirmed swaps of mints that are being folded again: the fold reads the store as it was before them. */
export class SwapMemory {
  #mints: ReadonlySet<Address> = new Set();
  #swaps: PositionSwap[] | undefined;

  /** Begins anew with these mints. */
  begin(mints: ReadonlySet<Address>): void {
    this.#mints = mints;
    this.#swaps = [];
  }

  add(swaps: readonly PositionSwap[]): void {
    if (this.#swaps === undefined) return;
    for (const swap of swaps) if (this.#mints.has(swap.mint)) this.#swaps.push(swap);
    if (this.#swaps.length > MAX_REMEMBERED_SWAPS) this.#swaps = undefined;
  }

  /** Ends, and gives what came since it began; undefined when that was too much, or it had not begun. */
  take(): readonly PositionSwap[] | undefined {
    const swaps = this.#swaps;
    this.#swaps = undefined;
    return swaps;
  }
}
