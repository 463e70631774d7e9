import { deriveFacts } from '../../facts/derive.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { RangeStep } from '../../sources/rpc-range.ts';
import { missingRanges, type SlotRange } from '../../store/clickhouse/coverage.ts';
import type { IngestStore } from '../ingest-store.ts';
import type { DiskPause } from '../live/disk-pause.ts';
import { NO_ROOM } from '../live/fitting-rows.ts';
import { createTradedMints } from '../live/traded-mints.ts';
import type { IngestStats } from '../report/stats.ts';
import type { RangeReader } from './hole-filler.ts';
import { createLateBlocks, type LateBlocksLimits } from './late-blocks.ts';
import { createRefolder, type LiveFold } from './refold.ts';
import { refoldTables } from './refold-rows.ts';
import { createStaleMints } from './stale-mints.ts';

export interface BackfillOptions {
  readonly store: IngestStore;
  readonly read: RangeReader;
  readonly stats: IngestStats;
  readonly clock: Clock;
  readonly disk: DiskPause;
  readonly limits?: Partial<LateBlocksLimits>;
  readonly derive?: typeof deriveFacts;
}

/**
 * Brings history into a store that nobody else writes to. What a flush has
 * written stays, whatever ends the process: the next run asks for the rest only.
 */
export interface Backfill {
  /** Parts of a range that the store does not have. */
  missing(range: SlotRange): readonly SlotRange[];
  /**
   * Reads what is missing of a range and writes it. `onStep` is told of each step
   * once it is taken. Resolves when the store has everything that was had.
   */
  fill(range: SlotRange, onStep: (step: RangeStep) => void, signal: AbortSignal): Promise<void>;
  /** Folds again whose swaps came late, of earlier runs too. What an abort leaves stays marked. */
  refold(signal: AbortSignal): Promise<void>;
}

/** Nothing live waits behind these flushes, and one large insert costs the store less than many. */
const LARGE_FLUSH: LateBlocksLimits = { maxBlocks: 512, maxBytes: 32 * 1024 ** 2 };
/** Milliseconds of a slow node's work that a kill can cost. */
const FLUSH_EVERY_MS = 15_000;
/** There is nobody who would hold what came before. */
const NO_SINK = { changed() {} };

export async function createBackfill(options: BackfillOptions): Promise<Backfill> {
  const { store, read, stats, clock, disk, limits = LARGE_FLUSH, derive = deriveFacts } = options;
  const stale = createStaleMints(await store.readStale());
  const late = createLateBlocks({
    store,
    stale,
    tradedMints: createTradedMints(store),
    sink: NO_SINK,
    stats,
    clock,
    limits,
    derive,
  });
  const refolder = createRefolder({
    store,
    stale,
    live: createStillFold(store),
    sink: NO_SINK,
    stats,
    clock,
    delayMs: 0,
  });

  let flushedAt = clock.elapsed();

  /** Takes a step, and returns it as it turned out: a block for which there is no room becomes unavailable. */
  async function take(step: RangeStep): Promise<RangeStep> {
    let taken = step;
    if (step.kind === 'skipped') await late.skipped(step);
    if (step.kind === 'block' && !(await late.add(step.block))) {
      const { slot } = step.block;
      taken = { kind: 'unavailable', first: slot, last: slot, reason: NO_ROOM };
    }
    if (clock.elapsed() - flushedAt < FLUSH_EVERY_MS) return taken;
    await late.flush();
    flushedAt = clock.elapsed();
    return taken;
  }

  function missing(range: SlotRange): readonly SlotRange[] {
    return missingRanges(store.coverage, range);
  }

  return {
    missing,
    async fill(range, onStep, signal) {
      try {
        for (const each of missing(range)) {
          for await (const step of read(each, signal)) {
            await disk.room(signal);
            onStep(await take(step));
          }
        }
      } finally {
        await late.flush();
      }
    },
    async refold(signal) {
      stale.close();
      await refolder.run(signal);
    },
  };
}

/** No live folding goes on: refolded positions go straight to the store. */
function createStillFold(store: Pick<IngestStore, 'amend' | 'committedSlot'>): LiveFold {
  return {
    draw: async () => store.committedSlot,
    async replace({ states, done }) {
      for (const tables of refoldTables([...states.values()], done, [])) await store.amend(tables);
      return true;
    },
  };
}
