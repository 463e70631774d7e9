import { namedOldestSlot, type StreamEnding } from './yellowstone-ending.ts';

/**
 * Starts in a row that a server refuses before its newest block will do: who asks
 * for the oldest it has, and is late each time, would ask for ever.
 */
const MAX_REFUSED_STARTS = 2;

/**
 * Decides where the next stream begins: at the slot that is wanted, at the oldest
 * that the server says it has, or at its newest block. That a start was refused is
 * believed when the newest block comes in its place: where that is refused as well,
 * the slot was not the reason, and is asked for again.
 */
export class StreamStart {
  private replays = true;
  private refusedStarts = 0;
  private named: number | undefined = undefined;
  /** Slots before this one hold what no stream can give. */
  private floor = 0;

  /** `wanted` is the slot behind all that is settled. Undefined is the newest block. */
  next(wanted: number | undefined): number | undefined {
    if (wanted === undefined || !this.replays || this.refusedStarts >= MAX_REFUSED_STARTS) return undefined;
    return Math.max(this.named ?? 0, this.planned(wanted));
  }

  /** The slot at which a stream has to begin so that nothing is left out that it could give. */
  planned(wanted: number): number {
    return Math.max(wanted, this.floor);
  }

  gaveBlock(): void {
    this.refusedStarts = 0;
    this.named = undefined;
  }

  /** Leaves out everything before `slot` from now on. */
  passOver(slot: number): void {
    this.floor = Math.max(this.floor, slot);
  }

  /** A stream that began at `start` ended before its first block. True when the next one is opened at once. */
  gaveNothing(start: number | undefined, ending: StreamEnding): boolean {
    if (start === undefined) {
      this.refusedStarts = 0;
      this.named = undefined;
      return false;
    }
    const oldest = namedOldestSlot(ending, start);
    if (ending.replaysNothing) this.replays = false;
    else if (ending.kind === 'busy' && oldest === undefined) return false;
    else this.refusedStarts = oldest === undefined ? MAX_REFUSED_STARTS : this.refusedStarts + 1;
    this.named = oldest;
    // The server's oldest slot moves on while we wait, and so does its newest.
    return true;
  }
}
