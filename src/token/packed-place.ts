import type { Place } from '../books/place.ts';

/** A place without its time out of the number that rollups keep: 32 bits of slot, 18 of block index, 14 of instruction index. */
export function placeOf(at: bigint): Omit<Place, 'time'> {
  return { slot: slotOf(at), block_index: Number((at >> 14n) & 0x3ffffn), ix_index: Number(at & 0x3fffn) };
}

export function slotOf(at: bigint): number {
  return Number(at >> 32n);
}

/** The place whose bitwise inverse it is: of the earliest of its kind. */
export function inverseOf(before: bigint): bigint {
  return BigInt.asUintN(64, ~before);
}
