import { MalformedWire } from '../malformed-wire.ts';

/** Protobuf wire types that appear in the messages we read. */
export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
export const FIXED32 = 5;

/** A field's tag as it stands on the wire. */
export function tagOf(field: number, wireType: number): number {
  return field * 8 + wireType;
}

/**
 * Reads protobuf where it lies. Every read is given the end of the message it
 * belongs to and throws MalformedWire rather than pass it, so that no bytes,
 * however broken, make a reader hang or look beyond.
 */
export class ProtobufCursor {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  /** A varint as a number: exact up to 2^53, which all but lamports stay far below. */
  varint(end: number): number {
    const bytes = this.bytes;
    let at = this.at;
    if (at + 1 >= end) return this.#lastVarint(end);
    const first = bytes[at++]!;
    if (first < 128) {
      this.at = at;
      return first;
    }
    const second = bytes[at++]!;
    if (second < 128) {
      this.at = at;
      return (first & 127) | (second << 7);
    }
    let value = (first & 127) | ((second & 127) << 7);
    let scale = 16_384;
    for (;;) {
      if (at >= end || scale > MAX_SCALE) throw new MalformedWire('a varint without end');
      const byte = bytes[at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) break;
      scale *= 128;
    }
    this.at = at;
    return value;
  }

  /** A varint as an exact u64. */
  u64(end: number): bigint {
    const start = this.at;
    const value = this.varint(end);
    if (value <= Number.MAX_SAFE_INTEGER) return BigInt(value);
    let exact = 0n;
    for (let at = this.at - 1; at >= start; at--) exact = (exact << 7n) | BigInt(this.bytes[at]! & 127);
    return BigInt.asUintN(64, exact);
  }

  /** Reads a length and returns where that many bytes end. */
  delimited(end: number): number {
    const length = this.varint(end);
    const stop = this.at + length;
    if (stop > end) throw new MalformedWire(BEYOND);
    return stop;
  }

  /**
   * Steps over a delimited value and over the fields right behind it that have
   * the same one-byte tag: elements of a repeated field come in a row. Returns
   * how many there were.
   */
  skipRun(tag: number, end: number): number {
    const bytes = this.bytes;
    let at = this.at;
    let count = 0;
    for (;;) {
      const length = at < end ? bytes[at]! : 128;
      if (length < 128) at += 1 + length;
      else {
        this.at = at;
        at = this.delimited(end);
      }
      if (at > end) throw new MalformedWire(BEYOND);
      count++;
      if (at === end || bytes[at] !== tag) break;
      at++;
    }
    this.at = at;
    return count;
  }

  /** Steps over the value of a field. */
  skip(tag: number, end: number): void {
    const wireType = tag & 7;
    if (wireType === BYTES) this.at = this.delimited(end);
    else if (wireType === VARINT) this.varint(end);
    else this.#skipFixed(wireType, end);
  }

  #skipFixed(wireType: number, end: number): void {
    if (wireType !== FIXED64 && wireType !== FIXED32) throw new MalformedWire(`protobuf wire type ${wireType}`);
    this.at += wireType === FIXED64 ? 8 : 4;
    if (this.at > end) throw new MalformedWire(BEYOND);
  }

  /** Only a single byte can be left. */
  #lastVarint(end: number): number {
    const byte = this.at < end ? this.bytes[this.at]! : 128;
    if (byte >= 128) throw new MalformedWire('a varint without end');
    this.at++;
    return byte;
  }
}

const BEYOND = 'a field reaches past its message';
/** Scale of a u64's tenth and last byte. */
const MAX_SCALE = 2 ** 63;
