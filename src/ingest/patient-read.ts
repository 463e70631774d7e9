import type { Clock } from '../kernel/clock.ts';
import type { Descriptors } from '../kernel/descriptors.ts';
import type { Logger } from '../kernel/log.ts';
import { withRetry } from '../kernel/retry.ts';
import { isQuestionFault } from '../store/clickhouse/read/question-faults.ts';
import { mayComeByItself, START_PATIENCE_MS } from '../store/clickhouse/start-patience.ts';
import type { StoreTrouble } from '../store/clickhouse/write/store-trouble.ts';

export interface PatientReadOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Waited for apart: a shortage of ours is no trouble of the store. */
  readonly descriptors: Pick<Descriptors, 'patiently'>;
  /** Told of what is waited for. */
  readonly trouble: Omit<StoreTrouble, 'figures'>;
  /** Aborts when the store is closed. */
  readonly signal: AbortSignal;
  /** At a start what may come by itself is waited for, and so long; later everything is, for ever, but a fault of the question. */
  readonly isStart?: boolean;
}

const RETRY_BASE_MS = 100;
const RETRY_MAX_MS = 5_000;
/** Asks the store again whatever it says, as long as the question is not at fault: ingest waits for it instead of giving up. */
export async function patientRead<T>(
  { clock, log, descriptors, trouble, signal, isStart = false }: PatientReadOptions,
  read: () => Promise<T>,
): Promise<T> {
  const waiting = {};
  const until = clock.elapsed() + START_PATIENCE_MS;
  // A password that never was right is told; one that was right may be again.
  const isWaitedFor = (error: unknown) =>
    isStart ? clock.elapsed() < until && mayComeByItself(error) : !isQuestionFault(error);
  trouble.waits(waiting);
  try {
    return await withRetry(
      {
        clock,
        signal,
        baseMs: RETRY_BASE_MS,
        maxMs: RETRY_MAX_MS,
        maxTries: Number.POSITIVE_INFINITY,
        judge: (error) => ({ retry: isWaitedFor(error) }),
        onRetry(error, delayMs) {
          trouble.failed(waiting, error);
          log.warn({ err: String(error), delay_ms: Math.round(delayMs) }, 'the store did not answer ingest');
        },
      },
      () => descriptors.patiently(read, signal),
    );
  } finally {
    trouble.over(waiting);
  }
}
