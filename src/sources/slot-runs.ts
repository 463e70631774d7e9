import type { Block } from '../chain/block.ts';

/** Blocks in slot order that begin at a known slot. Nothing is opened before its turn. */
export interface SlotRun {
  readonly firstSlot: number;
  readonly blocks: () => AsyncIterable<Block> | Iterable<Block>;
}

interface OpenRun {
  readonly head: Block;
  readonly rest: AsyncIterator<Block> | Iterator<Block>;
}

/**
 * Merges runs into one in slot order. A slot that several have comes once, and
 * of one of them that has the whole block, if there is any.
 */
export async function* mergeRuns(runs: readonly SlotRun[]): AsyncGenerator<Block> {
  const unopened = [...runs].sort((a, b) => b.firstSlot - a.firstSlot);
  const open: OpenRun[] = [];
  let last: Block | undefined;

  async function advance(rest: OpenRun['rest']): Promise<void> {
    const step = await rest.next();
    if (step.done !== true) open.push({ head: step.value, rest });
  }

  for (;;) {
    for (let next = unopened.at(-1); next !== undefined; next = unopened.at(-1)) {
      if (open.some(({ head }) => head.slot < next!.firstSlot)) break;
      unopened.pop();
      await advance(iteratorOf(next.blocks()));
    }
    const first = open.sort((a, b) => compare(a.head, b.head)).shift();
    if (first === undefined) return;
    if (first.head.slot !== last?.slot) yield first.head;
    last = first.head;
    await advance(first.rest);
  }
}

/** Of the same slot the whole block comes first. */
function compare(a: Block, b: Block): number {
  return a.slot - b.slot || Number(b.whole) - Number(a.whole);
}

function iteratorOf(blocks: AsyncIterable<Block> | Iterable<Block>): OpenRun['rest'] {
  return Symbol.asyncIterator in blocks ? blocks[Symbol.asyncIterator]() : blocks[Symbol.iterator]();
}
