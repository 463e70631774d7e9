import type { KeyPrincipal } from '../../handlers/caller.ts';

/** Counts what calls cost. A price is taken before the call runs and settled when its status is known. */
export interface CreditMeter {
  /**
   * Takes the cost, or takes nothing and gives undefined when credits are enforced
   * and the pool has less. At once while the process holds a lease of the pool that
   * suffices. Rejects when the ledger cannot be asked.
   */
  reserve(
    principal: KeyPrincipal,
    requestId: string,
    route: string,
    cost: number,
  ): Reservation | undefined | Promise<Reservation | undefined>;
  /** Credits left as far as this process knows; undefined when the key has no bound. */
  remaining(principal: KeyPrincipal): number | undefined;
  /** Time at which more credits come by themselves, Unix milliseconds; undefined when none do, or it is not known here. */
  resetAt?(principal: KeyPrincipal): number | undefined;
}

export interface Reservation {
  readonly cost: number;
  /** Credits left after this reservation; undefined when the key has no bound. */
  readonly remaining: number | undefined;
  /** Says what the answer cost, once: later calls change nothing. Returns what is left. What is never settled is never charged. */
  settle(charged: number): number | undefined;
}
