import { readBatch } from '../books/mint-rows.ts';
import { BASE_FEE_PER_SIGNATURE } from '../chain/compute-budget.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import { decodeRows } from '../store/clickhouse/schema/row-codec.ts';
import { BLOCKS, type SwapRow } from '../store/clickhouse/schema/tables.ts';

/** What transactions with an indexed swap paid in a slot, lamports, each transaction counted once. */
export interface SlotSums {
  /** Swaps in every quote. */
  readonly swaps: number;
  /** Transactions of which it is not known how many signatures their fee was for: they are taken for signed once. */
  readonly unmeasured: number;
  /** Fees above the base fee of each signature, whatever the venue. */
  readonly priorityFees: bigint;
  readonly tips: bigint;
  /** Protocol fees of swaps in SOL. */
  readonly fees: bigint;
  /** What swaps in SOL were for. */
  readonly vol: bigint;
}

/** `unknown`: no block has come, or what was paid in it is not summed up. Its sums, as those of a skipped slot, are 0. */
export type SlotState = 'seen' | 'skipped' | 'unknown';

export interface SlotEconomicsRow extends SlotSums {
  readonly slot: number;
  readonly state: SlotState;
}

export const NOTHING_PAID: SlotSums = { swaps: 0, unmeasured: 0, priorityFees: 0n, tips: 0n, fees: 0n, vol: 0n };

/** Of rows of one transaction the greatest: its fee stands on the first alone, and rows come token by token. */
interface PaidTransaction {
  networkFee: bigint;
  signatures: number;
  tip: bigint;
}

/** The same fold as that of the store (`slot_economics.sql`), over swaps of one block. */
export function sumsOf(swaps: Iterable<SwapRow>): SlotSums {
  const transactions = new Map<number, PaidTransaction>();
  let [count, unmeasured] = [0, 0];
  let [priorityFees, tips, fees, vol] = [0n, 0n, 0n, 0n];
  for (const swap of swaps) {
    count += 1;
    if (swap.quote_mint === '') {
      vol += swap.quote_amount;
      if (!swap.fee_in_token) fees += swap.fee;
    }
    const { network_fee: networkFee, signatures, tip } = swap;
    const known = transactions.get(swap.block_index);
    if (known === undefined) transactions.set(swap.block_index, { networkFee, signatures, tip });
    else {
      if (networkFee > known.networkFee) known.networkFee = networkFee;
      if (signatures > known.signatures) known.signatures = signatures;
      if (tip > known.tip) known.tip = tip;
    }
  }
  for (const { networkFee, signatures, tip } of transactions.values()) {
    if (signatures === 0) unmeasured += 1;
    const base = BASE_FEE_PER_SIGNATURE * BigInt(Math.max(1, signatures));
    if (networkFee > base) priorityFees += networkFee - base;
    tips += tip;
  }
  return { swaps: count, unmeasured, priorityFees, tips, fees, vol };
}

/** Sums of the whole blocks of a batch by slot, those without a swap too. */
export function sumsBySlot(batch: RowBatch): ReadonlyMap<number, SlotSums> {
  const table = batch.tables.get(BLOCKS.name);
  const swaps = new Map<number, SwapRow[]>();
  if (table !== undefined) for (const { slot } of decodeRows(BLOCKS, table.bytes)) swaps.set(slot, []);
  for (const rows of readBatch(batch).values()) for (const swap of rows.swaps) swaps.get(swap.slot)?.push(swap);
  return new Map([...swaps].map(([slot, rows]) => [slot, sumsOf(rows)]));
}
