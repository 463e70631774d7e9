import type { LamportList } from '../block.ts';
import { ProtobufCursor } from './protobuf-cursor.ts';

/**
 * Lamports of a repeated field. They are kept as plain doubles, which cost no
 * object each, and become bigints when asked for; the few that a double cannot
 * hold (above 9 million SOL) are kept exactly beside them.
 */
export class GeyserLamports implements LamportList {
  private readonly amounts: number[] = [];
  private exact: Map<number, bigint> | undefined = undefined;

  /** Reads bytes[from, to): other fields may stand between the first and the last of a repeated one. */
  constructor(bytes: Uint8Array, from: number, to: number, tags: { readonly packed: number; readonly single: number }) {
    const cursor = new ProtobufCursor(bytes, from);
    while (cursor.at < to) {
      const tag = cursor.varint(to);
      if (tag === tags.single) this.#read(cursor, to);
      else if (tag === tags.packed) {
        const end = cursor.delimited(to);
        while (cursor.at < end) this.#read(cursor, end);
      } else cursor.skip(tag, to);
    }
  }

  get length(): number {
    return this.amounts.length;
  }

  at(index: number): bigint | undefined {
    const amount = this.amounts.at(index);
    if (amount === undefined) return undefined;
    if (amount <= Number.MAX_SAFE_INTEGER) return BigInt(amount);
    return this.exact?.get(index < 0 ? index + this.amounts.length : index);
  }

  *[Symbol.iterator](): Generator<bigint> {
    for (let index = 0; index < this.amounts.length; index += 1) yield this.at(index)!;
  }

  #read(cursor: ProtobufCursor, end: number): void {
    const start = cursor.at;
    const amount = cursor.varint(end);
    if (amount > Number.MAX_SAFE_INTEGER) {
      cursor.at = start;
      this.exact ??= new Map();
      this.exact.set(this.amounts.length, cursor.u64(end));
    }
    this.amounts.push(amount);
  }
}
