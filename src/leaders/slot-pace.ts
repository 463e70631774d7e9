import type { BlockTime } from '../token/block-times.ts';

/** Slots whose mean length is told. */
export const PACE_SLOTS = 1_000;
/** Blocks at either end whose middle time stands for them: nodes get single times wrong. */
const DECIDING = 16;
/** Slots from the first block to the last: times are whole seconds, so that fewer say next to nothing. */
const LEAST_SLOTS = 100;

/** How long slots are, by the times of the newest blocks. */
export class SlotPace {
  /** Those that tell their time, in order of slots, one of a slot. */
  #blocks: BlockTime[] = [];

  /** A block, nearly always the newest. */
  note({ slot, time }: BlockTime): void {
    const newest = this.#blocks.at(-1)?.slot ?? 0;
    if (time === 0 || slot <= newest - PACE_SLOTS) return;
    if (slot > newest) {
      this.#blocks.push({ slot, time });
      while (this.#blocks[0]!.slot <= slot - PACE_SLOTS) this.#blocks.shift();
      return;
    }
    const behind = this.#blocks.findIndex((block) => block.slot >= slot);
    this.#blocks.splice(behind, this.#blocks[behind]!.slot === slot ? 1 : 0, { slot, time });
  }

  /** These slots are not on the chain. */
  withdraw(first: number, last: number): void {
    this.#blocks = this.#blocks.filter(({ slot }) => slot < first || slot > last);
  }

  /** When a slot was, Unix seconds; undefined when its block is not among the newest. */
  timeOf(slot: number): number | undefined {
    return this.#blocks.findLast((block) => block.slot === slot)?.time;
  }

  /** Mean of the newest slots in milliseconds, rounded; undefined while their blocks are too few, or of one time. */
  slotMs(): number | undefined {
    if (this.#blocks.length < 2 * DECIDING) return undefined;
    if (this.#blocks.at(-1)!.slot - this.#blocks[0]!.slot < LEAST_SLOTS) return undefined;
    const from = middleOf(this.#blocks.slice(0, DECIDING));
    const to = middleOf(this.#blocks.slice(-DECIDING));
    return to.time > from.time ? Math.round(((to.time - from.time) * 1_000) / (to.slot - from.slot)) : undefined;
  }
}

/** The block of the middle time. */
function middleOf(blocks: readonly BlockTime[]): BlockTime {
  return [...blocks].sort((a, b) => a.time - b.time || a.slot - b.slot)[(blocks.length - 1) >> 1]!;
}
