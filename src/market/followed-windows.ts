import type { Feed, SlotSpan } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import type { BlockTime } from '../token/block-times.ts';
import { blocksOf } from './batch-blocks.ts';
import { EarlierPrices } from './earlier-prices.ts';
import type { MarketWindows } from './market-windows.ts';
import type { NewestBlocks } from './newest-blocks.ts';

/** Cells that may leave the windows within one turn of the event loop: an hour of mainnet, not a day of it. */
const MOST_LEAVING = 200_000;
/** Slots ahead of the windows that are remembered; the oldest are forgotten first. */
const MOST_AHEAD = 1_000;

export interface FollowedDeps {
  readonly windows: MarketWindows;
  readonly blocks: NewestBlocks;
  readonly feed: Pick<Feed, 'since'>;
  readonly clock: Clock;
  /** Told of slots that the store has to be asked for. */
  readonly isStale: (slots: SlotSpan) => void;
}

/**
 * Windows that take in blocks of the feed one after the other. They end with the time of the chain, which no single
 * block decides: swaps of a block that is ahead of it are counted when it has come so far, as the feed holds them or the
 * store has them, those of long ago where they belong, as the store has them.
 */
export class FollowedWindows {
  readonly windows: MarketWindows;
  readonly earlier: EarlierPrices;
  readonly #deps: FollowedDeps;
  #ahead: BlockTime[] = [];

  constructor(deps: FollowedDeps) {
    this.windows = deps.windows;
    this.earlier = new EarlierPrices(deps.windows, deps.clock);
    this.#deps = deps;
  }

  /** Takes the newest block in. False when the windows have to be made anew. */
  take(batch: RowBatch): boolean {
    const { blocks, feed, isStale } = this.#deps;
    for (const block of blocksOf(batch)) {
      const { slot, time } = block;
      // Nobody knows when these were traded.
      if (time === 0) continue;
      blocks.push({ slot, time }, feed.since(0).length);
      if (!this.moveOn()) return false;
      if (time > this.windows.now) this.noteAhead([{ slot, time }]);
      else if (this.windows.add(block)) this.earlier.note(slot);
      else isStale({ first: slot, last: slot });
    }
    return true;
  }

  /** Takes the newest blocks out again. False when the windows have to be made anew. */
  takeBack({ firstSlot, lastSlot }: RowBatch): boolean {
    const { blocks } = this.#deps;
    this.#ahead = this.#ahead.filter(({ slot }) => slot < firstSlot);
    for (const slot of this.windows.hour.slotsWithin(firstSlot, lastSlot)) {
      this.windows.withdraw(slot, this.windows.now);
    }
    blocks.withdraw(firstSlot);
    return this.moveOn();
  }

  /** True when the block of a slot is one of those that decide what time it is. */
  decides(slot: number): boolean {
    return this.#deps.blocks.decides(slot);
  }

  /** Takes note of blocks that the store has. False when the windows have to be made anew. */
  learn(blocks: readonly BlockTime[]): boolean {
    this.#deps.blocks.merge(blocks);
    return this.moveOn();
  }

  /** Moves to the time of the chain. False when the windows have to be made anew. */
  moveOn(): boolean {
    const { blocks, clock, isStale } = this.#deps;
    const now = blocks.now(Math.floor(clock.now() / 1_000));
    if (now === this.windows.now) return true;
    // Whatever leaves by the million, behind a halt of the chain, is read anew, which is done in portions.
    if (this.windows.leaving(now) > MOST_LEAVING || !this.windows.moveTo(now)) return false;
    const reached = this.#ahead.filter(({ time }) => time <= now);
    this.#ahead = this.#ahead.filter(({ time }) => time > now);
    for (const { slot } of reached) if (!this.#takeHeld(slot)) isStale({ first: slot, last: slot });
    return true;
  }

  /** Takes in a slot that the feed still holds, which the store does not have yet. False when there is none. */
  #takeHeld(slot: number): boolean {
    const held = this.#deps.feed.since(slot - 1).find(({ firstSlot }) => firstSlot <= slot);
    const block = held?.closesSlots === true ? blocksOf(held).find((each) => each.slot === slot) : undefined;
    if (block === undefined || !this.windows.add(block)) return false;
    this.earlier.note(slot);
    return true;
  }

  /** Remembers slots that are ahead of the windows. */
  noteAhead(blocks: readonly BlockTime[]): void {
    this.#ahead = [...this.#ahead, ...blocks].slice(-MOST_AHEAD);
  }
}
