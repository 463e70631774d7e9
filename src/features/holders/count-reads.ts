import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../../store/query.ts';

const layout = { name: 'holder_counts', columns: { start: 'u32', change: 'i64' } } as const;
const estimateLayout = {
  name: 'holder_counts_estimate',
  columns: {
    ...layout.columns,
    /** Slot of the newest trade of the wallets that are counted in this bucket. */
    newest: 'u32',
  },
} as const;
const buckets = { mint: Type.String(), step: Type.Integer(), from: Type.Integer(), limit: Type.Integer() };

const exact = defineRowQuery({
  sql: new URL('./holder-counts.sql', import.meta.url),
  params: Type.Object({ ...buckets, mark: Type.Integer() }),
  maxSeconds: SHARED_READ_SECONDS,
  layout,
});

const estimate = defineRowQuery({
  sql: new URL('./holder-counts-estimate.sql', import.meta.url),
  params: Type.Object(buckets),
  maxSeconds: SHARED_READ_SECONDS,
  layout: estimateLayout,
});

const countSwaps = defineRowQuery({
  sql: new URL('./holder-counts-swaps.sql', import.meta.url),
  params: Type.Object({ mint: Type.String() }),
  layout: { name: 'holder_counts_swaps', columns: { swaps: 'u64' } },
});

/** The buckets of a history, and how much may be read for it. */
export interface HolderCountWindow {
  /** Length of a bucket, seconds. */
  readonly step: number;
  /** Start of the first bucket, Unix seconds, a multiple of `step`. What lies before is told as one bucket. */
  readonly from: number;
  /** Buckets from `from` on. */
  readonly limit: number;
  /** Of a mint with more swaps the history is an estimate out of its positions. */
  readonly maxSwaps: number;
  /** False when some of the mint's swaps may have been let go: then it is one, too. */
  readonly hasAllSwaps: boolean;
}

export interface HolderCounts {
  /** Buckets with trades, oldest first; the one before `from` holds all before. */
  readonly changes: readonly { /** Unix seconds. */ readonly start: number; readonly change: bigint }[];
  readonly estimated: boolean;
  /** They tell of everything up to this slot, and of nothing beyond it. */
  readonly slot: number;
}

/** By how many the holders of a mint became more or fewer, bucket by bucket. */
export async function readHolderCounts(
  client: StoreClient,
  mint: Address,
  mark: number,
  { step, from, limit, maxSwaps, hasAllSwaps }: HolderCountWindow,
): Promise<HolderCounts> {
  const [counted] = hasAllSwaps ? await countSwaps(client, { mint }) : [];
  const estimated = !hasAllSwaps || (counted?.swaps ?? 0n) > BigInt(maxSwaps);
  const window = { mint, step, from, limit: limit + 1 };
  if (!estimated) return { changes: await exact(client, { ...window, mark }), estimated, slot: mark };
  const changes = await estimate(client, window);
  return { changes, estimated, slot: changes.reduce((slot, { newest }) => Math.max(slot, newest), mark) };
}
