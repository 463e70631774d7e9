/** Bytes on their way to the store. Whoever brings more than there is room for waits. */
export class PendingBytes {
  readonly #most: number;
  #waiting: (() => void)[] = [];
  #bytes = 0;
  #closed = false;

  constructor(most: number) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Waits until there is room. What is larger than the bound is taken alone. False when nothing more is taken. */
  async take(bytes: number): Promise<boolean> {
    while (this.#bytes > 0 && this.#bytes + bytes > this.#most && !this.#closed) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (this.#closed) return false;
    this.#bytes += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#bytes -= bytes;
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
