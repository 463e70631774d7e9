/** Answers kept per book: enough for the default pages of every question. */
const MAX_BODIES = 16;
/** Larger answers are rare and cheap to build again beside what they would hold. */
const MAX_BODY_BYTES = 512 * 1024;

/** What an answer is kept under. */
export interface BodyKey {
  readonly name: string;
  /** What else it is true of: a second, a bucket. The answer of another stamp gives way to this one. */
  readonly stamp: number;
}

/** Answers that stay true until their book changes. */
export class BodyCache {
  readonly #bodies = new Map<string, { readonly stamp: number; readonly body: Buffer }>();
  #version = 0;

  /** Changes whenever the book does; an answer under construction checks it before it is kept. */
  get version(): number {
    return this.#version;
  }

  get({ name, stamp }: BodyKey): Buffer | undefined {
    const kept = this.#bodies.get(name);
    return kept?.stamp === stamp ? kept.body : undefined;
  }

  /** Keeps an answer that was begun at `version`, unless the book has changed since. */
  set({ name, stamp }: BodyKey, body: Buffer, version: number): void {
    if (version !== this.#version || body.length > MAX_BODY_BYTES) return;
    const oldest = this.#bodies.keys().next();
    const isFull = this.#bodies.size >= MAX_BODIES && !this.#bodies.has(name);
    if (isFull && !oldest.done) this.#bodies.delete(oldest.value);
    this.#bodies.set(name, { stamp, body });
  }

  clear(): void {
    this.#version += 1;
    if (this.#bodies.size > 0) this.#bodies.clear();
  }
}
