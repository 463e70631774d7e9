/** What may wait in an {@link UpdateQueue} before its producer is stopped. */
export interface UpdateQueueBounds {
  readonly maxItems: number;
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
export class UpdateQueue<T> {
  private readonly bounds: UpdateQueueBounds;
  private items: { readonly item: T; readonly bytes: number }[] = [];
  private waitingBytes = 0;
  private isFull = false;
  private isClosed = false;
  private failure: unknown;
  private wake: (() => void) | undefined = undefined;

  constructor(bounds: UpdateQueueBounds) {
    this.bounds = bounds;
  }

  get bytes(): number {
    return this.waitingBytes;
  }

  push(item: T, bytes: number): void {
    if (this.isClosed) return;
    this.items.push({ item, bytes });
    this.waitingBytes += bytes;
    this.#check();
    this.wake?.();
  }

  /** No more items. What waits can still be taken; then `take` throws `failure`, if there is one. */
  close(failure?: unknown): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.failure = failure;
    this.wake?.();
  }

  /** The oldest item, once there is one; undefined when the queue is closed and empty. */
  async take(): Promise<T | undefined> {
    while (this.items.length === 0 && !this.isClosed) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    const first = this.items.shift();
    if (first === undefined) {
      if (this.failure !== undefined) throw this.failure;
      return undefined;
    }
    this.waitingBytes -= first.bytes;
    this.#check();
    return first.item;
  }

  #check(): void {
    const { maxBytes, maxItems, onFull, onRoom } = this.bounds;
    const isFull = this.waitingBytes >= maxBytes || this.items.length >= maxItems;
    if (isFull === this.isFull) return;
    this.isFull = isFull;
    if (isFull) onFull();
    else onRoom();
  }
}
