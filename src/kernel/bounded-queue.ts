/**
 * A queue between one producer and one consumer. The producer waits while it
 * is full, so a slow consumer slows the producer instead of filling memory.
 */
export interface BoundedQueue<T> {
  /** Items waiting. */
  readonly size: number;
  readonly closed: boolean;
  /** Waits for room. False when the queue was closed and the item was not taken. */
  push(item: T): Promise<boolean>;
  /** Resolves with true once something waits, with false once the queue is closed and empty. */
  ready(): Promise<boolean>;
  /** Takes up to `limit` of what waits, oldest first, without waiting. */
  drain(limit: number): T[];
  /** No more items. What waits can still be taken. */
  close(): void;
}

export function createBoundedQueue<T>(capacity: number): BoundedQueue<T> {
  if (!(capacity >= 1)) throw new RangeError(`a queue needs room for at least one item, not ${capacity}`);
  let items: T[] = [];
  let closed = false;
  let wakeProducer: (() => void) | undefined;
  let wakeConsumer: (() => void) | undefined;

  function wake(): void {
    wakeProducer?.();
    wakeConsumer?.();
    wakeProducer = undefined;
    wakeConsumer = undefined;
  }

  return {
    get size() {
      return items.length;
    },
    get closed() {
      return closed;
    },
    async push(item) {
      while (!closed && items.length >= capacity) {
        await new Promise<void>((resolve) => {
          wakeProducer = resolve;
        });
      }
      if (closed) return false;
      items.push(item);
      wakeConsumer?.();
      wakeConsumer = undefined;
      return true;
    },
    async ready() {
      while (!closed && items.length === 0) {
        await new Promise<void>((resolve) => {
          wakeConsumer = resolve;
        });
      }
      return items.length > 0;
    },
    drain(limit) {
      const taken = items.slice(0, limit);
      items = items.slice(taken.length);
      if (taken.length > 0) {
        wakeProducer?.();
        wakeProducer = undefined;
      }
      return taken;
    },
    close() {
      closed = true;
      wake();
    },
  };
}
