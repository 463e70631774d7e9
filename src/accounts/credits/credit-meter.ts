import type { KeyHolder } from '../caller.ts';

/** Counts what calls cost. A price is taken before the call runs and settled when its status is known. */
export interface CreditMeter {
  /**
   * Takes the cost, or takes nothing and gives undefined when credits are enforced
   * and the pool has less. At once while the process holds a lease of the pool that
   * suffices. Rejects when the ledger cannot be asked.
   */
  reserve(
    holder: KeyHolder,
    requestId: string,
    route: string,
    cost: number,
  ): Reservation | undefined | Promise<Reservation | undefined>;
  /** Credits left as far as this process knows; undefined when the key has no bound. */
  remaining(holder: KeyHolder): number | undefined;
  /** When more credits come by themselves, Unix milliseconds; undefined when none do, or it is not known here. */
  resetAt?(holder: KeyHolder): number | undefined;
}

export interface Reservation {
  readonly cost: number;
  /** Credits left after this reservation; undefined when the key has no bound. */
  readonly remaining: number | undefined;
  /** Says what the answer cost, once: later calls change nothing. Returns what is left. What is never settled is never charged. */
  settle(charged: number): number | undefined;
}

export interface MemoryMeterOptions {
  /** Credits that every pool starts with. */
  readonly credits: number;
  /** False counts and refuses nothing. */
  readonly enforce: boolean;
}

/** A meter that forgets with the process. */
export function createMemoryMeter({ credits, enforce }: MemoryMeterOptions): CreditMeter {
  const used = new Map<number, number>();

  function left(poolId: number): number {
    return Math.max(0, credits - (used.get(poolId) ?? 0));
  }

  return {
    remaining: ({ poolId }) => left(poolId),
    reserve({ poolId }, _requestId, _route, cost) {
      const before = used.get(poolId) ?? 0;
      if (enforce && before + cost > credits) return undefined;
      used.set(poolId, before + cost);
      let open = true;
      return {
        cost,
        remaining: left(poolId),
        settle(charged) {
          if (open) used.set(poolId, (used.get(poolId) ?? 0) - (cost - charged));
          open = false;
          return left(poolId);
        },
      };
    },
  };
}
