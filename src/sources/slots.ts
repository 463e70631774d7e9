import type { Block } from '../chain/block.ts';

/** Slots that a source could not give: from after one block to before the next. */
export interface SlotGap {
  readonly fromSlot: number;
  readonly toSlot: number;
}

export interface OrderedBlocks {
  readonly blocks: readonly Block[];
  /** Slots that were given up on, just before the first of `blocks`. */
  readonly gap: SlotGap | undefined;
}

/**
 * Puts the blocks of a stream in slot order by their parent links: a block
 * whose parent has not come yet waits, one that was seen is dropped. Pure
 * state, no clock.
 */
export interface SlotOrder {
  /** Where a new stream has to start so that nothing is lost; undefined before the first block. */
  readonly nextSlot: number | undefined;
  push(block: Block): OrderedBlocks;
  /** The source says that nothing before `slot` will come. */
  skipTo(slot: number): void;
}

/**
 * Blocks that wait for a parent before it is given up. Confirmation comes in
 * order but for a slot or two, so this is many.
 */
const MAX_WAITING_BLOCKS = 16;
const NOTHING: OrderedBlocks = { blocks: [], gap: undefined };

export function createSlotOrder(fromSlot: number | undefined): SlotOrder {
  let lastSlot = fromSlot === undefined ? undefined : fromSlot - 1;
  let waiting: Block[] = [];

  /** Everything that links to the last block, in order. */
  function release(): Block[] {
    const released: Block[] = [];
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      if (lastSlot !== undefined && first.slot <= lastSlot) {
        waiting.shift();
        continue;
      }
      if (lastSlot !== undefined && first.parentSlot > lastSlot) break;
      waiting.shift();
      lastSlot = first.slot;
      released.push(first);
    }
    return released;
  }

  function insert(block: Block): void {
    const place = waiting.findIndex(({ slot }) => slot >= block.slot);
    if (place < 0) waiting.push(block);
    else if (waiting[place]!.slot !== block.slot) waiting.splice(place, 0, block);
  }

  return {
    get nextSlot() {
      return lastSlot === undefined ? undefined : lastSlot + 1;
    },
    push(block) {
      if (lastSlot !== undefined && block.slot <= lastSlot) return NOTHING;
      insert(block);
      const blocks = release();
      if (waiting.length <= MAX_WAITING_BLOCKS) return { blocks, gap: undefined };
      const fromSlot = lastSlot! + 1;
      lastSlot = waiting[0]!.parentSlot;
      const gap = { fromSlot, toSlot: lastSlot };
      return { blocks: release(), gap };
    },
    skipTo(slot) {
      lastSlot = Math.max(lastSlot ?? 0, slot - 1);
      waiting = waiting.filter((block) => block.slot > lastSlot!);
    },
  };
}
