import type { BookMemory } from '../../books/book-set.ts';
import type { Address } from '../../chain/address.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { SearchQuery } from '../../search/query.ts';
import {
  DEFAULT_SEARCH_LIMITS,
  type Found,
  SearchCrowdedError,
  type SearchIndex,
  type SearchLimits,
  type SearchOptions,
} from '../../search/search-index.ts';
import { readForService } from '../../store/reads/reader.ts';
import { HeldChanges } from './held-changes.ts';
import { fillNames } from './name-fill.ts';
import type { NameReads } from './name-reads.ts';

/**
 * All tokens' names in memory. They are read out of the store once, range by range, and grown by the feed from then on.
 * What the feed brings meanwhile is kept aside; what the store changes beneath is read again, mint by mint: there are too
 * many for all of them to be read for each change, as lists over all tokens are.
 */
export interface NameIndex {
  /**
   * The index, once what is known to be missing from it is there.
   *
   * @throws {ApiError} `warming_up` while it is filled and not done in good time.
   */
  ready(): Promise<SearchIndex>;
  /**
   * The tokens that fit best, of everything that came until it is told.
   *
   * @throws {ApiError} `warming_up` as above; `storage_unavailable` when too many have their typos looked for.
   */
  find(query: SearchQuery, options: SearchOptions): Promise<readonly Found[]>;
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

export function createNameIndex(deps: NameIndexDeps): NameIndex {
  const { reads, feed, clock, log, limits = DEFAULT_SEARCH_LIMITS } = deps;
  const closing = new AbortController();
  let index: SearchIndex | undefined;
  let isPartial = false;
  let version = 0;
  const held = new HeldChanges(feed);
  /** Mints that the store has other rows of than before. */
  let waiting = new Set<Address>();
  let filledAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  /** True once more changed than is noted, while the index is filled: what is read may be what is no longer so. */
  let isOutdated = false;
  let reading: Promise<void> | undefined;
  let isMerging = false;

  /** An index without room is filled anew, without the oldest tokens. */
  function makeRoom(): void {
    if (index?.isFull !== true) return;
    isPartial = true;
    if (clock.elapsed() - filledAt >= REFILL_MS) index = undefined;
  }

  /** Mints that are read again before the next question is answered. */
  function readAgain(mints: Iterable<Address>): void {
    for (const mint of mints) waiting.add(mint);
    if (waiting.size <= MAX_WAITING) return;
    waiting = new Set();
    index = undefined;
    isOutdated = true;
  }

  const unsubscribe = feed.subscribe({
    batch(batch) {
      version += 1;
      if (reading === undefined) held.forgetStored();
      readAgain(held.add(batch, index));
      makeRoom();
      wake();
    },
    withdrawn(batch) {
      version += 1;
      held.withdraw(batch, index);
    },
    changed(mints, what) {
      // Documents of tokens change what rows show, and name nothing.
      version += 1;
      if (what === 'descriptions') return;
      readAgain(mints);
      wake();
    },
  });

  async function fill(): Promise<void> {
    held.restart();
    isOutdated = false;
    const options = { reads, clock, limits, signal: closing.signal };
    const filled = await readForService(() => fillNames(options, feed.committedSlot));
    if (closing.signal.aborted || isOutdated) return;
    const nameless = held.applyAll(filled.index);
    index = filled.index;
    isPartial = filled.isPartial;
    filledAt = clock.elapsed();
    version += 1;
    readAgain(nameless);
  }

  /** Reads some of the mints again that the store has other rows of. */
  async function reread(into: SearchIndex): Promise<void> {
    const mints = [...waiting].slice(0, MINTS_AT_ONCE);
    for (const mint of mints) waiting.delete(mint);
    held.forgetStored();
    try {
      const told = await readForService(() => reads.namesOf(mints, feed.committedSlot));
      // Filled anew meanwhile: that read them itself.
      if (into !== index) return;
      held.putBeneath(into, mints, told);
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

  async function ready(): Promise<SearchIndex> {
    if (index === undefined || waiting.size > 0 || reading !== undefined) await whenRead();
    if (index === undefined) throw new ApiError('warming_up', { message: 'the names of tokens are being read' });
    return index;
  }

  wake();
  return {
    ready,
    async find(query, options) {
      for (;;) {
        const asked = await ready();
        const found = await asked.search(query, options).catch(refuseCrowd);
        // Of one that was let go while typos were looked for, nothing says how far it goes.
        if (asked === index) return found;
      }
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

function refuseCrowd(error: unknown): never {
  if (!(error instanceof SearchCrowdedError)) throw error;
  throw new ApiError('storage_unavailable', { message: 'too many searches wait: ask again in a moment', cause: error });
}
