import type { Engine } from '../../store/accounts-db/engine.ts';
import type { PoolRow } from '../../store/accounts-db/settlement-statements.ts';
import * as statements from '../../store/accounts-db/settlement-statements.ts';
import type { Accounts } from './pool-rows.ts';
import type { Settlement } from './settlement.ts';
import type { UsageRow } from './usage-counts.ts';

/** Rows that a settlement has read, and changes before they are written back. */
export interface Rows {
  /** Locked. */
  readonly pools: Map<number, PoolRow>;
  /** Credits that remain of our leases, by the lease's id. */
  readonly held: ReadonlyMap<string, number>;
  readonly changed: Set<PoolRow>;
  /** Credits, by pool. */
  readonly charged: Map<number, number>;
}

/** A lease as it is after the settlement; `remaining` is undefined for one that is given back. */
export interface LeaseWrite {
  readonly poolId: number;
  readonly remaining: number | undefined;
}

/** False when the settlement was written before. Whoever sends it twice at a time waits here for the other. */
export async function markWritten(
  accounts: Accounts,
  engine: Engine,
  { holder, number }: Settlement,
  now: number,
): Promise<boolean> {
  const { numAffectedRows } = await statements.raiseMark.run(accounts, engine, [holder, number, now]);
  return numAffectedRows === 1n;
}

export async function readRows(
  accounts: Accounts,
  engine: Engine,
  { holder, items, leaseTimes }: Settlement,
  now: number,
): Promise<Rows> {
  const ids = [...new Set(items.filter(({ payment }) => payment !== 'unbounded').map(({ poolId }) => poolId))];
  const held = new Map<string, number>();
  const rows: Rows = { pools: new Map(), held, changed: new Set(), charged: new Map() };
  if (ids.length === 0) return rows;
  for (const pool of await readPools(accounts, engine, ids)) rows.pools.set(pool.id, pool);
  const leases = await statements.leasesOfPools.rows(accounts, engine, [holder, now - leaseTimes.marginMs], ids);
  const over: string[] = [];
  for (const { id, pool_id, remaining, ours } of leases) {
    if (ours === 1) {
      held.set(id, remaining);
      continue;
    }
    over.push(id);
    const pool = rows.pools.get(pool_id)!;
    pool.leased -= remaining;
    rows.changed.add(pool);
  }
  await statements.deleteLeases.run(accounts, engine, over);
  return rows;
}

/** Pools with the end of their account's period, locked. SQLite's transaction has locked everything already. */
export async function readPools(accounts: Accounts, engine: Engine, ids: readonly number[]): Promise<PoolRow[]> {
  return statements.lockedPools.rows(accounts, engine, [], ids);
}

export async function writePools(
  accounts: Accounts,
  engine: Engine,
  { changed, charged, pools }: Rows,
  now: number,
): Promise<void> {
  const credits: number[] = [];
  for (const { id, balance, leased } of changed) credits.push(id, balance, leased);
  await statements.savePools.run(accounts, engine, [], credits);
  const entries: number[] = [];
  for (const [id, amount] of charged) {
    const pool = pools.get(id);
    if (amount > 0 && pool !== undefined) entries.push(id, pool.account_id, -amount);
  }
  const day = new Date(now).toISOString().slice(0, 'yyyy-mm-dd'.length);
  await statements.enterCalls.run(accounts, engine, [now, day], entries);
}

export async function writeLeases(
  accounts: Accounts,
  engine: Engine,
  { holder, leaseTimes }: Settlement,
  leases: ReadonlyMap<string, LeaseWrite>,
  now: number,
): Promise<void> {
  const kept: (string | number)[] = [];
  const gone: string[] = [];
  for (const [id, { poolId, remaining }] of leases) {
    if (remaining === undefined) gone.push(id);
    else kept.push(id, poolId, remaining);
  }
  await statements.deleteLeases.run(accounts, engine, gone);
  await statements.saveLeases.run(accounts, engine, [holder, now + leaseTimes.lastsMs], kept);
}

/**
 * Adds usage up. Rows are written by hour, route, account and key, in one order for all processes, or two that add to
 * the same rows wait for each other.
 */
export async function writeUsage(accounts: Accounts, engine: Engine, usage: readonly UsageRow[]): Promise<void> {
  const groups = new Map<string, UsageRow[]>();
  let group: UsageRow[] = [];
  let last: UsageRow | undefined;
  for (const row of usage) {
    // Most rows are of the route and the hour of the one before.
    if (last === undefined || last.route !== row.route || last.hour !== row.hour) {
      group = groupOf(groups, row);
      last = row;
    }
    group.push(row);
  }
  for (const name of [...groups.keys()].sort()) await addUsage(accounts, engine, groups.get(name) ?? []);
}

/** Rows of the same hour and route. */
function groupOf(groups: Map<string, UsageRow[]>, { hour, route }: UsageRow): UsageRow[] {
  const name = `${hour} ${route}`;
  const known = groups.get(name);
  if (known !== undefined) return known;
  const group: UsageRow[] = [];
  groups.set(name, group);
  return group;
}

/** Adds rows of one hour and route. A key that has just got a pool of its own has calls in two: one statement takes each row once. */
async function addUsage(accounts: Accounts, engine: Engine, rows: UsageRow[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  rows.sort((a, b) => a.accountId - b.accountId || a.keyId - b.keyId);
  const values: number[] = [];
  let before: UsageRow | undefined;
  let [calls, credits] = [0, 0];
  for (const row of rows) {
    if (before !== undefined && (before.accountId !== row.accountId || before.keyId !== row.keyId)) {
      values.push(before.accountId, before.keyId, calls, credits);
      calls = 0;
      credits = 0;
    }
    calls += row.calls;
    credits += row.credits;
    before = row;
  }
  if (before !== undefined) values.push(before.accountId, before.keyId, calls, credits);
  await statements.addUsage.run(accounts, engine, [first.hour, first.route], values);
}

export function addTo(sums: Map<number, number>, id: number, amount: number): void {
  if (amount > 0) sums.set(id, (sums.get(id) ?? 0) + amount);
}
