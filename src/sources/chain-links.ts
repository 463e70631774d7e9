import type { Block } from '../chain/block.ts';
import { knownBlockhash } from '../chain/known-blockhash.ts';

/** The hash of the block that is held at a slot, such as by the store; undefined when none is. */
export type HeldHash = (slot: number) => Promise<string | undefined>;

/** Slot and hash of a block, and those of its parent as the block names them. */
export type BlockLinks = Pick<Block, 'slot' | 'blockhash' | 'parentSlot' | 'parentBlockhash'>;

/** A contradiction between a block and one that is held. */
export interface LinkConflict {
  /** For people. */
  readonly reason: string;
  /** The slot of the block that is held. */
  readonly heldSlot: number;
}

/** Checks that blocks follow the blocks that are held. Slots that nobody could tell of may hold any parent. */
export interface ChainLinks {
  /** Returns why a block cannot follow what is held before it; undefined when it follows, or nothing contradicts it. */
  conflict(block: BlockLinks): Promise<LinkConflict | undefined>;
  /** The same of a block that may be held itself: it has to be that one. */
  conflictOfAny(block: BlockLinks): Promise<LinkConflict | undefined>;
  /** The block is held from now on. */
  hold(block: BlockLinks): void;
}

/** `heldHash` tells of what came before the first block, and of what lies behind a hole. */
export function createChainLinks(heldHash: HeldHash | undefined): ChainLinks {
  let held: BlockLinks | undefined;

  /** The hash that a slot is held with; undefined where it is not held. */
  async function hashAt(slot: number): Promise<string | undefined> {
    const hash = held?.slot === slot ? held.blockhash : await heldHash?.(slot);
    // A block that was stored as single transactions has no hash.
    return hash === '' ? undefined : hash;
  }

  async function conflict({ slot, parentSlot, parentBlockhash }: BlockLinks): Promise<LinkConflict | undefined> {
    if (held !== undefined && slot > held.slot && parentSlot < held.slot) {
      const reason = `it names slot ${parentSlot} as its parent, and ${held.slot} is held before it`;
      return { reason, heldSlot: held.slot };
    }
    if (parentBlockhash === undefined) return undefined;
    const hash = await hashAt(parentSlot);
    if (hash === undefined || hash === parentBlockhash) return undefined;
    const reason = `it names another block of slot ${parentSlot} as its parent than the one that is held`;
    return { reason, heldSlot: parentSlot };
  }

  return {
    conflict,
    async conflictOfAny(block) {
      const hash = await hashAt(block.slot);
      if (hash !== undefined && hash !== block.blockhash) {
        return { reason: 'it is another block of its slot than the one that is held', heldSlot: block.slot };
      }
      return conflict(block);
    },
    hold(block) {
      // The block itself holds the bytes it came in.
      const { slot, blockhash, parentSlot } = block;
      held = { slot, blockhash, parentSlot };
    },
  };
}

/** The links in an answer to `getBlock` without transactions; undefined when it is no block behind a parent. */
export function readLinks(slot: number, json: unknown): BlockLinks | undefined {
  const { parentSlot, blockhash, previousBlockhash } = (json ?? {}) as Partial<Record<string, unknown>>;
  if (typeof parentSlot !== 'number' || parentSlot >= slot || typeof blockhash !== 'string') return undefined;
  const parentBlockhash = typeof previousBlockhash === 'string' ? knownBlockhash(previousBlockhash) : undefined;
  return { slot, blockhash, parentSlot, parentBlockhash };
}
