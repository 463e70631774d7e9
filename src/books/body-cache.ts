/** Answers kept per book: enough for the default pages of every question. */
const MAX_BODIES = 16;
/** Larger answers are rare and cheap to build again beside what they would hold. */
const MAX_BODY_BYTES = 512 * 1024;

/** Answers that stay true until their book changes. */
export class BodyCache {
  readonly #bodies = new Map<string, Buffer>();
  #version = 0;

  /** Changes whenever the book does; an answer under construction checks it before it is kept. */
  get version(): number {
    return this.#version;
  }

  get(key: string): Buffer | undefined {
    return this.#bodies.get(key);
  }

  /** Keeps an answer that was begun at `version`, unless the book has changed since. */
  set(key: string, body: Buffer, version: number): void {
    if (version !== this.#version || body.length > MAX_BODY_BYTES) return;
    const oldest = this.#bodies.keys().next();
    if (this.#bodies.size >= MAX_BODIES && !oldest.done) this.#bodies.delete(oldest.value);
    this.#bodies.set(key, body);
  }

  clear(): void {
    this.#version += 1;
    if (this.#bodies.size > 0) this.#bodies.clear();
  }
}
