import type { Address } from '../../chain/address.ts';
import type { StaleMint, StaleReport, StaleSlots } from '../../store/clickhouse/write/stale-positions.ts';

/**
 * Mints that have to be folded again. A mark is made with the rows that make it necessary, counts once the store has
 * both, and is done when a fold that began after that is in the store. So a mint can be marked again while it is
 * folded.
 */
export interface StaleMints {
  /** Mints to fold. */
  readonly size: number;
  /** New marks for mints with late steps in these slots, to be written in the same flush as those. */
  mark(mints: Iterable<Address>, slots: StaleSlots): StaleMint[];
  /** The store has these marks, and what made them. */
  stored(marks: readonly StaleMint[]): void;
  /** These marks will not be written, and neither will what made them. */
  forget(marks: readonly StaleMint[]): void;
  /** Up to so many mints to fold, oldest mark first. */
  next(limit: number): StaleMint[];
  /** The store has new positions of these, as of these marks. */
  done(mints: readonly StaleMint[]): void;
  /**
   * True once each mint that is to be folded now has been, whatever was marked meanwhile; false when the signal aborts.
   * A mint that is marked again while it is folded counts when it is folded once more.
   */
  folded(signal: AbortSignal): Promise<boolean>;
  /** No more marks will be made. */
  close(): void;
  /** True once there is a mint to fold; false when there will be none any more, or the signal aborts. */
  ready(signal: AbortSignal): Promise<boolean>;
}

/** Steps of one slot. */
export function ofSlot(slot: number): StaleSlots {
  return { slot, firstSlot: slot, holdingsOnly: false };
}

/** Steps of any slot up to this one. */
export function ofAnySlot(slot: number): StaleSlots {
  return { slot, firstSlot: 0, holdingsOnly: false };
}

/** What both are about. */
function joined(a: StaleSlots, b: StaleSlots): StaleSlots {
  return {
    slot: Math.max(a.slot, b.slot),
    firstSlot: Math.min(a.firstSlot, b.firstSlot),
    holdingsOnly: a.holdingsOnly && b.holdingsOnly,
  };
}

/** Goes on from what the store knew at the start. */
export function createStaleMints({ mints, newestMark }: StaleReport): StaleMints {
  const stale = new Map(mints.map((mint) => [mint.mint, mint]));
  /** The newest mark of each mint that the store has not got yet. */
  const unstored = new Map<Address, StaleMint>();
  let lastMark = newestMark;
  /** Marks made that the store has not got yet. */
  let underWay = 0;
  let closed = false;
  let wake: () => void = () => {};
  /** Mints that somebody waits for, with what tells them that none is left. */
  const awaited = new Map<Set<Address>, () => void>();

  return {
    get size() {
      return stale.size;
    },
    mark(addresses, slots) {
      const unique = [...new Set(addresses)];
      if (unique.length === 0) return [];
      lastMark += 1;
      underWay += unique.length;
      return unique.map((mint) => {
        // The store keeps the newest mark alone: it is about everything that those before it are.
        const before = [stale.get(mint), unstored.get(mint)].filter((known) => known !== undefined);
        const mark = { ...before.reduce<StaleSlots>(joined, slots), mint, mark: lastMark };
        unstored.set(mint, mark);
        return mark;
      });
    },
    stored(marks) {
      underWay -= marks.length;
      for (const mark of marks) {
        if (unstored.get(mark.mint)?.mark === mark.mark) unstored.delete(mark.mint);
        const known = stale.get(mark.mint);
        if (known === undefined || known.mark < mark.mark) stale.set(mark.mint, mark);
      }
      if (marks.length > 0) wake();
    },
    forget(marks) {
      underWay -= marks.length;
      for (const { mint, mark } of marks) if (unstored.get(mint)?.mark === mark) unstored.delete(mint);
    },
    next(limit) {
      const first: StaleMint[] = [];
      for (const mint of stale.values()) {
        if (first.length >= limit) break;
        first.push(mint);
      }
      return first;
    },
    done(folded) {
      for (const { mint, mark } of folded) {
        if (stale.get(mint)?.mark !== mark) continue;
        stale.delete(mint);
        for (const mints of awaited.keys()) mints.delete(mint);
      }
      for (const [mints, tell] of awaited) if (mints.size === 0) tell();
    },
    async folded(signal) {
      const mints = new Set(stale.keys());
      if (mints.size === 0 || signal.aborted) return !signal.aborted;
      try {
        return await new Promise<boolean>((resolve) => {
          awaited.set(mints, () => resolve(true));
          signal.addEventListener('abort', () => resolve(false), { once: true });
        });
      } finally {
        awaited.delete(mints);
      }
    },
    close() {
      closed = true;
      wake();
    },
    async ready(signal) {
      const onAbort = () => wake();
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        while (stale.size === 0 && !signal.aborted && !(closed && underWay === 0)) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        return stale.size > 0 && !signal.aborted;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}
