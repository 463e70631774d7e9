import type { BookMemory } from '../../books/book-set.ts';
import type { Address } from '../../chain/address.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { DEFAULT_SEARCH_LIMITS, type SearchIndex, type SearchLimits } from '../../search/search-index.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import { readForService } from '../../store/reads/reader.ts';
import { applyChange, changesOf, type NameChange, type Undo, undoChange } from './name-changes.ts';
import { fillNames } from './name-fill.ts';
import type { NameReads } from './name-reads.ts';

/**
 * All tokens' names in memory. They are read out of the store once, range by range, and grown by the feed from then on.
 * What the feed brings meanwhile is kept aside; what the store changes beneath is read again, mint by mint.
 */
export interface NameIndex {
  /**
   * The index, once what is known to be missing from it is there.
   *
   * @throws {ApiError} `warming_up` while it is filled and not done in good time.
   */
  ready(): Promise<SearchIndex>;
  /** Changes whenever an answer may be another. */
  readonly version: number;
  /** True when there are more tokens than it has room for. */
  readonly isPartial: boolean;
  /** Of the names, each counted as a book. */
  readonly memory: BookMemory;
  close(): void;
}

export interface NameIndexDeps {
  readonly reads: NameReads;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits?: SearchLimits;
}

/** A question waits so long, then it is refused, or answered from what is there. */
const HOLD_MS = 2_000;
/** Between two tries to read what could not be read. */
const RETRY_MS = 5_000;
/** Between two fillings of an index that is full: each lets the oldest go that never traded. */
const REFILL_MS = 3_600_000;
/** Mints that are read again at once, and those that wait: beyond, everything is read anew. */
const MINTS_AT_ONCE = 200;
const MAX_WAITING = 100_000;

/** What one batch changed, and how to take it back. */
interface Step {
  /** Undefined once the store has it: it cannot be withdrawn any more. */
  batch: RowBatch | undefined;
  readonly changes: readonly NameChange[];
  readonly undone: readonly Undo[];
}

export function createNameIndex(deps: NameIndexDeps): NameIndex {
  const { reads, feed, clock, log, limits = DEFAULT_SEARCH_LIMITS } = deps;
  const closing = new AbortController();
  let index: SearchIndex | undefined;
  let isPartial = false;
  let version = 0;
  /** Of batches that may still be withdrawn; while the index is filled, of all that came since. */
  let steps: Step[] = [];
  /** Mints that the store has other rows of than before. */
  let waiting = new Set<Address>();
  let filledAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let isMerging = false;

  function apply(into: SearchIndex, changes: readonly NameChange[]): Undo[] {
    return changes.flatMap((change) => applyChange(into, change) ?? []).reverse();
  }

  /** An index without room is filled anew, without the oldest tokens. */
  function makeRoom(): void {
    if (index?.isFull !== true) return;
    isPartial = true;
    if (clock.elapsed() - filledAt >= REFILL_MS) index = undefined;
  }

  /** Batches that the store has cannot be withdrawn. */
  function forgetStored(): void {
    const held = new Set(feed.since(0));
    for (const step of steps) if (step.batch !== undefined && !held.has(step.batch)) step.batch = undefined;
    if (index !== undefined) steps = steps.filter(({ batch }) => batch !== undefined);
  }

  function note(batch: RowBatch): void {
    const changes = changesOf(batch);
    steps.push({ batch, changes, undone: index === undefined ? [] : apply(index, changes) });
    forgetStored();
  }

  const unsubscribe = feed.subscribe({
    batch(batch) {
      version += 1;
      note(batch);
      makeRoom();
      wake();
    },
    withdrawn(batch) {
      version += 1;
      const at = steps.findLastIndex((step) => step.batch === batch);
      const [step] = at < 0 ? [] : steps.splice(at, 1);
      if (index !== undefined) for (const undo of step?.undone ?? []) undoChange(index, undo);
    },
    changed(mints, what) {
      version += 1;
      for (const mint of mints) {
        // Documents come for every token; only of one whose creation was not seen may they be news of its name.
        if (what === 'rows' || (index?.get(mint)?.slot ?? 0) === 0) waiting.add(mint);
      }
      if (waiting.size > MAX_WAITING) {
        waiting = new Set();
        index = undefined;
      }
      wake();
    },
  });

  async function fill(): Promise<void> {
    steps = feed.since(feed.committedSlot).map((batch) => ({ batch, changes: changesOf(batch), undone: [] }));
    const options = { reads, clock, limits, signal: closing.signal };
    const filled = await readForService(() => fillNames(options, feed.committedSlot));
    if (closing.signal.aborted) return;
    steps = steps.map(({ batch, changes }) => ({ batch, changes, undone: apply(filled.index, changes) }));
    index = filled.index;
    isPartial = filled.isPartial;
    filledAt = clock.elapsed();
    version += 1;
    forgetStored();
  }

  /** Reads some of the mints again that the store has other rows of. */
  async function reread(into: SearchIndex): Promise<void> {
    const mints = [...waiting].slice(0, MINTS_AT_ONCE);
    for (const mint of mints) waiting.delete(mint);
    try {
      const told = await readForService(() => reads.namesOf(mints, feed.committedSlot));
      for (const token of told) into.add(token);
      // What the store does not answer for yet goes on top again.
      const again = new Set(mints);
      for (const { changes } of steps)
        apply(
          into,
          changes.filter(({ mint }) => again.has(mint)),
        );
      version += 1;
    } catch (error) {
      for (const mint of mints) waiting.add(mint);
      throw error;
    }
  }

  /** Reads what is missing. What fails is tried again by the next question, and by a block that comes later. */
  async function readOn(): Promise<void> {
    try {
      while (!closing.signal.aborted && (index === undefined || waiting.size > 0)) {
        await (index === undefined ? fill() : reread(index));
      }
    } catch (error) {
      failedAt = clock.elapsed();
      log.warn({ err: String(error) }, 'names could not be read for the search; they are tried again');
    }
  }

  async function mergeOn(): Promise<void> {
    while (!closing.signal.aborted && index?.work()) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Reads what is missing and puts what came in order, beside everything else. */
  function wake(isAsked = false): void {
    const mayRead = isAsked || clock.elapsed() - failedAt >= RETRY_MS;
    if (mayRead && (index === undefined || waiting.size > 0)) {
      reading ??= readOn().finally(() => {
        reading = undefined;
      });
    }
    if (isMerging) return;
    isMerging = true;
    void mergeOn().finally(() => {
      isMerging = false;
    });
  }

  async function whenRead(): Promise<void> {
    wake(true);
    const patience = new AbortController();
    try {
      await Promise.race([reading, clock.sleep(HOLD_MS, patience.signal)]);
    } finally {
      patience.abort();
    }
  }

  wake();
  return {
    async ready() {
      if (index === undefined || waiting.size > 0) await whenRead();
      if (index === undefined) throw new ApiError('warming_up', { message: 'the names of tokens are being read' });
      return index;
    },
    get version() {
      return version;
    },
    get isPartial() {
      return isPartial;
    },
    get memory() {
      return { books: index?.size ?? 0, bytes: index?.bytes ?? 0, maxBytes: limits.bytes, evicted: 0 };
    },
    close() {
      closing.abort();
      unsubscribe();
    },
  };
}
