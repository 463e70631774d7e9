import { Type } from 'typebox';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { findRange } from '../store/clickhouse/coverage.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../store/query.ts';
import { readCoverage } from '../token/coverage-reads.ts';
import { NOTHING_PAID, type SlotEconomicsRow } from './slot-sums.ts';

/** Slots of one question. */
export const MOST_SLOTS_READ = 10_000;

const blocks = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  maxRows: MOST_SLOTS_READ,
  sql: new URL('./economics-by-slot.sql', import.meta.url),
  params: Type.Object({ from: Type.Integer(), to: Type.Integer() }),
  layout: {
    name: 'economics_by_slot',
    columns: {
      slot: 'u32',
      block_swaps: 'u32',
      swaps: 'u64',
      unmeasured: 'u64',
      priority_fees: 'i128',
      tips: 'i128',
      fees: 'i128',
      vol: 'i128',
    },
  },
});

/**
 * What was paid in each slot from one to another, both included, out of the store. A slot is `skipped` that the store
 * holds whole and that has no block; one whose block is there and whose swaps are not summed up yet is `unknown`.
 *
 * @throws {RangeError} for more than {@link MOST_SLOTS_READ} slots.
 */
export async function slotEconomics(client: StoreClient, from: number, to: number): Promise<SlotEconomicsRow[]> {
  if (to - from >= MOST_SLOTS_READ) throw new RangeError(`${to - from + 1} slots are more than ${MOST_SLOTS_READ}`);
  if (to < from) return [];
  // Before the blocks: a slot that becomes whole meanwhile has its block already.
  const coverage = await readCoverage(client);
  const found = new Map((await blocks(client, { from, to })).map((row) => [row.slot, row]));
  return Array.from({ length: to - from + 1 }, (_, at): SlotEconomicsRow => {
    const slot = from + at;
    const row = found.get(slot);
    if (findRange(coverage, slot) === undefined) return { slot, state: 'unknown', ...NOTHING_PAID };
    if (row === undefined) return { slot, state: 'skipped', ...NOTHING_PAID };
    const swaps = Number(row.swaps);
    // Summed up in part, or of swaps that were let go before they could be.
    if (swaps !== row.block_swaps) return { slot, state: 'unknown', ...NOTHING_PAID };
    return {
      ...{ slot, state: 'seen', swaps, unmeasured: Number(row.unmeasured) },
      ...{ priorityFees: row.priority_fees, tips: row.tips, fees: row.fees, vol: row.vol },
    };
  });
}
