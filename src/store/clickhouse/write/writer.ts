import { isOutOfDescriptors } from '../../../kernel/descriptors.ts';
import { mergeRanges } from '../coverage.ts';
import type { RowBatch } from '../schema/row-batch.ts';
import { StoreError } from '../store-error.ts';
import {
  flushBytes,
  flushOf,
  joinBatches,
  MAX_FLUSH_BYTES,
  MAX_LEASED_FLUSH_BYTES,
  selectNew,
} from './flush-batches.ts';
import { type FlushSenderOptions, sendFlush } from './flush-sender.ts';
import type { Flush, OutboxEntry } from './outbox.ts';
import { PendingBytes } from './pending-bytes.ts';
import { recoverStore } from './recover-store.ts';

/** The one way into the fact tables. */
export interface StoreWriter {
  /**
   * Writes the batches of some blocks, one block each, all of them or, after a crash, all of them later.
   * Resolves when the store answers for them; waits, and tries again, while
   * the store is away. Batches of slots that are already whole are left out, so
   * that writing a block twice changes nothing.
   *
   * Flushes are inserted in the order of the calls. A caller may go on before the
   * last one has resolved; it is held back when too much is on its way.
   * Rejects with `rows_refused`, `lease_lost` or `store_closed`.
   */
  flush(batches: readonly RowBatch[]): Promise<void>;
  /**
   * Writes rows that belong to no slot, such as positions that were folded again, as one flush
   * behind those before. The newest row wins in their tables: what is written here wins over
   * everything written before it, crash or not.
   */
  amend(tables: RowBatch['tables']): Promise<void>;
  /**
   * Sends what an earlier process left in the outbox, sets aside what is damaged there, and takes out what another left
   * half done in the tables. Called once, before the first flush.
   */
  recover(): Promise<void>;
  /** Newest slot that the store answers for, 0 while it is empty. */
  readonly committedSlot: number;
  /** Bytes on their way to the store. */
  readonly pendingBytes: number;
  /** Takes no more flushes and waits for those under way; what cannot be sent in time stays in the outbox. */
  close(timeoutMs: number): Promise<void>;
}

/** Bytes that may be on their way to the store at once, in memory as in the outbox. Above it callers wait. */
export const MAX_PENDING_BYTES = 256 * 1024 ** 2;

export function createWriter(options: FlushSenderOptions): StoreWriter {
  const { outbox, slotIndex, term, fence, storeId, trouble } = options;
  const abort = new AbortController();
  const maxBytes = term === undefined ? MAX_FLUSH_BYTES : MAX_LEASED_FLUSH_BYTES;
  /** Whole once everything accepted so far is in the store. */
  let accepted = slotIndex.coverage;
  const pending = new PendingBytes(MAX_PENDING_BYTES);
  let failure: StoreError | undefined;
  /** Ends when all flushes before have been inserted, or one has failed. */
  let line: Promise<void> = Promise.resolve();
  /** Ends when the newest flush is in the outbox: they are written there in the order of the calls. */
  let writing: Promise<unknown> = Promise.resolve();
  let closed = false;

  function assertOpen(): void {
    if (failure !== undefined) throw failure;
    if (abort.signal.aborted) throw closedError();
  }

  function send(flush: Flush, entry: OutboxEntry, again: boolean, opening: boolean): Promise<void> {
    return sendFlush(options, flush, entry, { again, opening, signal: abort.signal, assertOpen });
  }

  async function inLine<T>(work: () => Promise<T>): Promise<T> {
    const turn = line.then(work);
    line = turn.then(
      () => {},
      (error: unknown) => {
        failure ??=
          error instanceof StoreError ? error : new StoreError('rows_refused', String(error), { cause: error });
      },
    );
    return turn;
  }

  async function keep(flush: Flush): Promise<OutboxEntry> {
    try {
      return await outbox.write(flush, abort.signal);
    } catch (error) {
      if (abort.signal.aborted && isOutOfDescriptors(error)) throw closedError();
      throw new StoreError('outbox_failed', `a flush could not be written to the outbox: ${String(error)}`, {
        cause: error,
      });
    }
  }

  /** Puts a flush into the outbox and behind those before it. */
  async function take(flush: Flush): Promise<void> {
    const bytes = flushBytes(flush);
    const written = writing.then(async () => {
      if (!(await pending.take(bytes))) throw closedError();
      fence?.prepare();
      return keep({ ...flush, epoch: term?.epoch, store: storeId });
    });
    writing = written.catch(() => {});
    await inLine(async () => {
      const entry = await written;
      try {
        trouble?.waits(flush);
        await send(flush, entry, false, false);
      } finally {
        trouble?.over(flush);
        pending.release(bytes);
      }
    });
  }

  return {
    get committedSlot() {
      return slotIndex.committedSlot;
    },
    get pendingBytes() {
      return pending.bytes;
    },
    async recover() {
      const sendAtOpening = (flush: Flush, entry: OutboxEntry, again: boolean) => send(flush, entry, again, true);
      await recoverStore({ ...options, send: sendAtOpening, signal: abort.signal });
      accepted = mergeRanges([...accepted, ...slotIndex.coverage]);
    },
    async flush(batches) {
      if (closed) throw closedError();
      if (failure !== undefined) throw failure;
      const next = selectNew(batches, accepted);
      accepted = next.accepted;
      if (next.selected.length === 0) return line;
      await Promise.all(joinBatches(next.selected, maxBytes).map(take));
    },
    async amend(tables) {
      if (closed) throw closedError();
      if (failure !== undefined) throw failure;
      await take(flushOf(tables));
    },
    async close(timeoutMs) {
      closed = true;
      pending.close();
      const timer = setTimeout(() => abort.abort(), timeoutMs);
      await line;
      clearTimeout(timer);
    },
  };
}

function closedError(): StoreError {
  return new StoreError(
    'store_closed',
    'the store is closed: what it did not take is in the outbox and sent at the next start',
  );
}
