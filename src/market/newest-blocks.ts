import { DECIDING_BLOCKS, newestTime } from '../chain/newest-time.ts';
import type { BlockTime } from '../token/block-times.ts';

/** The newest blocks: those that decide what time it is, and those that may be withdrawn. */
export class NewestBlocks {
  /** By slot, all of which tell their time. */
  #blocks: BlockTime[];

  constructor(blocks: readonly BlockTime[]) {
    this.#blocks = [...blocks];
  }

  /** Time of the chain, Unix seconds, 0 when no block tells one. `wall`: what the clock on the wall tells. */
  now(wall: number): number {
    return newestTime(
      this.#blocks.slice(-DECIDING_BLOCKS).map(({ time }) => time),
      wall,
    );
  }

  /** True when a slot is behind the first of the blocks that decide. */
  decides(slot: number): boolean {
    return slot > (this.#blocks.at(-DECIDING_BLOCKS)?.slot ?? 0);
  }

  /** Adds a block, nearly always the newest. `held`: blocks that may be withdrawn; so many are kept, and those that decide. */
  push(block: BlockTime, held: number): void {
    if (block.slot > (this.#blocks.at(-1)?.slot ?? -1)) this.#blocks.push(block);
    else this.merge([block]);
    const kept = held + DECIDING_BLOCKS;
    if (this.#blocks.length > 2 * kept) this.#blocks = this.#blocks.slice(-kept);
  }

  /** Adds blocks wherever they belong; of a slot that is known, the new time holds. */
  merge(blocks: readonly BlockTime[]): void {
    const bySlot = new Map([...this.#blocks, ...blocks].map((block) => [block.slot, block]));
    this.#blocks = [...bySlot.values()].sort((a, b) => a.slot - b.slot);
  }

  /** Takes out the blocks from a slot on. */
  withdraw(slot: number): void {
    this.#blocks = this.#blocks.filter((block) => block.slot < slot);
  }
}
