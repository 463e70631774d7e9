import type { KeyPrincipal } from '../../handlers/caller.ts';
import { type Alarm, createAlarms } from '../../kernel/alarms.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import type { Plans } from '../plans.ts';
import type { CreditMeter, Reservation } from './credit-meter.ts';
import { type CreditWriter, createCreditWriter } from './credit-writer.ts';
import { LEASE_TIMES, type LeaseTimes } from './lease-rules.ts';
import { createLedger } from './ledger.ts';
import { MeteredPool, type PoolHost } from './metered-pool.ts';
import type { Payment } from './settlement.ts';

export interface LedgerMeterOptions {
  readonly accounts: AccountsDatabase;
  readonly clock: Clock;
  readonly log: Logger;
  /** False counts what calls cost and refuses nothing. */
  readonly enforce: boolean;
  readonly plans: Plans;
  /** Names this process among those on the database; another one each time it starts. */
  readonly holder: string;
  readonly leaseTimes?: LeaseTimes;
}

/** The meter of a process on the accounts database. */
export interface LedgerMeter extends CreditMeter {
  resetAt(principal: KeyPrincipal): number | undefined;
  /** Writes everything that was settled until now. Rejects when it cannot be written; it is tried again by itself. */
  flush(): Promise<void>;
  /**
   * Reads from the database when everything that was settled until now is written, and before anything more is.
   * Rejects when it cannot be written.
   */
  settled<T>(read: () => Promise<T>): Promise<T>;
  /** Credits of a pool that this process has debited and not written. */
  unwritten(poolId: number): number;
  /** Writes everything and gives all leases back. Never rejects: what cannot be written in time is lost, and logged. */
  close(): Promise<void>;
  /** Forgets what it knows of an account's credits, because somebody changed them; of all accounts when it is not said which. */
  refresh(accountId?: number): void;
  readonly figures: CreditFigures;
  /** Tells what is wrong now. */
  alarms(): readonly Alarm[];
}

/** Sums are since the start. */
export interface CreditFigures {
  /** Credits that were charged. */
  readonly charged: number;
  /** Calls that were refused for want of credits. */
  readonly refused: number;
  /** Credits of calls that nobody pays: their lease was taken back, and nothing else was left. */
  readonly lost: number;
  /** Credits that are debited in memory only. */
  readonly unwritten: number;
  /** Milliseconds since everything was written. */
  readonly writeAgeMs: number;
  /** Milliseconds that the write under way takes already; undefined while there is none. */
  readonly writingMs: number | undefined;
  readonly leases: number;
  /** Credits in hand. */
  readonly leased: number;
}

/** Pools that are remembered. More customers than this within {@link IDLE_MS} need another process. */
const MAX_POOLS = 20_000;
/** Calls that wait for the database. */
const MAX_WAITING = 5_000;
/** The lease on a pool that nobody used for this long is given back, and the pool is forgotten. */
const IDLE_MS = 20_000;
const IDLE_CHECK_MS = 5_000;
/** A call does not wait longer for its credits. */
const RESERVE_TIMEOUT_MS = 2_000;
/** A reason at hand: making one, with its stack, takes longer than the rest of stopping a timer. */
const ANSWERED = 'answered';
const CLOSE_TIMEOUT_MS = 1_000;
const STALLED = 'a write of credits takes too long: no more are debited until it is done';
/** Writing that fails, or takes, so long is an alarm. */
const FAILING_ALARM_MS = 10_000;

/**
 * A meter that debits leases of the ledger in memory and writes behind. What comes of a call:
 *
 * | pool      | what is known of it                             | the call                                  |
 * | --------- | ----------------------------------------------- | ----------------------------------------- |
 * | unbounded | whatever it is                                  | runs at once                              |
 * | counted   | a balance, or that the database cannot be asked | runs at once, whatever is left            |
 * | counted   | nothing yet                                     | waits, and runs whatever is answered      |
 * | leased    | that a write takes too long                     | fails                                     |
 * | leased    | a lease that is in force and has enough         | runs at once, paid from it                |
 * | leased    | that no more was refused a moment ago           | is refused at once                        |
 * | leased    | anything else                                   | waits; runs, is refused, or fails in time |
 *
 * Every call fails that would need another pool, or another place to wait, than there are.
 */
export function createLedgerMeter(options: LedgerMeterOptions): LedgerMeter {
  const { accounts, clock, log, enforce, plans, holder, leaseTimes = LEASE_TIMES } = options;
  const ledger = createLedger({ clock, plans });
  const writer = createCreditWriter({ accounts, ledger, clock, log, holder, leaseTimes });
  const alarms = createAlarms({ clock, log });
  const pools = createPoolSet({ clock, writer, leaseTimes });
  const stopping = new AbortController();
  let refused = 0;
  let waiting = 0;

  function poolFor({ poolId, accountId, plan }: KeyPrincipal): MeteredPool | undefined {
    if (plans.get(plan).unbounded) return pools.get('unbounded', accountId, accountId);
    return pools.get(enforce ? 'leased' : 'counted', poolId, accountId);
  }

  /** Asks the database, in the order of asking; a call waits no longer than it may. */
  async function askFor(pool: MeteredPool, call: Call): Promise<Reservation | undefined> {
    if (waiting >= MAX_WAITING) throw new Error('too many calls wait for their credits');
    waiting += 1;
    const answered = new AbortController();
    try {
      return await new Promise((resolve, reject) => {
        let isOpen = true;
        const admit = (reservation: Reservation | undefined) => {
          // Nobody waits for it any more.
          if (!isOpen) reservation?.settle(0);
          isOpen = false;
          resolve(reservation);
        };
        const fail = (error: unknown) => {
          isOpen = false;
          reject(error);
        };
        pool.waiting.push({ ...call, admit, fail });
        writer.ask(pool);
        void clock.sleep(RESERVE_TIMEOUT_MS, answered.signal).then(() => fail(new Error('credits took too long')));
      });
    } catch (error) {
      // A call that is only counted is never refused, whether its pool is known or not.
      if (pool.payment === 'counted') return pool.reserve(call.keyId, call.route, call.cost);
      throw error;
    } finally {
      waiting -= 1;
      answered.abort(ANSWERED);
    }
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await clock.sleep(IDLE_CHECK_MS, stopping.signal);
      pools.giveBackIdle();
      const { failingMs = 0, refusedPools } = writer.figures;
      const message = `credits could not be written for ${Math.round(failingMs / 1_000)} s; calls are refused once leases end`;
      alarms.set('credits_unwritten', failingMs >= FAILING_ALARM_MS ? message : undefined);
      const refusal = `the database refuses what calls of ${refusedPools} pools cost; their calls are refused once leases end`;
      alarms.set('credits_refused', refusedPools > 0 ? refusal : undefined);
    }
  }

  const watching = watch();

  return {
    reserve(keyPrincipal, _requestId, route, cost) {
      const pool = poolFor(keyPrincipal);
      if (pool === undefined) return Promise.reject(new Error('too many pools of credits are in use'));
      if (pool.payment === 'leased' && writer.isStalled) return Promise.reject(new Error(STALLED));
      const taken = pool.take(keyPrincipal.id, route, cost);
      if (taken !== undefined) return taken;
      if (pool.hasRefused(cost)) {
        refused += 1;
        return undefined;
      }
      return askFor(pool, { keyId: keyPrincipal.id, route, cost }).then((reservation) => {
        if (reservation === undefined) refused += 1;
        return reservation;
      });
    },
    remaining: (keyPrincipal) => poolFor(keyPrincipal)?.spendable,
    resetAt: (keyPrincipal) => poolFor(keyPrincipal)?.resetAt,
    flush: () => writer.settled(async () => undefined),
    settled: writer.settled,
    unwritten: writer.unwritten,
    refresh: pools.distrust,
    get figures() {
      const { charged, lost, unwritten, ageMs, writingMs } = writer.figures;
      return { charged, refused, lost, unwritten, writeAgeMs: ageMs, writingMs, ...pools.figures };
    },
    alarms: () => alarms.list(),
    async close() {
      stopping.abort();
      await watching;
      pools.giveBackAll();
      const late = new AbortController();
      const written = writer.settled(async () => {
        await accounts.db.deleteFrom('meters').where('id', '=', holder).execute();
      });
      await Promise.race([written.catch(() => undefined), clock.sleep(CLOSE_TIMEOUT_MS, late.signal)]);
      late.abort();
      await writer.stop();
      const { unwritten } = writer.figures;
      if (unwritten > 0) log.error({ credits: unwritten }, 'stopped with debits that could not be written');
    },
  };
}

interface Call {
  readonly keyId: number;
  readonly route: string;
  readonly cost: number;
}

interface PoolSetOptions {
  readonly clock: Clock;
  readonly writer: CreditWriter;
  readonly leaseTimes: LeaseTimes;
}

/** The pools that a process has to do with. */
function createPoolSet({ clock, writer, leaseTimes }: PoolSetOptions) {
  const paid = new Map<number, MeteredPool>();
  const unbounded = new Map<number, MeteredPool>();
  const host: PoolHost = {
    now: clock.now,
    elapsed: clock.elapsed,
    touch: writer.touch,
    isFailing: () => writer.isFailing,
    leaseTimes,
  };

  const mapOf = (payment: Payment) => (payment === 'unbounded' ? unbounded : paid);

  function giveBack(pool: MeteredPool): void {
    mapOf(pool.payment).delete(pool.id);
    pool.leaves = true;
    if (pool.isLeased || pool.unwritten > 0) writer.touch(pool);
  }

  return {
    /** The pool; undefined when there are too many. */
    get(payment: Payment, id: number, accountId: number): MeteredPool | undefined {
      const map = mapOf(payment);
      const known = map.get(id);
      if (known !== undefined) return known;
      if (map.size >= MAX_POOLS) return undefined;
      const pool = new MeteredPool(id, accountId, payment, host);
      map.set(id, pool);
      return pool;
    },
    giveBackIdle() {
      const since = clock.elapsed() - IDLE_MS;
      for (const map of [paid, unbounded]) {
        for (const pool of map.values()) if (pool.usedAt < since && pool.waiting.length === 0) giveBack(pool);
      }
    },
    giveBackAll() {
      for (const map of [paid, unbounded]) {
        for (const pool of map.values()) {
          for (const { fail } of pool.waiting.splice(0)) fail(new Error('the service is stopping'));
          giveBack(pool);
        }
      }
    },
    distrust(accountId?: number) {
      for (const pool of paid.values()) {
        if (accountId === undefined || pool.accountId === accountId) pool.distrust();
      }
    },
    get figures() {
      let [leases, leased] = [0, 0];
      for (const pool of paid.values()) {
        if (!pool.isLeased) continue;
        leases += 1;
        leased += pool.inHand;
      }
      return { leases, leased };
    },
  };
}
