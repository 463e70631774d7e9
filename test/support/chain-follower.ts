import type { Block } from '../../src/chain/block.ts';
import type { ChainStep } from '../../src/sources/source.ts';

/** Follows the steps of a chain, and throws on each that is not legal. Plain checks, as millions of them are made. */
export class ChainFollower {
  readonly confirmed: Block[] = [];
  /** Given unconfirmed, oldest first. */
  readonly stack: Block[] = [];

  follow(step: ChainStep): void {
    const top = this.stack.at(-1) ?? this.confirmed.at(-1);
    if (step.kind === 'withdrawn') {
      must(this.stack.pop()?.slot === step.slot, 'withdrew what is not the newest unconfirmed block');
    } else if (step.kind === 'confirmed') {
      const count = this.stack.findIndex(({ slot }) => slot === step.slot) + 1;
      must(count > 0, 'confirmed what was not given unconfirmed');
      this.confirmed.push(...this.stack.splice(0, count));
    } else {
      must(top === undefined || step.block.slot > top.slot, 'gave a block out of order');
      must(this.stack.length === 0 || step.block.parentSlot === top?.slot, 'gave a block beside the stack');
      must(!step.confirmed || this.stack.length === 0, 'gave a confirmed block on unconfirmed ones');
      (step.confirmed ? this.confirmed : this.stack).push(step.block);
    }
  }
}

export function must(condition: boolean, fault: string): void {
  if (!condition) throw new Error(fault);
}
