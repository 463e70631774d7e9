/** Answers that one section keeps: a default one and another. */
const MAX_KEPT = 2;

/** Answers made of a section's rows, which outlive news that do not concern them: a hot token's book changes with every block. */
export class KeptBodies {
  readonly #bodies = new Map<string, Buffer>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** The kept answer, or a new one in the place of the oldest. */
  get(key: string, make: () => Buffer): Buffer {
    const kept = this.#bodies.get(key);
    if (kept !== undefined) return kept;
    const body = make();
    const oldest = this.#bodies.entries().next();
    if (this.#bodies.size >= MAX_KEPT && !oldest.done) {
      this.#bodies.delete(oldest.value[0]);
      this.#bytes -= oldest.value[1].length;
    }
    this.#bodies.set(key, body);
    this.#bytes += body.length;
    return body;
  }

  clear(): void {
    this.#bodies.clear();
    this.#bytes = 0;
  }
}
