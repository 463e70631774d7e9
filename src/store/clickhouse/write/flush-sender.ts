import type { Descriptors } from '../../../kernel/descriptors.ts';
import { createBackoff } from '../../../kernel/retry.ts';
import { isOutOfRoom, isRowsFault } from '../read/question-faults.ts';
import { StoreError } from '../store-error.ts';
import { insertFlush } from './flush-insert.ts';
import type { Flush, OutboxEntry } from './outbox.ts';
import type { WritingTools } from './recover-store.ts';
import type { StoreTrouble } from './store-trouble.ts';

const RETRY_BASE_MS = 100;
const RETRY_MAX_MS = 5_000;
/** Refusals of the same flush in a row before it counts as refused for good. */
const MAX_REFUSALS = 5;

export interface FlushSenderOptions extends WritingTools {
  /** Told of inserts that fail for want of a file descriptor. */
  readonly descriptors?: Pick<Descriptors, 'noticed'> | undefined;
  /** Told of flushes that wait for the store. */
  readonly trouble?: Omit<StoreTrouble, 'figures'> | undefined;
}

export interface SendOptions {
  /** An earlier try, of ours or of a process before us, may have got part of the way. */
  readonly again: boolean;
  /** Nobody is told anything yet, so that a full disk is not waited for. */
  readonly opening: boolean;
  readonly signal: AbortSignal;
  /** Throws what no flush gets past any more. */
  readonly assertOpen: () => void;
}

/** Puts a flush into its tables and takes it out of the outbox; tries again while the store does not take it. */
export async function sendFlush(
  options: FlushSenderOptions,
  flush: Flush,
  entry: OutboxEntry,
  { again, opening, signal, assertOpen }: SendOptions,
): Promise<void> {
  const { outbox, underWay, descriptors, trouble, log, clock } = options;
  const backoff = createBackoff({ baseMs: RETRY_BASE_MS, maxMs: RETRY_MAX_MS });
  let retrying = again;
  let refusals = 0;
  let isBegun = false;
  for (;;) {
    assertOpen();
    try {
      if (!isBegun) underWay?.began();
      isBegun = true;
      await insertFlush(options, flush, retrying);
      underWay?.ended();
      isBegun = false;
      await outbox.remove(entry);
      return;
    } catch (error) {
      if (error instanceof StoreError || (opening && isOutOfRoom(error))) throw error;
      retrying = true;
      descriptors?.noticed(error);
      trouble?.failed(flush, error);
      refusals = isRowsFault(error) ? refusals + 1 : 0;
      if (refusals >= MAX_REFUSALS) throw refused(flush, entry, error);
      const delayMs = backoff.next();
      log.warn({ flush: flush.id, err: String(error), delayMs: Math.round(delayMs) }, 'the store did not take a flush');
      await clock.sleep(delayMs, signal);
    }
  }
}

function refused(flush: Flush, { path }: OutboxEntry, cause: unknown): StoreError {
  return new StoreError(
    'rows_refused',
    `ClickHouse refuses flush ${flush.id}, which is kept in ${path}: ${String(cause)}`,
    { cause },
  );
}
