import type { Block } from '../chain/block.ts';

/** The hash of the block that is held at a slot, such as by the store; undefined when none is. */
export type HeldHash = (slot: number) => Promise<string | undefined>;

/** What a block names as its own, and as its parent. */
export type BlockLinks = Pick<Block, 'slot' | 'blockhash' | 'parentSlot' | 'parentBlockhash'>;

/** Whether blocks follow what was held before them. Slots that nobody could tell of may hold any parent. */
export interface ChainLinks {
  /** Why a block cannot follow what is held, for people; undefined when it follows, or nothing contradicts it. */
  conflict(block: BlockLinks): Promise<string | undefined>;
  /** The block is held from now on. */
  hold(block: BlockLinks): void;
}

/** `heldHash` tells of what came before the first block. */
export function createChainLinks(heldHash: HeldHash | undefined): ChainLinks {
  let held: BlockLinks | undefined;

  async function parentHash(parentSlot: number): Promise<string | undefined> {
    return held?.slot === parentSlot ? held.blockhash : heldHash?.(parentSlot);
  }

  return {
    async conflict({ parentSlot, parentBlockhash }) {
      // A parent behind the one that is held is none that was given: what lies between is named a hole before.
      if (held !== undefined && parentSlot > held.slot) return undefined;
      if (held !== undefined && parentSlot < held.slot) {
        return `it names slot ${parentSlot} as its parent, and ${held.slot} is held before it`;
      }
      if (parentBlockhash === undefined) return undefined;
      const hash = await parentHash(parentSlot);
      if (hash === undefined || hash === '' || hash === parentBlockhash) return undefined;
      return `it names another block of slot ${parentSlot} as its parent than the one that is held`;
    },
    hold(block) {
      // The block itself holds the bytes it came in.
      const { slot, blockhash, parentSlot } = block;
      held = { slot, blockhash, parentSlot };
    },
  };
}
