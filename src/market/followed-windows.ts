import type { Feed, SlotSpan } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import type { BlockTime } from '../token/block-times.ts';
import { blocksOf } from './batch-blocks.ts';
import { EarlierPrices } from './earlier-prices.ts';
import type { MarketWindows } from './market-windows.ts';
import type { NewestBlocks } from './newest-blocks.ts';
import type { Portions } from './portions.ts';

/** What a block may move at once, in cells of buckets: the end of an hour at mainnet's rate, or five seconds without a block. */
const MOST_AT_ONCE = 60_000;
/** What is moved between two looks at what else there is to do, where all of it is more than that. */
const PORTION = 8_000;
/** Blocks that ran ahead of the windows and are taken in at once when these reach them. */
const MOST_REACHED = 4;
/** Slots ahead of the windows that are remembered; the oldest are forgotten first. */
export const MOST_AHEAD = 1_000;

export interface FollowedDeps {
  readonly windows: MarketWindows;
  readonly blocks: NewestBlocks;
  readonly feed: Pick<Feed, 'since'>;
  readonly clock: Clock;
  /** Told of slots that the store has to be asked for. */
  readonly isStale: (slots: SlotSpan) => void;
}

/**
 * What became of a block: it is `done`; windows have to be moved on in portions first, by {@link FollowedWindows.slide},
 * and it comes `later`; or they have to be made `anew`.
 */
export type Outcome = 'done' | 'later' | 'anew';

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

  /** Takes the newest block in. What comes later is to be taken whole again. */
  take(batch: RowBatch): Outcome {
    const { blocks, feed, isStale } = this.#deps;
    for (const block of blocksOf(batch)) {
      const { slot, time } = block;
      // Nobody knows when these were traded.
      if (time === 0) continue;
      blocks.push({ slot, time }, feed.since(0).length);
      const moved = this.#moveOn();
      if (moved !== 'done') return moved;
      if (time > this.windows.now) this.noteAhead([{ slot, time }]);
      else if (this.windows.add(block)) this.earlier.note(slot);
      else isStale({ first: slot, last: slot });
    }
    return 'done';
  }

  /** Takes the newest blocks out again, whatever the outcome. */
  takeBack({ firstSlot, lastSlot }: RowBatch): Outcome {
    const { blocks } = this.#deps;
    this.#ahead = this.#ahead.filter(({ slot }) => slot < firstSlot);
    for (const slot of this.windows.hour.slotsWithin(firstSlot, lastSlot)) this.windows.remove(slot);
    blocks.withdraw(firstSlot);
    return this.#moveOn();
  }

  /** True when the block of a slot is one of those that decide what time it is. */
  decides(slot: number): boolean {
    return this.#deps.blocks.decides(slot);
  }

  /** Takes note of blocks that the store has. False when the windows have to be made anew. */
  async learn(blocks: readonly BlockTime[], portions: Portions): Promise<boolean> {
    this.#deps.blocks.merge(blocks);
    return this.slide(portions);
  }

  /**
   * Moves to the time of the chain in portions: behind each of them windows are as they would be had they ended there.
   * False when they have to be made anew.
   */
  async slide(portions: Portions): Promise<boolean> {
    const { windows } = this;
    for (;;) {
      const due = this.#due();
      const reached = this.#ahead.find(({ time }) => time <= windows.now);
      if (windows.now !== due) {
        if (!windows.moveTo(this.#nextStop(due))) return false;
      } else if (reached !== undefined) {
        this.#ahead = this.#ahead.filter((block) => block !== reached);
        this.#reach(reached);
      } else return true;
      await portions.turn();
    }
  }

  /** Remembers slots that are ahead of the windows. */
  noteAhead(blocks: readonly BlockTime[]): void {
    const known = new Set(blocks.map(({ slot }) => slot));
    this.#ahead = [...this.#ahead.filter(({ slot }) => !known.has(slot)), ...blocks].slice(-MOST_AHEAD);
  }

  /** Time of the chain, Unix seconds. */
  #due(): number {
    return this.#deps.blocks.now(Math.floor(this.#deps.clock.now() / 1_000));
  }

  /** Moves to the time of the chain at once, when that is little work. */
  #moveOn(): Outcome {
    const { windows } = this;
    const now = this.#due();
    const reached = this.#ahead.filter(({ time }) => time <= now);
    if (now === windows.now && reached.length === 0) return 'done';
    if (reached.length > MOST_REACHED || windows.moving(now, MOST_AT_ONCE) > MOST_AT_ONCE) return 'later';
    if (!windows.moveTo(now)) return 'anew';
    this.#ahead = this.#ahead.filter(({ time }) => time > now);
    for (const block of reached) this.#reach(block);
    return 'done';
  }

  /** The farthest second on the way to another that is a portion's work away, and one second at least. */
  #nextStop(due: number): number {
    const { windows } = this;
    let step = due - windows.now;
    while (Math.abs(step) > 1 && windows.moving(windows.now + step, PORTION) > PORTION) step = Math.trunc(step / 2);
    return windows.now + step;
  }

  /** Counts a block that was ahead of the windows. */
  #reach({ slot }: BlockTime): void {
    if (!this.#takeHeld(slot)) this.#deps.isStale({ first: slot, last: slot });
  }

  /** Takes in a slot that the feed still holds, which the store does not have yet. False when there is none. */
  #takeHeld(slot: number): boolean {
    const held = this.#deps.feed.since(slot - 1).find(({ firstSlot }) => firstSlot <= slot);
    const block = held?.closesSlots === true ? blocksOf(held).find((each) => each.slot === slot) : undefined;
    if (block === undefined || !this.windows.add(block)) return false;
    this.earlier.note(slot);
    return true;
  }
}
