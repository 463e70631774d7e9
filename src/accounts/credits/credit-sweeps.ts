import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import type { Plans } from '../plans.ts';
import { LEASE_MARGIN_MS } from './lease-rules.ts';
import type { Ledger } from './ledger.ts';
import { lockPool, savePool } from './pool-rows.ts';
import { HOUR_MS } from './usage-counts.ts';

export interface CreditSweepsOptions {
  readonly accounts: AccountsDatabase;
  readonly ledger: Ledger;
  readonly plans: Plans;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How often leases that ended are looked for, and periods. */
const SWEEP_EVERY_MS = 10_000;
const DAY_MS = 24 * HOUR_MS;
/** Usage is told of 30 days; what is older is kept for questions about an invoice. */
export const USAGE_KEPT_MS = 90 * DAY_MS;
/** A process that wrote nothing for so long has nothing left to write twice. */
const METER_KEPT_MS = 7 * DAY_MS;
/** Of one sweep: the next one goes on. */
const MAX_LEASES = 500;
const MAX_RENEWALS = 100;
const MAX_USAGE_HOURS = 6;

/** Takes back what processes left behind, renews accounts that nobody uses, lets old usage go. Any number of processes may do it at once. */
export function startSweeps(options: CreditSweepsOptions): { stop(): Promise<void> } {
  const { clock, log } = options;
  const stopping = new AbortController();
  let isFailing = false;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await clock.sleep(SWEEP_EVERY_MS, stopping.signal);
      if (stopping.signal.aborted) return;
      try {
        await sweepCredits(options, stopping.signal);
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ err: String(error) }, 'credits could not be swept');
        isFailing = true;
      }
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

export async function sweepCredits(options: CreditSweepsOptions, signal: AbortSignal): Promise<void> {
  await takeBackEnded(options, signal);
  await renewAccounts(options, signal);
  if (!signal.aborted) await forgetOld(options);
}

/** Leases that ended, by a margin for clocks that differ: their rest is free again. */
async function takeBackEnded({ accounts: { db }, clock }: CreditSweepsOptions, signal: AbortSignal): Promise<void> {
  const before = clock.now() - LEASE_MARGIN_MS;
  const ended = await db
    .selectFrom('leases')
    .select('pool_id')
    .distinct()
    .where('expires_at', '<', before)
    .limit(MAX_LEASES)
    .execute();
  for (const { pool_id } of ended) {
    if (signal.aborted) return;
    await db.transaction().execute(async (accounts) => {
      const pool = await lockPool(accounts, pool_id);
      const leases = await accounts
        .deleteFrom('leases')
        .where('pool_id', '=', pool_id)
        .where('expires_at', '<', before)
        .returning('remaining')
        .execute();
      const rest = leases.reduce((sum, { remaining }) => sum + remaining, 0);
      await savePool(accounts, { ...pool, leased: pool.leased - rest });
    });
  }
}

async function renewAccounts(options: CreditSweepsOptions, signal: AbortSignal): Promise<void> {
  const { accounts, ledger, plans, clock } = options;
  const due = await accounts.db
    .selectFrom('accounts')
    .select('id')
    .where('reset_at', '<=', clock.now())
    .where('plan', 'in', plans.names)
    .orderBy('reset_at')
    .limit(MAX_RENEWALS)
    .execute();
  for (const { id } of due) {
    if (signal.aborted) return;
    await accounts.db.transaction().execute((transaction) => ledger.renew(transaction, id));
  }
}

async function forgetOld({ accounts: { db }, clock }: CreditSweepsOptions): Promise<void> {
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
  if (oldest === undefined) return;
  // A few hours at a time, so that nobody waits for a long deletion.
  const until = Math.min(clock.now() - USAGE_KEPT_MS, oldest.hour + MAX_USAGE_HOURS * HOUR_MS);
  await db.deleteFrom('usage').where('hour', '<', until).execute();
}
