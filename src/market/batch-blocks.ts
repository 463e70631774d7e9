import { readBatch } from '../books/mint-rows.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import { decodeRows } from '../store/clickhouse/schema/row-codec.ts';
import { BLOCKS, type SwapRow } from '../store/clickhouse/schema/tables.ts';
import type { SlotSwaps } from './market-windows.ts';

/** Whole blocks of a batch by slot, those without a swap too. Swaps are in order within each token. */
export function blocksOf(batch: RowBatch): SlotSwaps[] {
  const table = batch.tables.get(BLOCKS.name);
  const blocks = new Map<number, { readonly slot: number; readonly time: number; readonly swaps: SwapRow[] }>();
  if (table !== undefined) {
    for (const { slot, time } of decodeRows(BLOCKS, table.bytes)) blocks.set(slot, { slot, time, swaps: [] });
  }
  for (const { swaps } of readBatch(batch).values()) {
    for (const swap of swaps) blocks.get(swap.slot)?.swaps.push(swap);
  }
  return [...blocks.values()].sort((a, b) => a.slot - b.slot);
}
