import type { deriveFacts } from '../../facts/derive.ts';
import type { BoundedQueue } from '../../kernel/bounded-queue.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { BlockSource, ChainStep } from '../../sources/source.ts';
import type { IngestStore } from '../ingest-store.ts';
import type { IngestStats } from '../report/stats.ts';
import type { DiskPause } from './disk-pause.ts';
import { type FittingRows, fitRows } from './fitting-rows.ts';

/** A step of the chain, with what its block tells, and the rows of that, instead of the block. */
export type DerivedStep =
  | ({ readonly kind: 'block'; readonly confirmed: boolean } & FittingRows)
  /** A block that no table has room for: a hole. */
  | { readonly kind: 'left-out'; readonly slot: number; readonly confirmed: boolean }
  | Exclude<ChainStep, { readonly kind: 'block' }>;

export interface DeriveStageOptions {
  readonly source: BlockSource;
  readonly store: IngestStore;
  readonly stats: IngestStats;
  readonly clock: Clock;
  readonly disk: DiskPause;
  readonly derive: typeof deriveFacts;
  readonly derived: BoundedQueue<DerivedStep>;
}

/** Pulls steps from the source and derives the facts of their blocks, until there are no more or none are taken. */
export async function deriveSteps(options: DeriveStageOptions, signal: AbortSignal): Promise<void> {
  const { source, store, disk, derived } = options;
  const fromSlot = store.wholeSlot === 0 ? undefined : store.wholeSlot + 1;
  await disk.room(signal);
  for await (const step of source.steps({ fromSlot, signal })) {
    const next = step.kind === 'block' ? await deriveBlock(step, options) : step;
    if (next !== undefined && !(await derived.push(next))) break;
    // Before the next pull: what has been pulled can still be written.
    await disk.room(signal);
  }
  derived.close();
}

async function deriveBlock(
  { block, confirmed }: Extract<ChainStep, { readonly kind: 'block' }>,
  { store, stats, clock, derive }: DeriveStageOptions,
): Promise<DerivedStep | undefined> {
  const taken = block.whole ? block : await store.withoutStored(block);
  if (taken !== block && taken.transactions.length === 0) return undefined;
  const startedAt = clock.elapsed();
  const fitting = fitRows(derive(taken, stats.journal), stats.journal);
  stats.spent('derive', clock.elapsed() - startedAt);
  if (fitting === undefined) return { kind: 'left-out', slot: taken.slot, confirmed };
  stats.derived(taken, fitting.facts);
  return { kind: 'block', confirmed, ...fitting };
}
