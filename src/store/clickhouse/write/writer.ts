import { type Descriptors, isOutOfDescriptors } from '../../../kernel/descriptors.ts';
import { createBackoff } from '../../../kernel/retry.ts';
import { addRange, findRange, mergeRanges } from '../coverage.ts';
import { isOutOfRoom, isRowsFault } from '../read/question-faults.ts';
import type { RowBatch } from '../schema/row-batch.ts';
import { StoreError } from '../store-error.ts';
import { flushBytes, flushOf, joinBatches, MAX_FLUSH_BYTES, MAX_LEASED_FLUSH_BYTES } from './flush-batches.ts';
import { insertFlush } from './flush-insert.ts';
import type { Flush, OutboxEntry } from './outbox.ts';
import { recoverStore, type WritingTools } from './recover-store.ts';
import type { StoreTrouble } from './store-trouble.ts';

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

export interface WriterOptions extends WritingTools {
  /** Told of inserts that fail for want of a file descriptor. */
  readonly descriptors?: Pick<Descriptors, 'noticed'> | undefined;
  /** Told of flushes that wait for the store. */
  readonly trouble?: Omit<StoreTrouble, 'figures'> | undefined;
}

/** Bytes that may be on their way to the store at once, in memory as in the outbox. Above it callers wait. */
export const MAX_PENDING_BYTES = 256 * 1024 ** 2;
const RETRY_BASE_MS = 100;
const RETRY_MAX_MS = 5_000;
/** Refusals of the same flush in a row before it counts as refused for good. */
const MAX_REFUSALS = 5;

export function createWriter(options: WriterOptions): StoreWriter {
  const { client, outbox, slotIndex, assertLease, term, fence, underWay, storeId, descriptors, trouble, log, clock } =
    options;
  const abort = new AbortController();
  const maxBytes = term === undefined ? MAX_FLUSH_BYTES : MAX_LEASED_FLUSH_BYTES;
  /** Whole once everything accepted so far is in the store. */
  let accepted = slotIndex.coverage;
  let pendingBytes = 0;
  let failure: StoreError | undefined;
  /** Ends when all flushes before have been inserted, or one has failed. */
  let line: Promise<void> = Promise.resolve();
  /** Ends when the newest flush is in the outbox: they are written there in the order of the calls. */
  let writing: Promise<unknown> = Promise.resolve();
  let closed = false;
  const waiting: (() => void)[] = [];

  /** Leaves out blocks we have whole, and parts of blocks that we have whole, or get with this flush. */
  function select(batches: readonly RowBatch[]): RowBatch[] {
    const isNew = ({ lastSlot }: RowBatch) => findRange(accepted, lastSlot) === undefined;
    const whole: RowBatch[] = [];
    for (const batch of batches) {
      if (!batch.closesSlots || !isNew(batch)) continue;
      accepted = addRange(accepted, { first: batch.firstSlot, last: batch.lastSlot });
      whole.push(batch);
    }
    const partial = batches.filter((batch) => !batch.closesSlots && isNew(batch));
    return [...whole, ...partial];
  }

  /**
   * `again`: an earlier try, of ours or of a process before us, may have got part of the way. `opening`: nobody is told
   * anything yet, so that a full disk is not waited for.
   */
  async function send(flush: Flush, entry: OutboxEntry, again: boolean, opening = false): Promise<void> {
    let retrying = again;
    const backoff = createBackoff({ baseMs: RETRY_BASE_MS, maxMs: RETRY_MAX_MS });
    let refusals = 0;
    let isBegun = false;
    for (;;) {
      if (failure !== undefined) throw failure;
      if (abort.signal.aborted) throw closedError();
      try {
        if (!isBegun) underWay?.began();
        isBegun = true;
        await insertFlush({ client, slotIndex, assertLease, fence }, flush, retrying);
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
        log.warn(
          { flush: flush.id, err: String(error), delayMs: Math.round(delayMs) },
          'the store did not take a flush',
        );
        await clock.sleep(delayMs, abort.signal);
      }
    }
  }

  function closedError(): StoreError {
    return new StoreError(
      'store_closed',
      'the store is closed: what it did not take is in the outbox and sent at the next start',
    );
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

  async function room(bytes: number): Promise<void> {
    // One flush larger than the limit is taken alone.
    while (pendingBytes > 0 && pendingBytes + bytes > MAX_PENDING_BYTES && !closed) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    if (closed) throw closedError();
    pendingBytes += bytes;
  }

  function release(bytes: number): void {
    pendingBytes -= bytes;
    for (const wake of waiting.splice(0)) wake();
  }

  /** Puts a flush into the outbox and behind those before it. */
  async function take(flush: Flush): Promise<void> {
    const bytes = flushBytes(flush);
    const written = writing.then(async () => {
      await room(bytes);
      fence?.prepare();
      return keep({ ...flush, epoch: term?.epoch, store: storeId });
    });
    writing = written.catch(() => {});
    await inLine(async () => {
      const entry = await written;
      try {
        trouble?.waits(flush);
        await send(flush, entry, false);
      } finally {
        trouble?.over(flush);
        release(bytes);
      }
    });
  }

  return {
    get committedSlot() {
      return slotIndex.committedSlot;
    },
    get pendingBytes() {
      return pendingBytes;
    },
    async recover() {
      const sendAtOpening = (flush: Flush, entry: OutboxEntry, again: boolean) => send(flush, entry, again, true);
      await recoverStore({ ...options, send: sendAtOpening, signal: abort.signal });
      accepted = mergeRanges([...accepted, ...slotIndex.coverage]);
    },
    async flush(batches) {
      if (closed) throw closedError();
      if (failure !== undefined) throw failure;
      const selected = select(batches);
      if (selected.length === 0) return line;
      await Promise.all(joinBatches(selected, maxBytes).map(take));
    },
    async amend(tables) {
      if (closed) throw closedError();
      if (failure !== undefined) throw failure;
      await take(flushOf(tables));
    },
    async close(timeoutMs) {
      closed = true;
      for (const wake of waiting.splice(0)) wake();
      const timer = setTimeout(() => abort.abort(), timeoutMs);
      await line;
      clearTimeout(timer);
    },
  };
}

function refused(flush: Flush, { path }: OutboxEntry, cause: unknown): StoreError {
  return new StoreError(
    'rows_refused',
    `ClickHouse refuses flush ${flush.id}, which is kept in ${path}: ${String(cause)}`,
    {
      cause,
    },
  );
}
