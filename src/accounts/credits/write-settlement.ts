import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import { AccountsError } from '../../store/accounts-db/accounts-error.ts';
import { meetDemand } from './lease-rules.ts';
import type { Accounts } from './pool-rows.ts';
import type { PoolItem, PoolResult, Settlement } from './settlement.ts';
import {
  type AccountUsage,
  addTo,
  type LeaseWrite,
  markWritten,
  type PoolRow,
  type Rows,
  readPools,
  readRows,
  writeLeases,
  writePools,
  writeUsage,
} from './settlement-rows.ts';

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
      isNew = await markWritten(accounts, settlement, now);
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
  engine: AccountsDatabase['engine'],
  settlement: Settlement,
  now: number,
): Promise<readonly (PoolResult | undefined)[]> {
  const rows = await readRows(accounts, engine, settlement, now);
  // Reading may have taken back leases of others all the same.
  await writePools(accounts, rows, now);
  return settlement.items.map((item) => (item.payment === 'unbounded' ? undefined : asItIs(item, rows)));
}

async function write(
  accounts: Accounts,
  engine: AccountsDatabase['engine'],
  settlement: Settlement,
  now: number,
): Promise<readonly (PoolResult | undefined)[]> {
  const rows = await readRows(accounts, engine, settlement, now);
  const results: (PoolResult | undefined)[] = [];
  const usage: AccountUsage[] = [];
  const leases = new Map<string, LeaseWrite>();
  for (const item of settlement.items) {
    const result = item.payment === 'unbounded' ? undefined : await pay(accounts, engine, item, rows, now);
    results.push(result);
    if (result !== undefined && item.payment === 'leased') {
      leases.set(item.leaseId, { poolId: item.poolId, remaining: result.isLeased ? result.lease : undefined });
    }
    usage.push(...withoutLost(item, result?.lost ?? 0));
  }
  await writePools(accounts, rows, now);
  await writeLeases(accounts, settlement, leases, now);
  await writeUsage(accounts, usage);
  return results;
}

async function pay(
  accounts: Accounts,
  engine: AccountsDatabase['engine'],
  item: PoolItem,
  rows: Rows,
  now: number,
): Promise<PoolResult> {
  const pool = rows.pools.get(item.poolId) ?? noPool(item);
  const due = item.renews && pool.reset_at !== null && pool.reset_at <= now;
  const demand = due ? { ...item.demand, needs: [], gather: true, holds: false } : item.demand;
  const held = rows.held.get(item.leaseId);
  const outcome = meetDemand(pool, held, demand);
  if (outcome.balance !== pool.balance || outcome.leased !== pool.leased) rows.changed.add(pool);
  pool.balance = outcome.balance;
  pool.leased = outcome.leased;
  addTo(rows.charged, pool.id, outcome.charged);
  const owed = demand.debit - outcome.charged;
  const isOwed = owed > 0 && item.payment === 'leased';
  const unpaid = isOwed ? await collect(accounts, engine, pool, owed, rows) : owed;
  return {
    ...outcome,
    charged: demand.debit - unpaid,
    // Unpaid credits that are only counted are nobody's loss.
    lost: isOwed ? unpaid : 0,
    isLeased: outcome.lease > 0 || (held !== undefined && demand.holds),
    resetAt: pool.reset_at ?? undefined,
    due,
  };
}

/**
 * Takes what a pool does not have any more from the account's other pools, or whoever moves credits
 * between them at the right moment would call for nothing. Gives what they do not have either.
 */
async function collect(
  accounts: Accounts,
  engine: AccountsDatabase['engine'],
  { id, account_id }: PoolRow,
  owed: number,
  rows: Rows,
): Promise<number> {
  const others = await accounts
    .selectFrom('pools')
    .select('id')
    .where('account_id', '=', account_id)
    .orderBy('id')
    .execute();
  const unread = others.map((other) => other.id).filter((other) => !rows.pools.has(other));
  if (unread.length > 0) {
    for (const pool of await readPools(accounts, engine, unread)) rows.pools.set(pool.id, pool);
  }
  let left = owed;
  for (const other of others.map((each) => rows.pools.get(each.id)!)) {
    if (other.id === id) continue;
    const taken = Math.min(left, other.balance - other.leased);
    if (taken === 0) continue;
    other.balance -= taken;
    rows.changed.add(other);
    addTo(rows.charged, other.id, taken);
    left -= taken;
  }
  return left;
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
function withoutLost({ usage, accountId }: PoolItem, lost: number): AccountUsage[] {
  let left = lost;
  return usage
    .toReversed()
    .map((row) => {
      const taken = Math.min(left, row.credits);
      left -= taken;
      return { ...row, accountId, credits: row.credits - taken };
    })
    .filter(({ credits }) => credits > 0);
}

/** A pool that is not there holds nothing. */
function noPool({ poolId, accountId }: Pick<PoolItem, 'poolId' | 'accountId'>): PoolRow {
  return { id: poolId, account_id: accountId, balance: 0, leased: 0, reset_at: null };
}
