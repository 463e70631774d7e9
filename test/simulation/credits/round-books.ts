import { systemClock } from '../../../src/kernel/clock.ts';
import type { CallTally, Debit, TallyInterval } from './call-tally.ts';
import type { CampaignDatabase } from './campaign-database.ts';
import { intervalFaults, lostDebits, stateFaults } from './ledger-faults.ts';
import { chargedTo, type LedgerState, type PoolState, readLedgerState } from './ledger-state.ts';

/** Compares the books after each round, from the state in which the one before left them. */
export interface RoundBooks {
  /** As of the end of the round before. */
  readonly before: LedgerState;
  /** Call it while nothing is under way. Waits until everything is written. */
  close(deaths: readonly Death[]): Promise<ClosedBooks>;
}

/** A process that was killed with what it had not written. */
export interface Death {
  readonly server: string;
  /** Just before the kill, monotonic milliseconds. */
  readonly at: number;
}

export interface ClosedBooks {
  readonly faults: readonly string[];
  /** Credits that were told and never charged. */
  readonly lost: number;
  /** How long before its process was killed the first of them was heard of, milliseconds; undefined when none was lost. */
  readonly lostReachesBackMs: number | undefined;
  readonly told: number;
  readonly charged: number;
  readonly unheard: number;
}

/** Debits are written so often; what was settled since the last time is lost with the process. */
export const WRITE_EVERY_MS = 250;
/** A write takes its time as well, and on a busy machine a timer is late: no single kill may reach back further. What is usual is judged in the end. */
const WRITE_TAKES_MS = 1_250;
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
    async close(deaths) {
      const interval = tally.takeInterval();
      const startedAt = systemClock.elapsed();
      let after = await settled(database, interval, before);
      for (;;) {
        const books = compare({ before, after, tally: interval }, deaths);
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

function compare(compared: Compared, deaths: readonly Death[]): ClosedBooks {
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
    faults: [...stateFaults(after), ...intervalFaults({ ...compared, mayBeLost })],
    lost: sum(lost.values(), (credits) => credits),
    lostReachesBackMs: reachesBack(tally.debits, deaths, lost, accountOf),
    told: sum(tally.byKey.values(), (key) => key.told),
    charged: allCharged(after) - allCharged(before),
    unheard: sum(tally.byKey.values(), (key) => key.unheard),
  };
}

/** By account, what was heard of a killed process within the time that it may not have written. */
function lostWithProcesses(
  debits: readonly Debit[],
  deaths: readonly Death[],
  accountOf: (poolId: number) => number,
): Map<number, number> {
  const lost = new Map<number, number>();
  for (const { server, poolId, cost, at } of debits) {
    const isLate = deaths.some((death) => death.server === server && at >= death.at - WRITE_EVERY_MS - WRITE_TAKES_MS);
    if (isLate) lost.set(accountOf(poolId), (lost.get(accountOf(poolId)) ?? 0) + cost);
  }
  return lost;
}

/** What came too late for its lease is debited from what the account has, or is the operator's loss. */
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
