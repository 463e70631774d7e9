/** Bytes of a chunk. No text reaches over the end of one, so that whoever compares texts looks its chunk up once. */
const CHUNK_BITS = 20;
const CHUNK_BYTES = 2 ** CHUNK_BITS;
const MASK = CHUNK_BYTES - 1;

/** Texts one behind the other, in chunks that are never moved: growing copies nothing. */
export class TextPool {
  readonly #chunks: Uint8Array[] = [];
  #used = CHUNK_BYTES;

  /** Keeps the bytes, fewer than a chunk has. Returns their place. */
  append(bytes: Uint8Array): number {
    if (this.#used + bytes.length > CHUNK_BYTES) {
      this.#chunks.push(new Uint8Array(CHUNK_BYTES));
      this.#used = 0;
    }
    const chunk = this.#chunks.length - 1;
    this.#chunks[chunk]?.set(bytes, this.#used);
    const place = chunk * CHUNK_BYTES + this.#used;
    this.#used += bytes.length;
    return place;
  }

  /** The chunk that a place is in. */
  chunkAt(place: number): Uint8Array {
    return this.#chunks[place >>> CHUNK_BITS]!;
  }

  get bytes(): number {
    return this.#chunks.length * CHUNK_BYTES;
  }
}

/** Where in its chunk a place is. */
export function withinChunk(place: number): number {
  return place & MASK;
}

/** The UTF-8 of a text, up to so many bytes and never half a character. */
export function cut(text: string, most: number): Uint8Array {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= most) return bytes;
  let end = most;
  // Bytes that go on with a character are 10xxxxxx.
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}
