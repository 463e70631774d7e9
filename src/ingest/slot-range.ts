import { type BlockSource, type ChainStep, confirmedBlocks } from '../sources/source.ts';

/** The part of a source from `from` to `to`, both included, whatever the store has. */
export function slotRange(source: BlockSource, from: number, to: number): BlockSource {
  return {
    name: source.name,
    async *steps({ signal }): AsyncGenerator<ChainStep> {
      for await (const block of confirmedBlocks(source, { fromSlot: from, signal })) {
        if (block.slot > to) return;
        yield { kind: 'block', block, confirmed: true };
        if (block.slot === to) return;
      }
    },
  };
}
