/** Of all leases on a database: every process has to go by the same. */
export interface LeaseTimes {
  /** Milliseconds that a process may debit from a lease without asking again: calls go on for so long while the database is gone. */
  readonly lastsMs: number;
  /** A process stops using a lease so much before its end, and others wait so much longer: clocks of two machines may differ by both. */
  readonly marginMs: number;
}

export const LEASE_TIMES: LeaseTimes = { lastsMs: 60_000, marginMs: 5_000 };
/** One process holds 1 in so many of a pool's free credits: others cannot use those, and many are to serve one account. */
export const LEASE_SHARE = 8;
/** Half a minute of the dearest calls at the rate of a paid plan. More in hand would only be missing elsewhere. */
export const MAX_LEASE_CREDITS = 20_000;
/** Below this, an eighth is a few calls at most: nothing is held in hand, and each call takes its own price. */
export const DIRECT_BELOW_CREDITS = 1_000;

/** Demand of a process on a pool, all at once. Credits are whole numbers. */
export interface PoolDemand {
  /** Settled and not written yet. */
  readonly debit: number;
  /** Taken for calls that are under way. */
  readonly reserved: number;
  /** In hand and not taken: it stays, unless {@link gather}. */
  readonly inHand: number;
  /** Gives what is in hand back first, so that everything there is can be had. Nobody takes from it meanwhile. */
  readonly gather: boolean;
  /** Prices of calls that wait, the longest first. */
  readonly needs: readonly number[];
  /** False wants nothing in hand: the pool is being given up. */
  readonly holds: boolean;
}

export interface PoolCredits {
  readonly balance: number;
  readonly leased: number;
}

export interface PoolOutcome extends PoolCredits {
  /** Credits that the process holds from now on. */
  readonly lease: number;
  /** Of the debit, what the pool had. The rest is owed. */
  readonly charged: number;
  /** For each call that waits, whether its price is in the lease. */
  readonly admitted: readonly boolean[];
}

/**
 * Outcome of a demand for a pool, and for the lease of the process that demands. `held` is what the
 * lease still has in the database; undefined when it was taken back, or there is none: then
 * the debit is paid from what is free, as far as that goes. Pure: the database locks and writes.
 */
export function meetDemand(pool: PoolCredits, held: number | undefined, demand: PoolDemand): PoolOutcome {
  const { debit, inHand, gather, needs, holds } = demand;
  const own = held ?? 0;
  const others = pool.leased - own;
  const charged = Math.min(debit, pool.balance - others);
  const balance = pool.balance - charged;
  // Everything that is not in other hands.
  const available = balance - others;
  // A lease that was taken back backs nothing any more: what was taken from it is held again if it can be.
  const reserved = Math.min(demand.reserved, available);
  const kept = gather || held === undefined ? 0 : Math.min(inHand, available - reserved);
  const spare = available - reserved - kept;
  const wanted = holds ? leaseSize(available - reserved) : 0;
  const { sum, admitted } = admit(needs, spare);
  const topUp = kept < wanted / 2 ? wanted - kept : 0;
  const lease = reserved + kept + Math.min(spare, Math.max(topUp, sum));
  return { balance, leased: others + lease, lease, charged, admitted };
}

/** Credits that one process may hold, of so many that are free. */
export function leaseSize(free: number): number {
  return free < DIRECT_BELOW_CREDITS ? 0 : Math.min(MAX_LEASE_CREDITS, Math.floor(free / LEASE_SHARE));
}

/** In the order of waiting; a dear call that cannot be paid does not keep a cheap one behind it from being. */
function admit(needs: readonly number[], free: number): { readonly sum: number; readonly admitted: boolean[] } {
  let sum = 0;
  const admitted = needs.map((price) => {
    if (sum + price > free) return false;
    sum += price;
    return true;
  });
  return { sum, admitted };
}
