import type { LeaseTimes, PoolDemand, PoolOutcome } from './lease-rules.ts';
import type { UsageRow } from './usage-counts.ts';

/**
 * Ways in which calls of a pool are paid: `leased` from what is in hand; `counted` is not enforced, takes what
 * there is and refuses nothing; `unbounded` is not paid at all.
 */
export type Payment = 'leased' | 'counted' | 'unbounded';

/** Part of a settlement that concerns one pool. */
export interface PoolItem {
  readonly poolId: number;
  readonly accountId: number;
  readonly payment: Payment;
  /** Of the lease that is held, or of the one that will be. */
  readonly leaseId: string;
  readonly demand: PoolDemand;
  readonly usage: readonly UsageRow[];
  /** True when a period that is over keeps the pool from being used: not when its renewal was tried in vain a moment ago. */
  readonly renews: boolean;
}

/** Everything that is written together, once. */
export interface Settlement {
  /** The process. */
  readonly holder: string;
  /** Counts up from 1: one that was written before changes nothing. */
  readonly number: number;
  readonly items: readonly PoolItem[];
  readonly leaseTimes: LeaseTimes;
  /** Time at which it was composed: Unix milliseconds, and monotonic. */
  readonly at: number;
  readonly since: number;
}

export interface PoolResult extends Pick<PoolOutcome, 'balance' | 'leased' | 'lease' | 'admitted'> {
  readonly isLeased: boolean;
  /** Of the debit, what was charged to the pool or, when it had too little, to another one of the account. */
  readonly charged: number;
  /** Of the debit, what nobody pays. */
  readonly lost: number;
  readonly resetAt: number | undefined;
  /** The account's period is over: it has to be renewed before anything is leased. */
  readonly due: boolean;
}
