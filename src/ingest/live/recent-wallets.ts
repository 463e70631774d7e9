import type { Address } from '../../chain/address.ts';
import type { PositionState } from '../../facts/average-cost.ts';
import { type HoldingState, type WalletKey, walletKey } from '../../facts/holding.ts';
import { walkInOrder } from '../../facts/movements.ts';
import { type StepOutcome, stepMovement, stepSwap, type WalletState } from '../../facts/wallet-fold.ts';
import { createBoundedMap } from '../../kernel/bounded-map.ts';
import type { FoldSteps } from './step-memory.ts';

/**
 * The newest state of the wallets that traded or moved a token last: positions in
 * all quotes, and the holding. What is not here is in the store, except where a
 * mint was born before our eyes and nothing of it was ever put out of memory:
 * then what is not here does not exist.
 *
 * Batches are numbered from 1 up in the order in which they are folded. Those that
 * are not confirmed lie on top, and can be taken back one by one, the newest first.
 */
export interface RecentWallets {
  /** Wallets in memory, one for each mint. */
  readonly size: number;
  /**
   * Wallets these steps touch that have to be read from the store first, each
   * once. Nothing is put out of memory from here until the next call.
   */
  missing(steps: FoldSteps): WalletKey[];
  /** Takes the store's answer about the missing wallets; those that it did not know stay away. */
  restore(states: Iterable<WalletState>): void;
  /** The store cannot have wallets of this mint. */
  born(mint: Address): void;
  /**
   * Folds swaps and movements in their order and gives what changed, each once,
   * with its newest state. Can be undone until it is confirmed.
   */
  fold(steps: FoldSteps, batch: number): FoldedWallets;
  /** Takes back the newest fold, of this batch: every wallet is what it was before. */
  undo(batch: number): void;
  /** Everything up to this batch stays: it cannot be undone any more. */
  confirmed(batch: number): void;
  /** Everything up to this batch is in the store, and may be put out of memory when room is needed. */
  committed(batch: number): void;
  /**
   * Wallets that were folded again, in the place of what is here. Like a fold
   * of this batch, that stays: nothing may lie on top of it that can be undone.
   */
  replace(states: Iterable<WalletState>, batch: number): void;
}

export interface FoldedWallets {
  readonly positions: readonly PositionState[];
  readonly holdings: readonly HoldingState[];
  /** Mints with a step older than its wallet: the order was broken and only a new fold of everything is right. */
  readonly dirty: ReadonlySet<Address>;
}

interface Entry {
  readonly state: WalletState;
  /** Batch of the last change, 0 when read from the store. */
  readonly batch: number;
}

/** Wallets that a fold changed, as they were before it. */
interface UndoLog {
  readonly batch: number;
  readonly before: ReadonlyMap<string, Entry | undefined>;
}

export interface RecentWalletsOptions {
  /** Wallets kept, some 700 bytes each. More are kept only while the store has not got them. */
  readonly capacity: number;
  /** Mints remembered as born before our eyes. */
  readonly maxBornMints?: number;
}

const DEFAULT_MAX_BORN_MINTS = 100_000;

export function createRecentWallets(options: RecentWalletsOptions): RecentWallets {
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
    missing({ swaps, movements }) {
      // Here and nowhere else: a commit may come between this call and the fold that relies on it.
      evict();
      const missing = new Map<string, WalletKey>();
      const need = (mint: Address, wallet: Address) => {
        if (bornMints.has(mint)) return;
        const key = walletKey({ mint, wallet });
        if (!entries.has(key)) missing.set(key, { mint, wallet });
      };
      for (const { mint, trader, protocolActor } of swaps) if (!protocolActor) need(mint, trader);
      for (const { mint, wallet } of movements) need(mint, wallet);
      return [...missing.values()];
    },
    restore(states) {
      for (const state of states) {
        const key = walletKey(state);
        if (!entries.has(key)) entries.set(key, { state, batch: 0 });
      }
    },
    born: (mint) => void bornMints.set(mint, true),
    fold({ swaps, movements }, batch) {
      const before = new Map<string, Entry | undefined>();
      const dirty = new Set<Address>();
      const take = (key: string, mint: Address, entry: Entry | undefined, { state, isDirty }: StepOutcome) => {
        if (isDirty) dirty.add(mint);
        if (state === undefined) return;
        if (!before.has(key)) before.set(key, entry);
        touch(key, { state, batch });
      };
      walkInOrder(
        swaps,
        movements,
        (swap) => {
          if (swap.protocolActor) return;
          const key = walletKey({ mint: swap.mint, wallet: swap.trader });
          const entry = entries.get(key);
          take(key, swap.mint, entry, stepSwap(entry?.state, swap, before.has(key)));
        },
        (movement) => {
          const key = walletKey(movement);
          const entry = entries.get(key);
          take(key, movement.mint, entry, stepMovement(entry?.state, movement, before.has(key)));
        },
      );
      undoLogs.push({ batch, before });
      return { ...changedIn(before), dirty };
    },
    undo(batch) {
      const newest = undoLogs.pop();
      if (newest?.batch !== batch) throw new RangeError(`batch ${batch} is not the newest that can be undone`);
      for (const [key, entry] of newest.before) {
        // A wallet that was not there is not in the store either: the store had been asked, or the mint was born
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
      if (undoLogs.length > 0) throw new RangeError('wallets are replaced beneath what can be undone');
      for (const state of states) touch(walletKey(state), { state, batch });
    },
  };

  /** States of entries now that are others than before. */
  function changedIn(before: ReadonlyMap<string, Entry | undefined>): Pick<FoldedWallets, 'positions' | 'holdings'> {
    const positions: PositionState[] = [];
    const holdings: HoldingState[] = [];
    for (const [key, entry] of before) {
      const { state } = entries.get(key)!;
      const known = entry?.state.positions;
      for (const position of state.positions) if (!known?.includes(position)) positions.push(position);
      if (state.holding !== undefined && state.holding !== entry?.state.holding) holdings.push(state.holding);
    }
    return { positions, holdings };
  }
}
