import { ByteWriter } from './byte-writer.ts';

const VARINT = 0;
const FIXED_64 = 1;
const DELIMITED = 2;

/**
 * Writes protobuf messages straight into one growing buffer. As in proto3,
 * values equal to their default are left out; `…Present` methods write them anyway.
 */
export class ProtobufWriter {
  readonly #out = new ByteWriter(1 << 20);

  uint(field: number, value: number | bigint): void {
    if (value !== 0 && value !== 0n) this.uintPresent(field, value);
  }

  uintPresent(field: number, value: number | bigint): void {
    this.#varint((field << 3) | VARINT);
    if (typeof value === 'number') this.#varint(value);
    else this.#bigVarint(value);
  }

  bool(field: number, value: boolean): void {
    if (value) this.uintPresent(field, 1);
  }

  double(field: number, value: number): void {
    if (value === 0) return;
    this.#varint((field << 3) | FIXED_64);
    this.#out.f64(value);
  }

  bytes(field: number, value: Uint8Array): void {
    if (value.length > 0) this.bytesPresent(field, value);
  }

  /** Elements of a repeated field are written even when empty. */
  bytesPresent(field: number, value: Uint8Array): void {
    this.#varint((field << 3) | DELIMITED);
    this.#varint(value.length);
    this.#out.bytes(value);
  }

  text(field: number, value: string): void {
    if (value.length > 0) this.textPresent(field, value);
  }

  /** Elements of a repeated field are written even when empty. */
  textPresent(field: number, value: string): void {
    this.#varint((field << 3) | DELIMITED);
    this.#varint(Buffer.byteLength(value));
    this.#out.text(value);
  }

  /** A message inside this one; also any field whose length is known only once it is written. */
  message(field: number, write: () => void): void {
    this.#varint((field << 3) | DELIMITED);
    const lengthAt = this.#out.length;
    // One byte is the usual length of a length; longer content is moved up once it is known.
    this.#out.u8(0);
    const start = this.#out.length;
    write();
    this.#patchLength(lengthAt, this.#out.length - start);
  }

  packed(field: number, values: readonly bigint[]): void {
    if (values.length === 0) return;
    this.message(field, () => {
      for (const value of values) this.#bigVarint(value);
    });
  }

  finish(): Uint8Array {
    const bytes = this.#out.finish();
    this.#out.clear();
    return bytes;
  }

  #patchLength(at: number, length: number): void {
    let more = 0;
    for (let rest = length >>> 7; rest > 0; rest >>>= 7) more++;
    if (more > 0) this.#out.shift(at + 1, more);
    let rest = length;
    for (let byte = 0; byte <= more; byte++) {
      this.#out.patch(at + byte, byte < more ? (rest & 0x7f) | 0x80 : rest);
      rest >>>= 7;
    }
  }

  #varint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.#out.u8((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.#out.u8(rest);
  }

  #bigVarint(value: bigint): void {
    if (value <= Number.MAX_SAFE_INTEGER) {
      this.#varint(Number(value));
      return;
    }
    let rest = value;
    while (rest >= 0x80n) {
      this.#out.u8(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.#out.u8(Number(rest));
  }
}
