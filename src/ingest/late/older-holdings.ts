import type { Clock } from '../../kernel/clock.ts';
import { encodeStale } from '../../store/clickhouse/write/stale-positions.ts';
import type { IngestStore } from '../ingest-store.ts';
import type { IngestStats } from '../report/stats.ts';
import type { StaleMints } from './stale-mints.ts';

export interface OlderHoldingsOptions {
  readonly store: Pick<IngestStore, 'readHoldingsStep' | 'noteHoldingsStep' | 'noteHoldingsFolded' | 'amend'>;
  readonly stale: StaleMints;
  readonly stats: Pick<IngestStats, 'alarm' | 'stale'>;
  readonly clock: Clock;
  /** True while live blocks wait. */
  readonly busy: () => boolean;
}

/** Mints that may wait to be folded again while more are marked. */
const ENOUGH_STALE = 500;
const LOOK_AGAIN_MS = 1_000;
const RETRY_MS = 10_000;

/**
 * Holdings of a store that is older than they are, folded out of the movements that it still has: its mints are marked
 * step by step beside live ingest, for their holdings alone, and folded again like those with late blocks. That holdings
 * are there is noted when the last of these is folded: readers of holders look at no marks. Until the signal aborts, or
 * all are through. What is left is the next run's.
 */
export async function foldOlderHoldings(options: OlderHoldingsOptions, signal: AbortSignal): Promise<void> {
  const { stats, stale, clock, busy } = options;
  while (!signal.aborted) {
    if (busy() || stale.size >= ENOUGH_STALE) {
      await clock.sleep(LOOK_AGAIN_MS, signal);
      continue;
    }
    try {
      const goesOn = await markNext(options, signal);
      stats.alarm('older_holdings', undefined);
      if (!goesOn) return;
    } catch (error) {
      stats.alarm('older_holdings', `holdings of before could not be begun: ${String(error)}`);
      await clock.sleep(RETRY_MS, signal);
    }
  }
}

/** False when nothing is left to be done. */
async function markNext({ store, stale, stats }: OlderHoldingsOptions, signal: AbortSignal): Promise<boolean> {
  const step = await store.readHoldingsStep();
  if (step === undefined || signal.aborted) return false;
  if (step === 'marked') {
    if (await stale.folded(signal)) await store.noteHoldingsFolded();
    return false;
  }
  const marks = stale.mark(step.mints, { slot: 0, firstSlot: 0, holdingsOnly: true });
  if (marks.length > 0) {
    try {
      await store.amend(new Map([['stale_positions', encodeStale(marks, false)]]));
    } catch (error) {
      stale.forget(marks);
      throw error;
    }
    stale.stored(marks);
    stats.stale(stale.size);
  }
  // Only behind the marks: a step that is noted is not taken again.
  await store.noteHoldingsStep(step);
  return true;
}
