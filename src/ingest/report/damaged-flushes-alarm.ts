import type { Clock } from '../../kernel/clock.ts';
import type { OpenIngestStore } from '../open-ingest-store.ts';
import type { IngestStats } from './stats.ts';

export interface DamagedFlushesWatch {
  readonly store: Pick<OpenIngestStore, 'countDamaged'>;
  readonly stats: Pick<IngestStats, 'alarm'>;
  readonly clock: Clock;
}

/** People look into the folder; nothing waits for them. */
const LOOK_EVERY_MS = 10_000;

/** An alarm for as long as damaged flushes lie aside, until the signal aborts. */
export async function watchDamagedFlushes(
  { store, stats, clock }: DamagedFlushesWatch,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // A folder that cannot be listed for a moment tells nothing.
    const count = await store.countDamaged().catch(() => undefined);
    if (count !== undefined) stats.alarm('outbox_damaged', count === 0 ? undefined : messageOf(count));
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
}

function messageOf(count: number): string {
  return `${count} flushes in the outbox were damaged and lie in outbox/damaged: their slots are asked for again`;
}
