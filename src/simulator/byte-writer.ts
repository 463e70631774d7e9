/** Grows on demand and starts over without giving its memory back: one writer serves a whole run. */
export class ByteWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(capacity = 1_024) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  get length(): number {
    return this.#length;
  }

  u8(value: number): this {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
    return this;
  }

  u16(value: number): this {
    this.#reserve(2);
    this.#length = this.#bytes.writeUInt16LE(value, this.#length);
    return this;
  }

  u32(value: number): this {
    this.#reserve(4);
    this.#length = this.#bytes.writeUInt32LE(value, this.#length);
    return this;
  }

  u64(value: bigint): this {
    this.#reserve(8);
    this.#length = this.#bytes.writeBigUInt64LE(value, this.#length);
    return this;
  }

  f64(value: number): this {
    this.#reserve(8);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
    return this;
  }

  bytes(value: Uint8Array): this {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
    return this;
  }

  /** Without a length prefix. Returns how many bytes it took. */
  text(value: string): number {
    this.#reserve(value.length * 3);
    const written = this.#bytes.write(value, this.#length, 'utf8');
    this.#length += written;
    return written;
  }

  /** Solana's length prefix: seven bits a byte, at most three bytes. */
  compactU16(value: number): this {
    let rest = value;
    while (rest >= 0x80) {
      this.u8((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    return this.u8(rest);
  }

  /** Moves everything from `from` on by `by` bytes towards the end. */
  shift(from: number, by: number): void {
    this.#reserve(by);
    this.#bytes.copyWithin(from + by, from, this.#length);
    this.#length += by;
  }

  /** Overwrites one byte already written. */
  patch(at: number, value: number): void {
    this.#bytes[at] = value;
  }

  /** A copy of what was written. */
  finish(): Uint8Array {
    return new Uint8Array(this.#bytes.subarray(0, this.#length));
  }

  clear(): this {
    this.#length = 0;
    return this;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
