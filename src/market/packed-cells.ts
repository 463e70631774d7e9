import { type Counts, noCounts } from './sums.ts';

/** Bytes of a bucket: its start, buys, sells, the volume's low 32 bits, and how often it holds 2^32 in 64 bits. */
const CELL_BYTES = 24;
const [START, BUYS, SELLS, LOW, HIGH] = [0, 4, 8, 12, 16];
const WORD = 2 ** 32;

/** What a bucket comes to. The object is the same for the next bucket. */
export type CellVisitor = (start: number, counts: Readonly<Counts>) => void;

/** Shows the buckets of one series on a venue, as `window-cells.sql` packs them: millions come at once. */
export function visitCells(bytes: Uint8Array, visit: CellVisitor): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const counts = noCounts();
  for (let at = 0; at < bytes.length; at += CELL_BYTES) {
    counts.buys = view.getUint32(at + BUYS, true);
    counts.sells = view.getUint32(at + SELLS, true);
    counts.low = view.getUint32(at + LOW, true);
    counts.high = view.getUint32(at + HIGH, true) + view.getUint32(at + HIGH + 4, true) * WORD;
    visit(view.getUint32(at + START, true), counts);
  }
}
