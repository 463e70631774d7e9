import { systemClock } from '../../../src/kernel/clock.ts';
import type { CallTally, Debit, TallyInterval } from './call-tally.ts';
import type { CampaignDatabase } from './campaign-database.ts';
import { intervalFaults, lostDebits, stateFaults } from './ledger-faults.ts';
import { chargedTo, type LedgerState, type PoolState, readLedgerState } from './ledger-state.ts';
import { byOurClock, MAX_LOOK_MS, TICK_MS, type WriteRecord } from './write-record.ts';

/** Compares the books after each round, from the state in which the one before left them. */
export interface RoundBooks {
  /** As of the end of the round before. */
  readonly before: LedgerState;
  /** Call it while nothing is under way. Waits until everything is written. */
  close(happened: Happened): Promise<ClosedBooks>;
}

/** A process that was killed with what it had not written. */
export interface Death {
  readonly server: string;
  /** Just before the kill, monotonic milliseconds. */
  readonly at: number;
  /** Its last word on its writes; undefined when it had not begun to tell. */
  readonly record: WriteRecord | undefined;
}

/** Effects of a trouble. */
export interface Happened {
  readonly deaths: readonly Death[];
  /** While the database answered no write, monotonic milliseconds. */
  readonly stalled?: { readonly from: number; readonly to: number };
}

export interface ClosedBooks {
  readonly faults: readonly string[];
  /** Credits that were told and never charged. */
  readonly lost: number;
  /** Milliseconds from hearing of the first lost credit to the kill of its process; undefined when none was lost. */
  readonly lostReachesBackMs: number | undefined;
  /**
   * Milliseconds from the beginning of a process's last finished write to its kill, for the first kill: no kill may
   * lose more; undefined without one.
   */
  readonly unwrittenMs: number | undefined;
  readonly told: number;
  readonly charged: number;
  readonly unheard: number;
}

/**
 * Bounds that docs/accounts.md promises, not taken from the code: the time between two writes, and the time of a write
 * after which new calls are held back.
 */
const WRITE_EVERY_MS = 250;
const MAX_WRITE_MS = 1_000;
/** A process looks at itself so often, and its timer is a little late: by so much it may seem to have waited longer. */
const LOOKING_MS = 6 * TICK_MS + MAX_LOOK_MS;
/** From the start of a stall until everybody's next write has begun, and what was on its way before that has come. */
const UNDER_WAY_MS = 1_000;
/** Longer than anybody takes to write what is settled. */
const QUIET_MS = 2 * WRITE_EVERY_MS + 200;
const SAME_FOR_MS = 300;
/** For a machine that stands still now and then: what is wrong has to stay wrong. */
const PATIENCE_MS = 6_000;
const POLL_MS = 100;

export function createRoundBooks(database: CampaignDatabase, tally: CallTally, first: LedgerState): RoundBooks {
  let before = first;
  return {
    get before() {
      return before;
    },
    async close(happened) {
      const interval = tally.takeInterval();
      const startedAt = systemClock.elapsed();
      let after = await settled(database, interval, before);
      for (;;) {
        const books = compare({ before, after, tally: interval }, happened);
        if (books.faults.length === 0 || systemClock.elapsed() - startedAt > PATIENCE_MS) {
          before = after;
          return books;
        }
        await systemClock.sleep(SAME_FOR_MS);
        after = await readLedgerState(database.accounts);
      }
    },
  };
}

/** The state in which everything is written: when what was told is charged, or nothing moves any more. */
async function settled(database: CampaignDatabase, tally: TallyInterval, before: LedgerState): Promise<LedgerState> {
  const startedAt = systemClock.elapsed();
  const told = sum(tally.byKey.values(), (key) => key.told);
  let last = -1;
  let sameSince = startedAt;
  for (;;) {
    const state = await readLedgerState(database.accounts);
    const charged = allCharged(state) - allCharged(before);
    const now = systemClock.elapsed();
    if (charged === told) return state;
    if (charged !== last) sameSince = now;
    last = charged;
    if (now - startedAt > QUIET_MS && now - sameSince > SAME_FOR_MS) return state;
    await systemClock.sleep(POLL_MS);
  }
}

interface Compared {
  readonly before: LedgerState;
  readonly after: LedgerState;
  readonly tally: TallyInterval;
}

function compare(compared: Compared, happened: Happened): ClosedBooks {
  const { deaths } = happened;
  const { before, after, tally } = compared;
  const lost = lostDebits(compared);
  const accountOf = (poolId: number) => after.pools.get(poolId)?.accountId ?? 0;
  const died = lostWithProcesses(tally.debits, deaths, accountOf);
  const mayBeLost = new Map<number, number>();
  for (const [id, credits] of lost) {
    const refused = couldNotBePaid(id, credits, compared) ? credits : 0;
    mayBeLost.set(id, Math.max(refused, died.get(id) ?? 0));
  }
  return {
    faults: [
      ...stateFaults(after),
      ...intervalFaults({ ...compared, mayBeLost }),
      ...writingFaults(tally.debits, happened),
    ],
    lost: sum(lost.values(), (credits) => credits),
    lostReachesBackMs: reachesBack(tally.debits, deaths, lost, accountOf),
    unwrittenMs: deaths[0] === undefined ? undefined : deaths[0].at - unwrittenFrom(deaths[0]),
    told: sum(tally.byKey.values(), (key) => key.told),
    charged: allCharged(after) - allCharged(before),
    unheard: sum(tally.byKey.values(), (key) => key.unheard),
  };
}

/** Each kill by itself: a process waits no longer than it may between two writes, and debits nothing new while one takes too long. */
function writingFaults(debits: readonly Debit[], { deaths, stalled }: Happened): string[] {
  const faults: string[] = [];
  for (const { server, record } of stalled === undefined ? deaths : []) {
    if (record === undefined || record.idleMs <= WRITE_EVERY_MS + LOOKING_MS) continue;
    faults.push(`${server} had written nothing for ${Math.round(record.idleMs)} ms, though no write was under way`);
  }
  if (stalled === undefined) return faults;
  const heldFrom = stalled.from + WRITE_EVERY_MS + MAX_WRITE_MS + UNDER_WAY_MS;
  const late = debits.filter(({ begunAt, at }) => begunAt > heldFrom && at < stalled.to);
  if (late.length > 0)
    faults.push(`${late.length} calls were let in and charged while a write had taken over a second`);
  return faults;
}

/** By account, what was heard of a killed process since the beginning of its last write that was done. */
function lostWithProcesses(
  debits: readonly Debit[],
  deaths: readonly Death[],
  accountOf: (poolId: number) => number,
): Map<number, number> {
  const lost = new Map<number, number>();
  for (const { server, poolId, cost, at } of debits) {
    const isLate = deaths.some((death) => death.server === server && at >= unwrittenFrom(death));
    if (isLate) lost.set(accountOf(poolId), (lost.get(accountOf(poolId)) ?? 0) + cost);
  }
  return lost;
}

/** A process that has not said anything yet has written nothing since it started, which is not long ago. */
function unwrittenFrom({ at, record }: Death): number {
  return record === undefined ? at - WRITE_EVERY_MS : byOurClock(record.writtenTo);
}

/**
 * True when the account cannot pay: a debit that came too late for its lease is taken from what the account has, or is
 * the operator's loss.
 */
function couldNotBePaid(accountId: number, credits: number, { before, after }: Compared): boolean {
  const pools = [...after.pools.values()].filter((pool) => pool.accountId === accountId);
  const expiries = (pool: PoolState | undefined) => pool?.entries.get('expiry')?.count ?? 0;
  const renewed = pools.some((pool) => expiries(pool) > expiries(before.pools.get(pool.id)));
  return renewed || sum(pools, ({ balance, leased }) => balance - leased) < credits;
}

/** The shortest time before the kill in which enough was heard to make up for what every account lost. */
function reachesBack(
  debits: readonly Debit[],
  deaths: readonly Death[],
  lost: ReadonlyMap<number, number>,
  accountOf: (poolId: number) => number,
): number | undefined {
  let longest: number | undefined;
  for (const [accountId, credits] of lost) {
    let left = credits;
    for (const { server, cost, at } of debits.filter(({ poolId }) => accountOf(poolId) === accountId).reverse()) {
      const death = deaths.find((each) => each.server === server);
      if (death === undefined || left <= 0) continue;
      left -= cost;
      longest = Math.max(longest ?? 0, death.at - at);
    }
  }
  return longest;
}

function allCharged({ pools }: LedgerState): number {
  return sum(pools.values(), chargedTo);
}

function sum<T>(items: Iterable<T>, read: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += read(item);
  return total;
}
