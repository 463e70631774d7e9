import type { Address } from '../../chain/address.ts';
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

/** Mints that may wait to be folded again while more are marked, and those that are marked at once. */
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
  const { stats, clock } = options;
  while (!signal.aborted) {
    try {
      await untilFewWait(options, signal);
      const goesOn = !signal.aborted && (await markNext(options, signal));
      stats.alarm('older_holdings', undefined);
      if (!goesOn) return;
    } catch (error) {
      stats.alarm('older_holdings', `holdings of before could not be begun: ${String(error)}`);
      await clock.sleep(RETRY_MS, signal);
    }
  }
}

/** Waits while live blocks do, or while many mints are to be folded again; until the signal aborts. */
async function untilFewWait({ busy, stale, clock }: OlderHoldingsOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (busy() || stale.size >= ENOUGH_STALE)) await clock.sleep(LOOK_AGAIN_MS, signal);
}

/** False when nothing is left to be done, or the signal aborts. */
async function markNext(options: OlderHoldingsOptions, signal: AbortSignal): Promise<boolean> {
  const { store, stale } = options;
  const step = await store.readHoldingsStep();
  if (step === undefined || signal.aborted) return false;
  if (step === 'marked') {
    if (await stale.folded(signal)) await store.noteHoldingsFolded();
    return false;
  }
  for (let start = 0; start < step.mints.length; start += ENOUGH_STALE) {
    await untilFewWait(options, signal);
    // What is marked of it by then is marked once more with the step.
    if (signal.aborted) return false;
    await mark(options, step.mints.slice(start, start + ENOUGH_STALE));
  }
  // Only behind the marks: a step that is noted is not taken again.
  await store.noteHoldingsStep(step);
  return true;
}

async function mark({ store, stale, stats }: OlderHoldingsOptions, mints: readonly Address[]): Promise<void> {
  const marks = stale.mark(mints, { slot: 0, firstSlot: 0, holdingsOnly: true });
  try {
    await store.amend(new Map([['stale_positions', encodeStale(marks, false)]]));
  } catch (error) {
    stale.forget(marks);
    throw error;
  }
  stale.stored(marks);
  stats.stale(stale.size);
}
