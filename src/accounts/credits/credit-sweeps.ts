import type { Clock } from '../../kernel/clock.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import type { Plans } from '../plans.ts';
import { LEASE_TIMES, type LeaseTimes } from './lease-rules.ts';
import type { Ledger } from './ledger.ts';
import { lockPool, savePool } from './pool-rows.ts';
import { HOUR_MS } from './usage-counts.ts';
import { isRefusal } from './write-settlement.ts';

export interface CreditSweepsOptions {
  readonly accounts: AccountsDatabase;
  readonly ledger: Ledger;
  readonly plans: Plans;
  readonly clock: Pick<Clock, 'now'>;
  readonly leaseTimes?: LeaseTimes;
}

const DAY_MS = 24 * HOUR_MS;
/** Usage is told of 30 days; what is older is kept for questions about an invoice. */
export const USAGE_KEPT_MS = 90 * DAY_MS;
/** A process that wrote nothing for so long has nothing left to write twice. */
const METER_KEPT_MS = 7 * DAY_MS;
/** Of one step. */
const MAX_POOLS = 100;
const MAX_RENEWALS = 100;
const MAX_USAGE_HOURS = 6;

/**
 * Takes back what processes left behind, renews accounts that nobody uses, lets old usage go. A bounded step;
 * true when there is more. Any number of processes may do it at once.
 */
export async function sweepCredits(options: CreditSweepsOptions): Promise<boolean> {
  let isMore = false;
  await forEach([takeBackEnded, renewAccounts, forgetOld], async (step) => {
    if (await step(options)) isMore = true;
  });
  return isMore;
}

/** Leases that ended, by a margin for clocks that differ: their rest is free again. */
async function takeBackEnded({
  accounts: { db },
  clock,
  leaseTimes = LEASE_TIMES,
}: CreditSweepsOptions): Promise<boolean> {
  const before = clock.now() - leaseTimes.marginMs;
  const ended = await db
    .selectFrom('leases')
    .select('pool_id')
    .distinct()
    .where('expires_at', '<', before)
    .limit(MAX_POOLS)
    .execute();
  await forEach(ended, ({ pool_id }) =>
    db.transaction().execute(async (accounts) => {
      const pool = await lockPool(accounts, pool_id);
      const leases = await accounts
        .deleteFrom('leases')
        .where('pool_id', '=', pool_id)
        .where('expires_at', '<', before)
        .returning('remaining')
        .execute();
      const rest = leases.reduce((sum, { remaining }) => sum + remaining, 0);
      await savePool(accounts, { ...pool, leased: pool.leased - rest });
    }),
  );
  return ended.length === MAX_POOLS;
}

async function renewAccounts(options: CreditSweepsOptions): Promise<boolean> {
  const { accounts, ledger, plans, clock } = options;
  const due = await accounts.db
    .selectFrom('accounts')
    .select('id')
    .where('reset_at', '<=', clock.now())
    .where('plan', 'in', plans.names)
    .orderBy('reset_at')
    .limit(MAX_RENEWALS)
    .execute();
  await forEach(due, ({ id }) => accounts.db.transaction().execute((transaction) => ledger.renew(transaction, id)));
  return due.length === MAX_RENEWALS;
}

/** One after the other. One that the database refuses does not keep those behind it from their turn. */
async function forEach<T>(rows: readonly T[], run: (row: T) => Promise<unknown>): Promise<void> {
  let refusal: unknown;
  for (const row of rows) {
    await run(row).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      refusal ??= error;
    });
  }
  if (refusal !== undefined) throw refusal;
}

async function forgetOld({ accounts: { db }, clock }: CreditSweepsOptions): Promise<boolean> {
  await db
    .deleteFrom('meters')
    .where('seen_at', '<', clock.now() - METER_KEPT_MS)
    .execute();
  const oldest = await db
    .selectFrom('usage')
    .select('hour')
    .where('hour', '<', clock.now() - USAGE_KEPT_MS)
    .orderBy('hour')
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return false;
  // A few hours at a time, so that nobody waits for a long deletion.
  const until = Math.min(clock.now() - USAGE_KEPT_MS, oldest.hour + MAX_USAGE_HOURS * HOUR_MS);
  await db.deleteFrom('usage').where('hour', '<', until).execute();
  return true;
}
