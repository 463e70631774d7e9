import type { Sums } from '../../src/market/sums.ts';

/** Buckets by their starts, in the bytes that `window-cells.sql` makes of them. */
export function packCells(cells: ReadonlyMap<number, Sums>): Uint8Array {
  const bytes = Buffer.alloc(24 * cells.size);
  let at = 0;
  for (const [start, { buys, sells, volume }] of cells) {
    for (const word of [start, buys, sells, Number(volume & 0xffff_ffffn)]) at = bytes.writeUInt32LE(word, at);
    at = bytes.writeBigUInt64LE(volume >> 32n, at);
  }
  return bytes;
}
