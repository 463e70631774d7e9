/** Milliseconds that count at most of one wait: a process that was frozen has not been waiting for blocks. */
const MAX_COUNTED_WAIT_MS = 5_000;
const MAX_COUNTED_QUIET_MS = 20_000;
/** Slots that have to come while no block does. */
const MOVED_SLOTS = 2;
/** Times as long that a stream may be without any word of slots: a chain at rest has none. */
const QUIET_FACTOR = 8;

/** Tells a stream that lives and gives no blocks from a chain that rests. */
export class BlockWatch {
  private readonly blocklessMs: number;
  private withoutBlockMs = 0;
  private withoutSlotMs = 0;
  private newestSlot = -1;
  private risen = 0;

  /** `blocklessMs`: milliseconds that slots may move without a block. */
  constructor(blocklessMs: number) {
    this.blocklessMs = blocklessMs;
  }

  waited(ms: number): void {
    this.withoutBlockMs += Math.min(ms, MAX_COUNTED_WAIT_MS);
    this.withoutSlotMs += Math.min(ms, MAX_COUNTED_QUIET_MS);
  }

  sawBlock(): void {
    this.withoutBlockMs = 0;
    this.withoutSlotMs = 0;
    this.risen = 0;
  }

  sawSlot(slot: number): void {
    this.withoutSlotMs = 0;
    if (slot <= this.newestSlot) return;
    this.newestSlot = slot;
    this.risen += 1;
  }

  /** Returns what is wrong with the stream; undefined while nothing is. */
  trouble(): string | undefined {
    if (this.withoutBlockMs >= this.blocklessMs && this.risen >= MOVED_SLOTS) {
      return `no block for ${this.blocklessMs} ms while slots move`;
    }
    const quietMs = QUIET_FACTOR * this.blocklessMs;
    return this.withoutSlotMs >= quietMs ? `no word of any slot for ${quietMs} ms` : undefined;
  }
}
