import type { WindowSwapRow } from './market-reads.ts';
import type { SlotSwaps } from './market-windows.ts';

/** Puts rows that come in pieces, in order, together to slots. */
export class SwapsBySlot {
  readonly #take: (block: SlotSwaps) => void;
  #rows: WindowSwapRow[] = [];

  constructor(take: (block: SlotSwaps) => void) {
    this.#take = take;
  }

  push(rows: readonly WindowSwapRow[]): void {
    for (const row of rows) {
      if (this.#rows[0] !== undefined && this.#rows[0].slot !== row.slot) this.end();
      this.#rows.push(row);
    }
  }

  /** Hands over the last slot. */
  end(): void {
    const [first] = this.#rows;
    if (first === undefined) return;
    const swaps = this.#rows;
    this.#rows = [];
    this.#take({ slot: first.slot, time: first.time, swaps });
  }
}
