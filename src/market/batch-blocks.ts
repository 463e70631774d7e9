import { readBatch } from '../books/mint-rows.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import { decodeRows } from '../store/clickhouse/schema/row-codec.ts';
import { BLOCKS, type SwapRow } from '../store/clickhouse/schema/tables.ts';
import type { SlotSwaps } from './market-windows.ts';

/** Slots of the whole blocks of a batch whose time lies in a span of seconds. */
export function slotsWithin(
  batch: RowBatch,
  { since, until }: { readonly since: number; readonly until: number },
): number[] {
  const table = batch.tables.get(BLOCKS.name);
  if (table === undefined) return [];
  const blocks = decodeRows(BLOCKS, table.bytes).filter(({ time }) => time >= since && time < until);
  return blocks.map(({ slot }) => slot);
}

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
