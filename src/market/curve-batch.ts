import { readBatch } from '../books/mint-rows.ts';
import type { Address } from '../chain/address.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import { decodeRows } from '../store/clickhouse/schema/row-codec.ts';
import { BLOCKS, type SwapRow } from '../store/clickhouse/schema/tables.ts';
import type { BlockTime } from '../token/block-times.ts';
import { isOnSolCurve } from '../token/curve-progress.ts';
import type { CurveBirth, CurveSample } from './curve-book.ts';

/** What a batch tells of curves. */
export interface CurveRows {
  readonly births: readonly CurveBirth[];
  readonly samples: readonly CurveSample[];
}

export function curvesOf(batch: RowBatch): CurveRows {
  const births: CurveBirth[] = [];
  const samples: CurveSample[] = [];
  for (const [mint, { creations, swaps }] of readBatch(batch)) {
    if (mint === '') continue;
    const [creation] = creations;
    if (creation !== undefined) births.push({ mint, slot: creation.slot, time: creation.time });
    samples.push(...samplesOf(mint, swaps.filter(isOnSolCurve)));
  }
  return { births, samples };
}

export function* curveMintsOf(batch: RowBatch): IterableIterator<Address> {
  for (const mint of readBatch(batch).keys()) if (mint !== '') yield mint;
}

/** Blocks of a batch that tell their time. */
export function blockTimesOf(batch: RowBatch): BlockTime[] {
  const table = batch.tables.get(BLOCKS.name);
  if (table === undefined) return [];
  return decodeRows(BLOCKS, table.bytes).flatMap(({ slot, time }) => (time > 0 ? [{ slot, time }] : []));
}

/** One for each slot, out of swaps in order. */
function samplesOf(mint: Address, swaps: readonly SwapRow[]): CurveSample[] {
  const bySlot = new Map<number, CurveSample>();
  for (const { slot, time, is_buy, token_amount, real_token_reserves: left } of swaps) {
    const before = bySlot.get(slot)?.before ?? (is_buy ? left + token_amount : left - token_amount);
    bySlot.set(slot, { mint, slot, time, left, before });
  }
  return [...bySlot.values()];
}
