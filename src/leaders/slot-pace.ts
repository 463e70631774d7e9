import type { BlockTime } from '../token/block-times.ts';

/** Slots whose mean length is told. */
export const PACE_SLOTS = 1_000;
/** Blocks at either end whose middle time stands for them: nodes get single times wrong. */
const MOST_DECIDING = 16;

/** How long slots are, by the times of the newest blocks. */
export class SlotPace {
  /** Unix seconds by slot, of blocks that tell their time. */
  readonly #times = new Map<number, number>();
  #newest = 0;

  /** A block, nearly always the newest. */
  note({ slot, time }: BlockTime): void {
    if (time === 0 || slot <= this.#newest - PACE_SLOTS) return;
    this.#times.set(slot, time);
    if (slot <= this.#newest) return;
    this.#newest = slot;
    for (const known of this.#times.keys()) if (known <= slot - PACE_SLOTS) this.#times.delete(known);
  }

  /** These slots are not on the chain. */
  withdraw(first: number, last: number): void {
    for (let slot = first; slot <= last; slot += 1) this.#times.delete(slot);
    if (last >= this.#newest) this.#newest = Math.max(0, ...this.#times.keys());
  }

  /** When a slot was, Unix seconds; undefined when its block is not among the newest. */
  timeOf(slot: number): number | undefined {
    return this.#times.get(slot);
  }

  /** Mean of the newest slots in milliseconds, rounded; undefined while their blocks do not tell times that differ. */
  slotMs(): number | undefined {
    const blocks = [...this.#times].map(([slot, time]) => ({ slot, time })).sort((a, b) => a.slot - b.slot);
    const deciding = Math.min(MOST_DECIDING, blocks.length >> 1);
    if (deciding === 0) return undefined;
    const from = middleOf(blocks.slice(0, deciding));
    const to = middleOf(blocks.slice(-deciding));
    return to.time > from.time ? Math.round(((to.time - from.time) * 1_000) / (to.slot - from.slot)) : undefined;
  }
}

/** The block of the middle time. */
function middleOf(blocks: readonly BlockTime[]): BlockTime {
  return [...blocks].sort((a, b) => a.time - b.time || a.slot - b.slot)[(blocks.length - 1) >> 1]!;
}
