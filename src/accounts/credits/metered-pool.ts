import type { Reservation } from './credit-meter.ts';
import { DIRECT_BELOW_CREDITS, type LeaseTimes, type PoolDemand } from './lease-rules.ts';
import type { Payment, PoolItem, PoolResult } from './settlement.ts';
import { UsageCounts } from './usage-counts.ts';

/** A call that waits for the database to say whether it can be paid. */
export interface WaitingCall {
  readonly cost: number;
  /** Undefined refuses it. */
  readonly admit: (reservation: Reservation | undefined) => void;
  readonly fail: (error: unknown) => void;
  readonly keyId: number;
  readonly route: string;
}

/** Debit of a pool that is to be written, and the calls that wait for it. */
export interface PoolDebit extends PoolItem {
  readonly pool: MeteredPool;
  waiting: readonly WaitingCall[];
}

/** Surroundings that a pool needs. */
export interface PoolHost {
  now(): number;
  elapsed(): number;
  /** The pool has something to write, or to be read. */
  touch(pool: MeteredPool): void;
  /** The database cannot be asked. */
  isFailing(): boolean;
  readonly leaseTimes: LeaseTimes;
}

/** A refusal is remembered this long, so that a client without credits does not keep the database busy. */
const REFUSED_MS = 250;
/** By how much the time of the last use may be behind: reading a clock costs more than the rest of settling a call. */
const USED_PRECISION_MS = 1_000;
/** A renewal that could not be done is not tried again before this. */
const RENEWAL_RETRY_MS = 60_000;

/**
 * Knowledge of a process about a pool, and the credits it has in hand. Its lease, as the last
 * settlement left it, is available + reserved + settled since then.
 */
export class MeteredPool {
  readonly id: number;
  readonly accountId: number;
  readonly payment: Payment;
  /** Monotonic milliseconds, to {@link USED_PRECISION_MS}. */
  usedAt: number;
  /** Asks for everything back before the next calls are admitted: what is free alone did not suffice. */
  gathers = false;
  /** Is to be given up with the next settlement. */
  leaves = false;
  waiting: WaitingCall[] = [];
  /** Its host knows that it has something to write. */
  isTouched = false;

  readonly #host: PoolHost;
  readonly #usage: UsageCounts;
  #leaseId: string | undefined;
  /** May be taken for a call at once. Below zero when a lease was taken back with calls under way. */
  #available = 0;
  #reserved = 0;
  #settled = 0;
  /** Credits of settled calls, in a settlement of which it is not known yet whether it was written. */
  #sent = 0;
  /** Credits in the database after the last settlement; undefined before the first. */
  #balance: number | undefined;
  #free = 0;
  #resetAt: number | undefined;
  /** The lease may be used until then: by the monotonic clock, and by the wall clock, because a machine that sleeps stops the first. */
  #until = Number.NEGATIVE_INFINITY;
  #untilTime = Number.NEGATIVE_INFINITY;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #refusedCost = Number.POSITIVE_INFINITY;
  #renewalTriedAt = Number.NEGATIVE_INFINITY;
  /** Unix milliseconds of {@link usedAt}, where they were known. */
  #usedTime = Number.NEGATIVE_INFINITY;

  constructor(id: number, accountId: number, payment: Payment, host: PoolHost) {
    this.id = id;
    this.accountId = accountId;
    this.payment = payment;
    this.#host = host;
    this.#usage = new UsageCounts(accountId);
    this.usedAt = host.elapsed();
  }

  /** Takes the cost at once, out of what is in hand; undefined when the database has to be asked. */
  take(keyId: number, route: string, cost: number): Reservation | undefined {
    if (this.payment === 'leased') {
      if (this.#available < cost) return undefined;
      const elapsed = this.#host.elapsed();
      const now = this.#host.now();
      if (elapsed >= this.#until || now >= this.#untilTime) return undefined;
      this.usedAt = elapsed;
      this.#usedTime = now;
      return this.#reserve(keyId, route, cost);
    }
    if (this.payment === 'counted' && !this.isFresh) {
      // Its first call waits to know what there is. After that nothing that is only counted waits.
      if (this.#balance === undefined && !this.#host.isFailing()) return undefined;
      this.#host.touch(this);
    }
    return this.reserve(keyId, route, cost);
  }

  /** Takes the cost, whatever there is. */
  reserve(keyId: number, route: string, cost: number): Reservation {
    this.usedAt = this.#host.elapsed();
    return this.#reserve(keyId, route, cost);
  }

  #reserve(keyId: number, route: string, cost: number): Reservation {
    this.#available -= cost;
    this.#reserved += cost;
    return new PoolReservation(this, keyId, route, cost);
  }

  settle(reservation: PoolReservation, charged: number): void {
    const { cost, keyId, route } = reservation;
    this.#reserved -= cost;
    this.#available += cost - charged;
    if (charged < cost) this.#refusedCost = Number.POSITIVE_INFINITY;
    const now = this.#host.now();
    if (Math.abs(now - this.#usedTime) >= USED_PRECISION_MS) {
      this.usedAt = this.#host.elapsed();
      this.#usedTime = now;
    }
    if (charged > 0) {
      if (this.payment !== 'unbounded') this.#settled += charged;
      this.#usage.count(keyId, route, now, charged);
    }
    // Near zero what a call gives back is wanted elsewhere, so a refund is worth writing too.
    if (!this.isTouched) this.#host.touch(this);
  }

  /** True when a call of this price was refused a moment ago, and nothing came since. */
  hasRefused(cost: number): boolean {
    return cost >= this.#refusedCost && this.#host.elapsed() - this.#refusedAt < REFUSED_MS;
  }

  /** Credits left; undefined when they are not known, or have no bound. */
  get left(): number | undefined {
    if (this.payment === 'unbounded' || this.#balance === undefined) return undefined;
    return Math.max(0, this.#balance - this.#sent - this.#settled - this.#reserved);
  }

  /** The same without what other processes have in hand: what a call can be paid from here. */
  get spendable(): number | undefined {
    const { left } = this;
    if (left === undefined || this.payment === 'counted') return left;
    return Math.max(0, Math.min(left, this.#free + this.#available));
  }

  /** Debited here, and not yet in the database as far as is known. */
  get unwritten(): number {
    return this.#settled + this.#sent;
  }

  get inHand(): number {
    return Math.max(0, this.#available);
  }

  get isLeased(): boolean {
    return this.#leaseId !== undefined;
  }

  get resetAt(): number | undefined {
    return this.#resetAt;
  }

  get droppedUsage(): number {
    return this.#usage.dropped;
  }

  /** Too little is left for anybody to hold some of it in hand. */
  get #isNearZero(): boolean {
    return this.#balance !== undefined && this.#free + this.inHand < DIRECT_BELOW_CREDITS;
  }

  get isFresh(): boolean {
    return this.#host.elapsed() < this.#until && this.#host.now() < this.#untilTime;
  }

  /** Nothing that is known of it is trusted any more: the next call asks the database. */
  distrust(): void {
    this.#until = Number.NEGATIVE_INFINITY;
    this.#refusedCost = Number.POSITIVE_INFINITY;
    this.gathers = true;
    this.#host.touch(this);
  }

  /** Everything that there is to write, for the next settlement. Until {@link apply} it is in flight. */
  compose(newLeaseId: () => string): PoolDebit {
    const gather = this.gathers || this.leaves || this.#isNearZero;
    const demand: PoolDemand = {
      debit: this.#settled,
      reserved: this.payment === 'leased' && !this.leaves ? this.#reserved : 0,
      inHand: gather || this.payment !== 'leased' ? 0 : Math.max(0, this.#available),
      gather,
      needs: this.payment === 'leased' ? this.waiting.map(({ cost }) => cost) : [],
      holds: this.payment === 'leased' && !this.leaves,
    };
    const waiting = this.waiting;
    this.waiting = [];
    this.#sent = this.#settled;
    this.#settled = 0;
    // Nobody may take what is being given back.
    if (gather) this.#available = Math.min(0, this.#available);
    this.gathers = false;
    return {
      pool: this,
      poolId: this.id,
      accountId: this.accountId,
      payment: this.payment,
      leaseId: this.#leaseId ?? newLeaseId(),
      demand,
      usage: this.#usage.take(),
      renews: this.#host.elapsed() - this.#renewalTriedAt > RENEWAL_RETRY_MS,
      waiting,
    };
  }

  /** Takes over what the database says after a settlement that was composed at `since` (monotonic) and `at`. */
  apply(item: PoolDebit, result: PoolResult, since: number, at: number): void {
    const { lease, balance, leased, resetAt, due, admitted } = result;
    this.#sent = 0;
    this.#balance = balance;
    this.#free = balance - leased;
    this.#leaseId = result.isLeased ? item.leaseId : undefined;
    this.#available = lease - this.#reserved - this.#settled;
    this.#resetAt = resetAt;
    const { lastsMs, marginMs } = this.#host.leaseTimes;
    const lasts = lastsMs - marginMs;
    const waitsForRenewal = resetAt !== undefined && item.renews;
    const renewsIn = waitsForRenewal ? resetAt - at : Number.POSITIVE_INFINITY;
    this.#until = since + Math.min(lasts, renewsIn);
    this.#untilTime = at + Math.min(lasts, renewsIn);
    if (due) this.waiting.unshift(...item.waiting);
    else for (const [index, call] of item.waiting.entries()) this.#answer(call, item, admitted[index] === true);
  }

  renewalTried(): void {
    this.#renewalTriedAt = this.#host.elapsed();
  }

  #answer(call: WaitingCall, { demand }: PoolItem, isAdmitted: boolean): void {
    const { cost, keyId, route } = call;
    if (isAdmitted || this.payment !== 'leased') {
      call.admit(this.reserve(keyId, route, cost));
    } else if (demand.gather) {
      const elapsed = this.#host.elapsed();
      const isRecent = elapsed - this.#refusedAt < REFUSED_MS;
      this.#refusedCost = isRecent ? Math.min(cost, this.#refusedCost) : cost;
      this.#refusedAt = elapsed;
      call.admit(undefined);
    } else {
      // Perhaps what is in hand here is what is missing.
      this.gathers = true;
      this.waiting.push(call);
    }
  }
}

class PoolReservation implements Reservation {
  readonly cost: number;
  readonly keyId: number;
  readonly route: string;
  readonly remaining: number | undefined;
  readonly #pool: MeteredPool;
  #isOpen = true;

  constructor(pool: MeteredPool, keyId: number, route: string, cost: number) {
    this.#pool = pool;
    this.keyId = keyId;
    this.route = route;
    this.cost = cost;
    this.remaining = pool.left;
  }

  settle(charged: number): number | undefined {
    if (this.#isOpen) {
      this.#isOpen = false;
      this.#pool.settle(this, Math.max(0, Math.min(charged, this.cost)));
    }
    return this.#pool.left;
  }
}
