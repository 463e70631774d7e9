import type { Address } from '../../chain/address.ts';
import type { PositionSwap } from '../../facts/average-cost.ts';
import type { Movement } from '../../facts/movements.ts';

/** Swaps and movements remembered while their mints are folded again. Beyond it the round is given up, and tried with fewer mints. */
const MAX_REMEMBERED_STEPS = 100_000;

/** Swaps and movements that a fold takes, each in its order. */
export interface FoldSteps {
  readonly swaps: readonly PositionSwap[];
  readonly movements: readonly Movement[];
}

/** What was confirmed of mints that are being folded again: the fold reads the store as it was before it. */
export class StepMemory {
  #mints: ReadonlySet<Address> = new Set();
  #steps: { readonly swaps: PositionSwap[]; readonly movements: Movement[] } | undefined;

  /** Begins anew with these mints. */
  begin(mints: ReadonlySet<Address>): void {
    this.#mints = mints;
    this.#steps = { swaps: [], movements: [] };
  }

  add({ swaps, movements }: FoldSteps): void {
    if (this.#steps === undefined) return;
    for (const swap of swaps) if (this.#mints.has(swap.mint)) this.#steps.swaps.push(swap);
    for (const movement of movements) if (this.#mints.has(movement.mint)) this.#steps.movements.push(movement);
    if (this.#steps.swaps.length + this.#steps.movements.length > MAX_REMEMBERED_STEPS) this.#steps = undefined;
  }

  /** Ends, and gives what came since it began; undefined when that was too much, or it had not begun. */
  take(): FoldSteps | undefined {
    const steps = this.#steps;
    this.#steps = undefined;
    return steps;
  }
}
