/**
 * Places in a table of open slots in flat memory: slots of `width` numbers lie one behind the other, and the first one
 * behind the last. What has no room where it belongs lies in the next free slot.
 */

const HASHES = 2 ** 32;

/** Place of the slot in which something with this hash, a whole number below 2^32, belongs. */
export function homeSlot(table: Uint32Array, hash: number, width: number): number {
  return Math.floor((hash * (table.length / width)) / HASHES) * width;
}

export function nextSlot(table: Uint32Array, place: number, width: number): number {
  return place + width === table.length ? 0 : place + width;
}

/** How far it is from one place on to another, around the end. */
export function slotDistance(table: Uint32Array, from: number, to: number): number {
  return to >= from ? to - from : to - from + table.length;
}
