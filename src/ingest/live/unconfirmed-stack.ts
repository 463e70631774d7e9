import type { Address } from '../../chain/address.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import type { StaleMint } from '../../store/clickhouse/write/stale-positions.ts';
import type { FoldSteps } from './step-memory.ts';
import type { FirstTrades } from './traded-mints.ts';

/** A block that was folded and published, and that the chain may still drop. */
export interface HeldBlock {
  readonly slot: number;
  /** Number of its fold. */
  number: number;
  /** Its swaps and its movements, also of mints that nobody has traded yet: a late block may have. */
  readonly steps: FoldSteps;
  /** Mints that it traded for the first time in a quote. */
  readonly firstTrades: FirstTrades;
  /** With the positions and holdings of its newest fold. */
  batch: RowBatch;
  /** Mints that the batch marks as stale. */
  marks: readonly StaleMint[];
  /** Mints of a block that was not published and goes to the store alone; undefined when it was. */
  readonly unpublished: ReadonlySet<Address> | undefined;
}

/** A block there was no room for: nothing of it was folded or published. */
interface LeftOut {
  readonly slot: number;
}

/**
 * Blocks that are published and not confirmed, oldest at the bottom. Confirmed from there up, withdrawn from the top
 * down; anything else is a fault of the source.
 */
export interface UnconfirmedStack {
  /** Blocks held. Those left out do not count. */
  readonly size: number;
  readonly full: boolean;
  push(block: HeldBlock): void;
  /** Remembers a slot only, so that its confirmation or withdrawal finds it. */
  leaveOut(slot: number): void;
  /** Takes off what is confirmed by `slot`, and gives the blocks held of it, oldest first. */
  confirm(slot: number): readonly HeldBlock[];
  /** Takes off the newest, of this slot; undefined when it had been left out. */
  withdraw(slot: number): HeldBlock | undefined;
  /** The blocks held, oldest first. */
  blocks(): readonly HeldBlock[];
  /** Slots of all, those left out too, oldest first. */
  slots(): readonly number[];
}

export function createUnconfirmedStack(capacity: number): UnconfirmedStack {
  let stack: (HeldBlock | LeftOut)[] = [];
  let held = 0;

  return {
    get size() {
      return held;
    },
    get full() {
      return held >= capacity;
    },
    push(block) {
      stack.push(block);
      held += 1;
    },
    leaveOut(slot) {
      stack.push({ slot });
    },
    confirm(slot) {
      const open = stack.findIndex((each) => each.slot > slot);
      const confirmed = stack.slice(0, open < 0 ? stack.length : open);
      stack = stack.slice(confirmed.length);
      const blocks = confirmed.filter(isHeld);
      held -= blocks.length;
      return blocks;
    },
    withdraw(slot) {
      const newest = stack.pop();
      if (newest?.slot !== slot) {
        throw new RangeError(`slot ${slot} is withdrawn, but the newest unconfirmed block is of ${newest?.slot}`);
      }
      if (!isHeld(newest)) return undefined;
      held -= 1;
      return newest;
    },
    blocks: () => stack.filter(isHeld),
    slots: () => stack.map(({ slot }) => slot),
  };
}

function isHeld(block: HeldBlock | LeftOut): block is HeldBlock {
  return 'batch' in block;
}
