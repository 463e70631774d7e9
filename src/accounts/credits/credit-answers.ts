import { sql } from 'kysely';
import { ApiError } from '../../contract/errors.ts';
import type { KeyPrincipal, Principal } from '../../handlers/caller.ts';
import { createBoundedMap } from '../../kernel/bounded-map.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import type { Plans } from '../plans.ts';
import type { Balance, USAGE_KEYS, USAGE_WINDOWS, Usage } from './contract.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerMeter } from './ledger-meter.ts';
import { HOUR_MS } from './usage-counts.ts';

export type UsageWindow = (typeof USAGE_WINDOWS)[number];
export type UsageBy = (typeof USAGE_KEYS)[number];

/** Tells what an account has left, and where the rest went. Both reject with credits_unavailable when the ledger cannot be asked. */
export interface CreditAnswers {
  /** Of the key's pool; without a key of the account's general one. */
  balance(account: Principal, key: KeyPrincipal | undefined): Promise<Balance>;
  usage(accountId: number, window: UsageWindow, by: UsageBy): Promise<readonly Usage[]>;
}

export interface CreditAnswersDeps {
  readonly accounts: AccountsDatabase;
  readonly meter: Pick<LedgerMeter, 'settled' | 'unwritten'>;
  readonly ledger: Pick<Ledger, 'renew'>;
  readonly plans: Pick<Plans, 'get'>;
  readonly enforce: boolean;
  readonly clock: Clock;
}

/** Credits told of a pool without a bound: the largest integer that JSON carries exactly. */
const BOUNDLESS = Number.MAX_SAFE_INTEGER;
const WARNINGS = [
  [95, 'used_95'],
  [80, 'used_80'],
  [50, 'used_50'],
] as const;
const WINDOW_HOURS: Readonly<Record<UsageWindow, number>> = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 };
/** Hours of a month, or every route of every key there may be. */
const MAX_USAGE_ROWS = 1_000;
/** A long window is summed over many rows: not again before this. */
const LONG_WINDOW_FRESH_MS = 5_000;
const MAX_REMEMBERED = 1_000;

interface PoolRow {
  readonly id: number;
  readonly key_id: number | null;
  readonly balance: number;
  readonly capacity: number;
  readonly plan: string;
  readonly reset_at: number | null;
}

export function createCreditAnswers(deps: CreditAnswersDeps): CreditAnswers {
  const { accounts, meter, ledger, plans, enforce, clock } = deps;
  const { db } = accounts;
  const remembered = createBoundedMap<string, { readonly at: number; readonly rows: Promise<readonly Usage[]> }>(
    MAX_REMEMBERED,
  );

  async function readPool({ accountId }: Principal, key: KeyPrincipal | undefined): Promise<PoolRow> {
    const query = db
      .selectFrom('pools')
      .innerJoin('accounts', 'accounts.id', 'pools.account_id')
      .select(['pools.id', 'pools.key_id', 'balance', 'capacity', 'plan', 'reset_at']);
    const pool = await (key === undefined
      ? query.where('account_id', '=', accountId).where('key_id', 'is', null)
      : query.where('pools.id', '=', key.poolId)
    ).executeTakeFirstOrThrow();
    if (pool.reset_at === null || pool.reset_at > clock.now()) return pool;
    const isRenewed = await db.transaction().execute((transaction) => ledger.renew(transaction, accountId));
    return isRenewed ? readPool({ accountId } as Principal, key) : pool;
  }

  /** Reads when everything of this process is written, so that nothing is counted twice or not at all. */
  async function settled<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await meter.settled(read);
    } catch (cause) {
      throw new ApiError('credits_unavailable', { cause });
    }
  }

  async function readUsage(accountId: number, window: UsageWindow, by: UsageBy): Promise<readonly Usage[]> {
    const now = clock.now();
    const since = now - (now % HOUR_MS) - (WINDOW_HOURS[window] - 1) * HOUR_MS;
    const column = by === 'key' ? 'key_id' : by;
    const rows = await db
      .selectFrom('usage')
      .select([column, sql<number>`CAST(sum(calls) AS bigint)`.as('calls')])
      .select(sql<number>`CAST(sum(credits) AS bigint)`.as('credits'))
      .where('account_id', '=', accountId)
      .where('hour', '>=', since)
      .groupBy(column)
      .orderBy(by === 'hour' ? 'hour' : sql`credits`, by === 'hour' ? 'asc' : 'desc')
      .limit(MAX_USAGE_ROWS)
      .execute();
    return rows.map(({ calls, credits, ...row }) => ({ key: nameOf(row), calls, credits }) satisfies Usage);
  }

  return {
    async balance(account, key) {
      const pool = await settled(() =>
        readPool(account, key).then((row) => withUnwritten(row, meter.unwritten(row.id))),
      );
      const plan = plans.get(pool.plan);
      const isBoundless = plan.unbounded;
      const remaining = isBoundless ? BOUNDLESS : pool.balance;
      const capacity = isBoundless ? BOUNDLESS : pool.capacity;
      const used = percentUsed(remaining, capacity);
      return {
        pool: pool.key_id === null ? 'general' : 'dedicated',
        ...(key === undefined ? {} : { key_id: key.id }),
        remaining,
        capacity,
        pct_used: used,
        warning: warningOf(remaining, used),
        plan: pool.plan,
        reset_at: pool.reset_at === null ? null : new Date(pool.reset_at).toISOString(),
        rate_limit: key?.rate ?? plan.rate,
        enforced: enforce,
      } satisfies Balance;
    },
    async usage(accountId, window, by) {
      // Writers need not stand still for it: unlike a balance it is all in one table.
      const read = () => settled(async () => undefined).then(() => readUsage(accountId, window, by));
      if (window === '24h') return read();
      const question = `${accountId} ${window} ${by}`;
      const known = remembered.peek(question);
      if (known !== undefined && clock.elapsed() - known.at < LONG_WINDOW_FRESH_MS) return known.rows;
      const rows = read();
      remembered.set(question, { at: clock.elapsed(), rows });
      rows.catch(() => remembered.delete(question));
      return rows;
    },
  };
}

function withUnwritten(pool: PoolRow, unwritten: number): PoolRow {
  return { ...pool, balance: Math.max(0, pool.balance - unwritten) };
}

/** Whole percent, rounded down: a step is told once it is reached. Divided last, or 29 of 100 would be 28 percent. A pool that was given nothing is used up. */
export function percentUsed(remaining: number, capacity: number): number {
  if (capacity <= 0) return 100;
  return Math.min(100, Math.max(0, Math.floor(((capacity - remaining) * 100) / capacity)));
}

export function warningOf(remaining: number, percent: number): Balance['warning'] {
  if (remaining === 0) return 'exhausted';
  return WARNINGS.find(([from]) => percent >= from)?.[1] ?? null;
}

function nameOf(row: { readonly route?: string; readonly key_id?: number; readonly hour?: number }): string {
  if (row.hour !== undefined) return new Date(row.hour).toISOString();
  return row.route ?? String(row.key_id);
}
