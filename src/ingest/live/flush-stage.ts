import type { Address } from '../../chain/address.ts';
import type { BoundedQueue } from '../../kernel/bounded-queue.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import type { StaleMint } from '../../store/clickhouse/write/stale-positions.ts';
import type { BatchSink, IngestStore } from '../ingest-store.ts';
import type { StaleMints } from '../late/stale-mints.ts';
import type { IngestStats } from '../report/stats.ts';
import type { FlushProgress } from './flush-progress.ts';
import { sizeOf } from './flush-size.ts';
import type { FlushWindow } from './flush-window.ts';
import type { RecentWallets } from './recent-wallets.ts';

/** An item that is confirmed and waits for the store, in the order of its numbers. */
export type FlushItem =
  | {
      readonly kind: 'block';
      readonly number: number;
      readonly batch: RowBatch;
      /** Mints that its rows mark as stale. */
      readonly marks: readonly StaleMint[];
      /** Mints of a block that the sink does not have; undefined when it has. */
      readonly unpublished: ReadonlySet<Address> | undefined;
    }
  /** Positions and holdings that were folded again. */
  | {
      readonly kind: 'refold';
      readonly number: number;
      readonly tables: RowBatch['tables'];
      /** Mints that it marks as stale again. */
      readonly marks: readonly StaleMint[];
    };

export interface FlushStageOptions {
  readonly store: IngestStore;
  readonly sink: BatchSink;
  readonly clock: Clock;
  readonly stats: IngestStats;
  readonly recentWallets: RecentWallets;
  readonly stale: StaleMints;
  readonly progress: FlushProgress;
  readonly waiting: BoundedQueue<FlushItem>;
  readonly window: FlushWindow;
  /** Items of one flush at most. */
  readonly limit: number;
}

/** Brings what is confirmed into the store, a flush at a time, until nothing more comes. */
export async function flushConfirmed({ waiting, window, limit, ...line }: FlushStageOptions): Promise<void> {
  while (await waiting.ready()) {
    await window.opened();
    for (const run of runsOfOneKind(waiting.drain(limit))) await flushRun(line, run);
  }
}

type Line = Omit<FlushStageOptions, 'waiting' | 'window' | 'limit'>;
type Run = readonly FlushItem[];

/** Blocks are written together as far as nothing has to come between them. */
function runsOfOneKind(items: readonly FlushItem[]): FlushItem[][] {
  const runs: FlushItem[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    if (run?.[0]?.kind === 'block' && item.kind === 'block') run.push(item);
    else runs.push([item]);
  }
  return runs;
}

async function flushRun({ store, sink, clock, stats, recentWallets, stale, progress }: Line, run: Run): Promise<void> {
  const newest = run.at(-1);
  if (newest === undefined) return;
  const startedAt = clock.elapsed();
  const blocks = run.filter((item) => item.kind === 'block');
  if (newest.kind === 'refold') await store.amend(newest.tables);
  else await store.flush(blocks.map(({ batch }) => batch));
  recentWallets.committed(newest.number);
  if (newest.kind === 'refold') stale.stored(newest.marks);
  if (newest.kind === 'block') {
    const { lastSlot } = newest.batch;
    for (const { marks } of blocks) stale.stored(marks);
    sink.commit(
      Math.max(store.committedSlot, lastSlot),
      blocks.filter((block) => block.unpublished === undefined).length,
    );
    for (const { unpublished, batch } of blocks) {
      if (unpublished !== undefined) sink.changed([...unpublished], { first: batch.firstSlot, last: batch.lastSlot });
    }
    stats.flushed({
      ...sizeOf(blocks.map(({ batch }) => batch)),
      committedSlot: store.committedSlot,
      ms: clock.elapsed() - startedAt,
    });
  }
  stats.spent('write', clock.elapsed() - startedAt);
  progress.note(newest.number);
}
