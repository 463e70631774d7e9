import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import { AccountsError } from '../../store/accounts-db/accounts-error.ts';
import type { Engine } from '../../store/accounts-db/engine.ts';
import type { PoolRow } from '../../store/accounts-db/settlement-statements.ts';
import { meetDemand } from './lease-rules.ts';
import type { Accounts } from './pool-rows.ts';
import type { PoolItem, PoolResult, Settlement } from './settlement.ts';
import {
  addTo,
  type LeaseWrite,
  markWritten,
  type Rows,
  readPools,
  readRows,
  writeLeases,
  writePools,
  writeUsage,
} from './settlement-rows.ts';
import type { UsageRow } from './usage-counts.ts';

/** The database does not take what a settlement says, however often it comes. Nothing of this try was written. */
export class SettlementRefused extends Error {
  override readonly name = 'SettlementRefused';
  /** An earlier try was written: only what became of it cannot be read. Otherwise none was, and none will be. */
  readonly wasWritten: boolean;

  constructor(cause: unknown, wasWritten: boolean) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.wasWritten = wasWritten;
  }
}

/**
 * Writes a settlement in one transaction, or finds that it was written before. For each item what became of its pool;
 * undefined for an item that has none. Pools are locked in the order of their ids.
 * @throws {SettlementRefused} when it is in the settlement that it cannot be written, and not in the database
 */
export async function writeSettlement(
  database: AccountsDatabase,
  settlement: Settlement,
  now: number,
): Promise<readonly (PoolResult | undefined)[]> {
  let isNew: boolean | undefined;
  try {
    return await database.db.transaction().execute(async (accounts) => {
      isNew = await markWritten(accounts, database.engine, settlement, now);
      return isNew
        ? write(accounts, database.engine, settlement, now)
        : readAgain(accounts, database.engine, settlement, now);
    });
  } catch (error) {
    // Behind its mark nothing of an earlier try is under way any more, so that its fate is known.
    if (isNew !== undefined && isRefusal(error)) throw new SettlementRefused(error, !isNew);
    throw error;
  }
}

/** True for an error that the database will give the next time too. The settlement was rolled back then. */
export function isRefusal(error: unknown): boolean {
  return error instanceof AccountsError && (error.code === 'accounts_refused' || error.code === 'accounts_conflict');
}

async function readAgain(
  accounts: Accounts,
  engine: Engine,
  settlement: Settlement,
  now: number,
): Promise<readonly (PoolResult | undefined)[]> {
  const rows = await readRows(accounts, engine, settlement, now);
  // Reading may have taken back leases of others all the same.
  await writePools(accounts, engine, rows, now);
  return settlement.items.map((item) => (item.payment === 'unbounded' ? undefined : asItIs(item, rows)));
}

async function write(
  accounts: Accounts,
  engine: Engine,
  settlement: Settlement,
  now: number,
): Promise<readonly (PoolResult | undefined)[]> {
  const rows = await readRows(accounts, engine, settlement, now);
  const results: (PoolResult | undefined)[] = [];
  const usage: UsageRow[] = [];
  const leases = new Map<string, LeaseWrite>();
  for (const item of settlement.items) {
    const result = item.payment === 'unbounded' ? undefined : payFromPool(item, rows, now);
    // Unpaid credits that are only counted are nobody's loss.
    if (result !== undefined && item.payment === 'leased' && result.charged < item.demand.debit) {
      await collect(accounts, engine, item, result, rows);
    }
    results.push(result);
    if (result !== undefined && item.payment === 'leased') {
      leases.set(item.leaseId, { poolId: item.poolId, remaining: result.isLeased ? result.lease : undefined });
    }
    addCharged(usage, item, result?.lost ?? 0);
  }
  await writePools(accounts, engine, rows, now);
  await writeLeases(accounts, engine, settlement, leases, now);
  await writeUsage(accounts, engine, usage);
  return results;
}

/** Pays from the item's own pool, as far as it goes: at once, as nearly every item is paid. */
function payFromPool(item: PoolItem, rows: Rows, now: number): PaidResult {
  const pool = rows.pools.get(item.poolId) ?? noPool(item);
  const due = item.renews && pool.reset_at !== null && pool.reset_at <= now;
  const demand = due ? { ...item.demand, needs: [], gather: true, holds: false } : item.demand;
  const held = rows.held.get(item.leaseId);
  const { balance, leased, lease, charged, admitted } = meetDemand(pool, held, demand);
  if (balance !== pool.balance || leased !== pool.leased) rows.changed.add(pool);
  pool.balance = balance;
  pool.leased = leased;
  addTo(rows.charged, pool.id, charged);
  const isLeased = lease > 0 || (held !== undefined && demand.holds);
  return { balance, leased, lease, admitted, charged, lost: 0, isLeased, resetAt: pool.reset_at ?? undefined, due };
}

/** A result before other pools of the account were asked. */
type PaidResult = { -readonly [name in keyof PoolResult]: PoolResult[name] };

/**
 * Takes what a pool does not have any more from the account's other pools, or whoever moves credits
 * between them at the right moment would call for nothing. What they do not have either is lost.
 */
async function collect(
  accounts: Accounts,
  engine: Engine,
  { poolId, accountId, demand }: PoolItem,
  result: PaidResult,
  rows: Rows,
): Promise<void> {
  const account_id = rows.pools.get(poolId)?.account_id ?? accountId;
  const others = await accounts
    .selectFrom('pools')
    .select('id')
    .where('account_id', '=', account_id)
    .orderBy('id')
    .execute();
  const unread = others.map((other) => other.id).filter((other) => !rows.pools.has(other));
  for (const pool of await readPools(accounts, engine, unread)) rows.pools.set(pool.id, pool);
  let left = demand.debit - result.charged;
  for (const other of others.map((each) => rows.pools.get(each.id)!)) {
    if (other.id === poolId) continue;
    const taken = Math.min(left, other.balance - other.leased);
    if (taken === 0) continue;
    other.balance -= taken;
    rows.changed.add(other);
    addTo(rows.charged, other.id, taken);
    left -= taken;
  }
  result.charged = demand.debit - left;
  result.lost = left;
}

/** Result of an item that an earlier try has written. */
function asItIs({ poolId, leaseId, demand, ...item }: PoolItem, { pools, held }: Rows): PoolResult {
  const { balance, leased, reset_at } = pools.get(poolId) ?? noPool({ poolId, accountId: item.accountId });
  const lease = held.get(leaseId);
  return {
    balance,
    leased,
    lease: lease ?? 0,
    isLeased: lease !== undefined,
    charged: demand.debit,
    lost: 0,
    admitted: [],
    resetAt: reset_at ?? undefined,
    due: false,
  };
}

/** Usage tells what was charged. What is lost is taken off, the last calls first. */
function addCharged(charged: UsageRow[], { usage }: PoolItem, lost: number): void {
  let left = lost;
  for (let index = usage.length - 1; index >= 0; index -= 1) {
    const row = usage[index]!;
    const taken = Math.min(left, row.credits);
    left -= taken;
    // Nearly always all of it, as it is.
    if (taken < row.credits) charged.push(taken === 0 ? row : { ...row, credits: row.credits - taken });
  }
}

/** A pool that is not there holds nothing. */
function noPool({ poolId, accountId }: Pick<PoolItem, 'poolId' | 'accountId'>): PoolRow {
  return { id: poolId, account_id: accountId, balance: 0, leased: 0, reset_at: null };
}
