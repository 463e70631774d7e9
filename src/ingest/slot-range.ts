import type { Block } from '../chain/block.ts';
import type { BlockSource } from '../sources/source.ts';

/** The part of a source from `from` to `to`, both included, whatever the store has. */
export function slotRange(source: BlockSource, from: number, to: number): BlockSource {
  return {
    name: source.name,
    async *blocks({ signal }): AsyncGenerator<Block> {
      for await (const block of source.blocks({ fromSlot: from, signal })) {
        if (block.slot > to) return;
        yield block;
        if (block.slot === to) return;
      }
    },
  };
}
