import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import { renewDue } from './due-renewals.ts';
import type { LeaseTimes } from './lease-rules.ts';
import type { Ledger } from './ledger.ts';
import type { MeteredPool } from './metered-pool.ts';
import { createRefusedDebits } from './refused-debits.ts';
import { createSettlementMaker, type PoolSettlement } from './settlement-maker.ts';
import { createSettlementSender, type SettlementResults } from './settlement-sender.ts';
import { createWriteOutage } from './write-outage.ts';
import { writeSettlement } from './write-settlement.ts';
import { createWriteWatch, MAX_WRITE_MS } from './write-watch.ts';

/** Milliseconds that debits wait until they are written. */
export const WRITE_EVERY_MS = 250;
/** The most that a kill costs: calls of so many milliseconds, while writes do not fail. */
export const MAX_UNWRITTEN_MS = WRITE_EVERY_MS + MAX_WRITE_MS;

export interface CreditWriterOptions {
  readonly accounts: AccountsDatabase;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Logger;
  readonly holder: string;
  readonly leaseTimes: LeaseTimes;
}

/** Writes what pools have settled and asks for what their calls wait for, one settlement after the other. */
export interface CreditWriter {
  /** The pool has something to write: with the next settlement. */
  touch(pool: MeteredPool): void;
  /** Calls of the pool wait: at once. */
  ask(pool: MeteredPool): void;
  /** Writes everything that was settled until now, then reads while nothing is being written. Rejects when it cannot be written. */
  settled<T>(read: () => Promise<T>): Promise<T>;
  /** Stops. Nothing is written any more. */
  stop(): Promise<void>;
  /** Credits of a pool that are debited in memory, and not in the database as far as is known. */
  unwritten(poolId: number): number;
  /** True while the database cannot be written. */
  readonly isFailing: boolean;
  /** True while a write takes too long and nothing was written since: nobody may debit more. */
  readonly isStalled: boolean;
  readonly figures: WriterFigures;
}

export interface WriterFigures {
  /** Credits, since the start. */
  readonly charged: number;
  readonly lost: number;
  /** Credits that are debited in memory only, as far as is known. */
  readonly unwritten: number;
  /** Milliseconds since everything there was to write was written. */
  readonly ageMs: number;
  /** Milliseconds that the write under way takes already; undefined while there is none. */
  readonly writingMs: number | undefined;
  /** Milliseconds since writing began to fail or to take too long; undefined while it does neither. */
  readonly failingMs: number | undefined;
  /** Pools whose debits the database refuses, while it takes those of others. */
  readonly refusedPools: number;
}

/** A reason at hand: one that is made for each time, with its stack, takes longer than the rest of waking. */
const WOKEN = 'woken';

/** Somebody who waits until everything is written. */
interface Flush {
  readonly written: () => Promise<void>;
  readonly fail: (error: unknown) => void;
}

export function createCreditWriter(options: CreditWriterOptions): CreditWriter {
  const { clock } = options;
  const touched = new Set<MeteredPool>();
  const asking = new Set<MeteredPool>();
  const sums = { charged: 0, lost: 0 };
  const outage = createWriteOutage(options);
  let flushes: Flush[] = [];
  const refused = createRefusedDebits(options);
  const settlements = createSettlementMaker(options);
  let nextFullAt = clock.elapsed() + WRITE_EVERY_MS;
  let writtenAt = clock.elapsed();
  /** Since then. */
  let stoodStillMs = 0;
  const writing = createWriteWatch({
    ...options,
    // Calls go on from leases while writes fail at once; while the process stood still it let nobody in.
    unwrittenMs: () => (outage.forMs === undefined ? clock.elapsed() - writtenAt - stoodStillMs : 0),
    maxUnwrittenMs: MAX_UNWRITTEN_MS,
  });
  const sender = createSettlementSender({
    settlements,
    refused,
    write: (settlement) => writing.during(() => writeSettlement(options.accounts, settlement, clock.now())),
    written: apply,
  });
  const stopping = new AbortController();
  let wake = new AbortController();

  function touch(pool: MeteredPool): void {
    pool.isTouched = true;
    touched.add(pool);
  }

  function taken(pool: MeteredPool): void {
    pool.isTouched = false;
    touched.delete(pool);
    asking.delete(pool);
  }

  async function apply(settlement: PoolSettlement, results: SettlementResults): Promise<void> {
    for (const [index, item] of settlement.items.entries()) {
      refused.release(item.pool);
      const result = results[index];
      if (result === undefined) continue;
      sums.charged += result.charged;
      sums.lost += result.lost;
      item.pool.apply(item, result, settlement.since, settlement.at);
      if (item.pool.waiting.length > 0) asking.add(item.pool);
      // Credits that came too late for a pool that is given up go back too.
      else if (item.pool.gathers || (item.pool.leaves && item.pool.isLeased)) touch(item.pool);
    }
    await renewDue({ ...options, writing, tried: touch }, settlement, results);
  }

  /** Writes what there is: everything when its time has come or somebody waits for it, otherwise what calls wait for. */
  async function pass(): Promise<void> {
    const flushing = flushes;
    flushes = [];
    const isFull = flushing.length > 0 || clock.elapsed() >= nextFullAt;
    if (isFull) nextFullAt = clock.elapsed() + WRITE_EVERY_MS;
    try {
      await sender.sendUnsure();
      await sender.retryRefused();
      const queue = writable(isFull ? new Set([...touched, ...asking]) : asking);
      const startedAt = clock.elapsed();
      while (queue.length > 0) await sender.send(settlements.compose(queue, taken));
      if (isFull) {
        writtenAt = startedAt;
        stoodStillMs = 0;
        writing.passed();
      }
      outage.succeeded();
    } catch (error) {
      outage.failed(error);
      failWaiting(error, flushing);
      return;
    }
    for (const { written } of flushing) await written();
  }

  /** Without those whose debits are refused: what they owe comes first. */
  function writable(pools: ReadonlySet<MeteredPool>): MeteredPool[] {
    return [...pools].filter((pool) => {
      const refusal = refused.refusalOf(pool);
      if (refusal === undefined) return true;
      asking.delete(pool);
      for (const { fail } of pool.waiting.splice(0)) fail(refusal);
      return false;
    });
  }

  /** Nobody waits for what cannot be written now. */
  function failWaiting(error: unknown, flushing: readonly Flush[]): void {
    const items = sender.unsure;
    const calls = items.flatMap(({ waiting }) => waiting);
    for (const item of items) item.waiting = [];
    for (const pool of asking) calls.push(...pool.waiting.splice(0));
    asking.clear();
    for (const { fail } of calls) fail(error);
    for (const { fail } of flushing) fail(error);
  }

  async function pause(): Promise<void> {
    if (outage.forMs !== undefined) return clock.sleep(outage.pauseMs(), stopping.signal);
    if (flushes.length > 0 || asking.size > 0) return;
    wake = new AbortController();
    const wakesAt = Math.max(nextFullAt, clock.elapsed());
    await clock.sleep(wakesAt - clock.elapsed(), wake.signal);
    stoodStillMs += Math.max(0, clock.elapsed() - wakesAt);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause();
      // Requests that other connections have brought in the same turn ask with the first: one transaction for all.
      if (asking.size > 0) await setImmediate();
      if (!stopping.signal.aborted) await pass();
    }
  }

  function sumUnwritten(poolId?: number): number {
    const sent = sender.unsure.map(({ pool }) => pool);
    const pools = new Set([...touched, ...sent, ...refused.pools]);
    let sum = 0;
    for (const pool of pools) if (poolId === undefined || pool.id === poolId) sum += pool.unwritten;
    return sum;
  }

  const running = run();
  return {
    unwritten: sumUnwritten,
    touch,
    ask(pool) {
      asking.add(pool);
      wake.abort(WOKEN);
    },
    settled: (read) =>
      new Promise((resolve, reject) => {
        if (stopping.signal.aborted) return reject(stoppedError());
        flushes.push({ written: () => read().then(resolve, reject), fail: reject });
        wake.abort(WOKEN);
      }),
    async stop() {
      stopping.abort();
      wake.abort(WOKEN);
      await running;
      for (const { fail } of flushes) fail(stoppedError());
      for (const pool of asking) for (const { fail } of pool.waiting.splice(0)) fail(stoppedError());
    },
    get isFailing() {
      return outage.forMs !== undefined;
    },
    get isStalled() {
      return writing.isStalled;
    },
    get figures() {
      return {
        ...sums,
        unwritten: sumUnwritten(),
        ageMs: touched.size === 0 && sender.unsure.length === 0 ? 0 : clock.elapsed() - writtenAt,
        writingMs: writing.forMs,
        failingMs: writing.stalledMs ?? outage.forMs,
        refusedPools: refused.pools.length,
      };
    },
  };
}

function stoppedError(): Error {
  return new Error('the service is stopping: credits are not written any more');
}
