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
  /** These marks will not be written, and neither will what made them. Those made before them stay. */
  forget(marks: readonly StaleMint[]): void;
  /**
   * Up to so many mints to fold, oldest mark first. Positions that are wrong go before holdings that nobody has folded
   * yet: a store from before its holdings has any number of those.
   */
  next(limit: number, isLeftOut?: (mint: Address) => boolean): StaleMint[];
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
  /** Marks that the store has not got yet, oldest first. */
  const unstored = new Map<Address, readonly StaleMint[]>();
  let lastMark = newestMark;
  let closed = false;
  let wake: () => void = () => {};
  /** Mints that somebody waits for, with what tells them that none is left. */
  const awaited = new Map<Set<Address>, () => void>();

  /** Takes a mark off those that are on their way to the store. */
  function arrive({ mint, mark }: StaleMint): void {
    const left = unstored.get(mint)?.filter((each) => each.mark !== mark) ?? [];
    if (left.length > 0) unstored.set(mint, left);
    else unstored.delete(mint);
  }

  /**
   * Mints that may be folded. An older mark on its way to the store is waited for: the answer to the newer one would
   * answer it too, before the store has what it is about.
   */
  function foldable(): StaleMint[] {
    return [...stale.values()].filter(({ mint, mark }) => !unstored.get(mint)?.some((each) => each.mark < mark));
  }

  return {
    get size() {
      return stale.size;
    },
    mark(addresses, slots) {
      const unique = [...new Set(addresses)];
      if (unique.length === 0) return [];
      lastMark += 1;
      return unique.map((mint) => {
        const underWay = unstored.get(mint) ?? [];
        const stored = stale.get(mint);
        // The store keeps the newest mark alone: it is about everything that those before it are.
        const before = stored === undefined ? underWay : [stored, ...underWay];
        const mark = { ...before.reduce<StaleSlots>(joined, slots), mint, mark: lastMark };
        unstored.set(mint, [...underWay, mark]);
        return mark;
      });
    },
    stored(marks) {
      for (const mark of marks) {
        arrive(mark);
        const known = stale.get(mark.mint);
        if (known === undefined || known.mark < mark.mark) stale.set(mark.mint, mark);
      }
      if (marks.length > 0) wake();
    },
    forget(marks) {
      for (const mark of marks) arrive(mark);
      if (marks.length > 0) wake();
    },
    next(limit, isLeftOut = () => false) {
      const mints = foldable().filter(({ mint }) => !isLeftOut(mint));
      const wrong = mints.filter(({ holdingsOnly }) => !holdingsOnly);
      return (wrong.length > 0 ? wrong : mints).slice(0, limit);
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
        while (foldable().length === 0 && !signal.aborted && !(closed && unstored.size === 0)) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        return foldable().length > 0 && !signal.aborted;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}
