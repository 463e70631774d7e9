import type { Address } from '../../chain/address.ts';
import { compareChainPlaces } from '../../chain/place.ts';
import {
  foldSwap,
  type PositionKey,
  type PositionState,
  type PositionSwap,
  positionKey,
} from '../../facts/average-cost.ts';
import { createBoundedMap } from '../../kernel/bounded-map.ts';

/**
 * The newest state of the positions that were traded last. What is not here is
 * in the store, except where a mint was born before our eyes and nothing of it
 * was ever put out of memory: then what is not here does not exist.
 *
 * Batches are numbered from 1 up in the order in which they are folded. Those that
 * are not confirmed lie on top, and can be taken back one by one, the newest first.
 */
export interface RecentPositions {
  /** Positions in memory. */
  readonly size: number;
  /**
   * Positions these swaps touch that have to be read from the store first, each
   * once. Nothing is put out of memory from here until the next call.
   */
  missing(swaps: Iterable<PositionSwap>): PositionKey[];
  /** Takes the store's answer about the missing positions; those that it did not know stay away. */
  restore(states: Iterable<PositionState>): void;
  /** The store cannot have positions of this mint. */
  born(mint: Address): void;
  /**
   * Folds swaps in order of place and gives the changed positions, each once,
   * with its newest state. Can be undone until it is confirmed.
   */
  fold(swaps: Iterable<PositionSwap>, batch: number): FoldedPositions;
  /** Takes back the newest fold, of this batch: every position is what it was before. */
  undo(batch: number): void;
  /** Everything up to this batch stays: it cannot be undone any more. */
  confirmed(batch: number): void;
  /** Everything up to this batch is in the store, and may be put out of memory when room is needed. */
  committed(batch: number): void;
  /**
   * Positions that were folded again, in the place of what is here. Like a fold
   * of this batch, that stays: nothing may lie on top of it that can be undone.
   */
  replace(states: Iterable<PositionState>, batch: number): void;
}

export interface FoldedPositions {
  readonly changed: readonly PositionState[];
  /** Mints with a swap older than its position: the order was broken and only a new fold of all their swaps is right. */
  readonly dirty: ReadonlySet<Address>;
}

interface Entry {
  readonly state: PositionState;
  /** Batch of the last change, 0 when read from the store. */
  readonly batch: number;
}

/** Positions that a fold changed, as they were before it. */
interface UndoLog {
  readonly batch: number;
  readonly before: ReadonlyMap<string, Entry | undefined>;
}

export interface RecentPositionsOptions {
  /** Positions kept, some 600 bytes each. More are kept only while the store has not got them. */
  readonly capacity: number;
  /** Mints remembered as born before our eyes. */
  readonly maxBornMints?: number;
}

const DEFAULT_MAX_BORN_MINTS = 100_000;

export function createRecentPositions(options: RecentPositionsOptions): RecentPositions {
  const { capacity, maxBornMints = DEFAULT_MAX_BORN_MINTS } = options;
  /** In order of use: the first is the one not touched for longest. */
  const entries = new Map<string, Entry>();
  const bornMints = createBoundedMap<Address, true>(maxBornMints);
  /** Undo logs of batches that are not confirmed, oldest first. As many as whoever folds keeps unconfirmed. */
  let undoLogs: UndoLog[] = [];
  let committedBatch = 0;

  function touch(key: string, entry: Entry): void {
    entries.delete(key);
    entries.set(key, entry);
  }

  function evict(): void {
    for (const [key, entry] of entries) {
      // Entries that the store has not got stay, and so do those that are not confirmed, which it gets last. The
      // entries that follow were used later still: the next call tries again.
      if (entries.size <= capacity || entry.batch > committedBatch) return;
      entries.delete(key);
      bornMints.delete(entry.state.mint);
    }
  }

  return {
    get size() {
      return entries.size;
    },
    missing(swaps) {
      // Here and nowhere else: a commit may come between this call and the fold that relies on it.
      evict();
      const missing = new Map<string, PositionKey>();
      for (const swap of swaps) {
        if (swap.protocolActor || bornMints.has(swap.mint)) continue;
        const key = positionKey(swap);
        if (!entries.has(key)) missing.set(key, swap);
      }
      return [...missing.values()];
    },
    restore(states) {
      for (const state of states) {
        const key = positionKey(state);
        if (!entries.has(key)) entries.set(key, { state, batch: 0 });
      }
    },
    born: (mint) => void bornMints.set(mint, true),
    fold(swaps, batch) {
      const before = new Map<string, Entry | undefined>();
      const dirty = new Set<Address>();
      for (const swap of swaps) {
        if (swap.protocolActor) continue;
        const key = positionKey(swap);
        const entry = entries.get(key);
        const order = entry === undefined ? 1 : compareChainPlaces(swap, entry.state);
        if (order < 0) dirty.add(swap.mint);
        if (order <= 0) continue;
        if (!before.has(key)) before.set(key, entry);
        touch(key, { state: foldSwap(entry?.state, swap), batch });
      }
      undoLogs.push({ batch, before });
      return { changed: [...before.keys()].map((key) => entries.get(key)!.state), dirty };
    },
    undo(batch) {
      const newest = undoLogs.pop();
      if (newest?.batch !== batch) throw new RangeError(`batch ${batch} is not the newest that can be undone`);
      for (const [key, entry] of newest.before) {
        // A position that was not there is not in the store either: the store had been asked, or the mint was born
        // since.
        if (entry === undefined) entries.delete(key);
        else entries.set(key, entry);
      }
    },
    confirmed(batch) {
      undoLogs = undoLogs.filter((log) => log.batch > batch);
    },
    committed(batch) {
      committedBatch = Math.max(committedBatch, batch);
    },
    replace(states, batch) {
      if (undoLogs.length > 0) throw new RangeError('positions are replaced beneath what can be undone');
      for (const state of states) touch(positionKey(state), { state, batch });
    },
  };
}
