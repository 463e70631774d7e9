import type { Absence } from '../contract/stamp.ts';

/** Answers kept per book: enough for the default pages of every question. */
const MAX_BODIES = 16;
/** Larger answers are rare and cheap to build again beside what they would hold. */
const MAX_BODY_BYTES = 512 * 1024;
/** An answer's Buffer object and its place in the map, beside the text itself. */
const BODY_OVERHEAD_BYTES = 256;

/** Key under which an answer is kept. */
export interface BodyKey {
  readonly name: string;
  /** Second or bucket that the answer is true of too. An answer with another stamp gives way to one with this stamp. */
  readonly stamp: number;
}

/** Answers that stay true until their book changes. */
export class BodyCache {
  readonly #bodies = new Map<string, { readonly stamp: number; readonly body: Buffer }>();
  readonly #weighed: () => void;
  #version = 0;
  #bytes = 0;

  /** `weighed` is told whenever what is kept takes more or less memory than before. */
  constructor(weighed: () => void) {
    this.#weighed = weighed;
  }

  /** About what the answers hold in memory. */
  get bytes(): number {
    return this.#bytes;
  }

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
    if (version !== this.#version || body.length > MAX_BODY_BYTES) {
      // The section that it was made of may hold it all the same.
      this.#weighed();
      return;
    }
    const oldest = this.#bodies.keys().next();
    const isFull = this.#bodies.size >= MAX_BODIES && !this.#bodies.has(name);
    if (isFull && !oldest.done) this.#drop(oldest.value);
    this.#drop(name);
    this.#bodies.set(name, { stamp, body });
    this.#bytes += body.length + BODY_OVERHEAD_BYTES;
    this.#weighed();
  }

  clear(): void {
    this.#version += 1;
    if (this.#bodies.size === 0) return;
    this.#bodies.clear();
    this.#bytes = 0;
    this.#weighed();
  }

  #drop(name: string): void {
    const kept = this.#bodies.get(name);
    if (kept === undefined) return;
    this.#bodies.delete(name);
    this.#bytes -= kept.body.length + BODY_OVERHEAD_BYTES;
  }
}

/**
 * Ready JSON bytes: at once when they are at hand, so that the hot path waits for
 * nothing, else when they are made. An absence means that nothing is known of the mint.
 */
export type Body = Buffer | Promise<Buffer | Absence>;
