/** Counts what calls cost. A price is taken before the call runs and settled when its status is known. */
export interface CreditMeter {
  /** Takes the cost, or takes nothing and returns undefined when it is enforced and the key has less. */
  reserve(keyId: number, requestId: string, cost: number): Reservation | undefined;
  /** Credits left; undefined when the key has no bound. */
  remaining(keyId: number): number | undefined;
}

export interface Reservation {
  readonly cost: number;
  /** Credits left after this reservation; undefined when the key has no bound. */
  readonly remaining: number | undefined;
  /** Gives back what the answer did not cost, once: later calls change nothing. Returns what is left. */
  settle(charged: number): number | undefined;
}

export interface MemoryMeterOptions {
  /** Credits that every key starts with. */
  readonly credits: number;
  /** False counts and refuses nothing. */
  readonly enforce: boolean;
}

/** What a first key comes with. */
export const TRIAL_CREDITS = 200_000;

/** A meter that forgets with the process. */
export function createMemoryMeter({ credits, enforce }: MemoryMeterOptions): CreditMeter {
  const used = new Map<number, number>();

  function remaining(keyId: number): number {
    return Math.max(0, credits - (used.get(keyId) ?? 0));
  }

  return {
    remaining,
    reserve(keyId, _requestId, cost) {
      const before = used.get(keyId) ?? 0;
      if (enforce && before + cost > credits) return undefined;
      used.set(keyId, before + cost);
      let open = true;
      return {
        cost,
        remaining: remaining(keyId),
        settle(charged) {
          if (open) used.set(keyId, (used.get(keyId) ?? 0) - (cost - charged));
          open = false;
          return remaining(keyId);
        },
      };
    },
  };
}
