/** Bounds of an {@link UpdateQueue}, at which its producer is stopped. */
export interface UpdateQueueBounds {
  readonly maxUpdates: number;
  readonly maxBytes: number;
  /** Called when a bound is reached; what comes after it, comes on top. */
  readonly onFull: () => void;
  /** Called when there is room again. */
  readonly onRoom: () => void;
}

/**
 * Updates between a stream and whoever reads it. Bounded in bytes, as blocks
 * differ a hundredfold in size. The stream can't wait, so it is told to stop.
 */
export class UpdateQueue {
  private readonly bounds: UpdateQueueBounds;
  private readonly updates: Buffer[] = [];
  private waitingBytes = 0;
  private isFull = false;
  private isClosed = false;
  private failure: unknown;
  private wake: (() => void) | undefined = undefined;

  constructor(bounds: UpdateQueueBounds) {
    this.bounds = bounds;
  }

  push(update: Buffer): void {
    if (this.isClosed) return;
    this.updates.push(update);
    this.waitingBytes += update.length;
    this.#check();
    this.wake?.();
  }

  /** No more updates. What waits can still be taken; then `take` throws `failure`, if there is one. */
  close(failure?: unknown): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.failure = failure;
    this.wake?.();
  }

  /** The oldest update, once there is one; undefined when the queue is closed and empty. */
  async take(): Promise<Buffer | undefined> {
    while (this.updates.length === 0 && !this.isClosed) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    const first = this.updates.shift();
    if (first === undefined) {
      if (this.failure !== undefined) throw this.failure;
      return undefined;
    }
    this.waitingBytes -= first.length;
    this.#check();
    return first;
  }

  #check(): void {
    const { maxBytes, maxUpdates, onFull, onRoom } = this.bounds;
    const isFull = this.waitingBytes >= maxBytes || this.updates.length >= maxUpdates;
    if (isFull === this.isFull) return;
    this.isFull = isFull;
    if (isFull) onFull();
    else onRoom();
  }
}
