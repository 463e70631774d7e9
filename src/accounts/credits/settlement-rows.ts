import { sql } from 'kysely';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import type { Accounts } from './pool-rows.ts';
import type { Settlement } from './settlement.ts';
import type { UsageRow } from './usage-counts.ts';

/** A pool as a settlement changes it, and when its account is renewed. */
export interface PoolRow {
  readonly id: number;
  readonly account_id: number;
  balance: number;
  leased: number;
  readonly reset_at: number | null;
}

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

export interface AccountUsage extends UsageRow {
  readonly accountId: number;
}

/** A lease as it is after the settlement; `remaining` is undefined for one that is given back. */
export interface LeaseWrite {
  readonly poolId: number;
  readonly remaining: number | undefined;
}

/** SQLite takes 32,766 parameters at a time, Postgres twice as many: after a long outage there is more to write. */
const MAX_STATEMENT_ROWS = 1_000;

/** False when the settlement was written before. Whoever sends it twice at a time waits here for the other. */
export async function markWritten(accounts: Accounts, { holder, number }: Settlement, now: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await accounts
    .insertInto('meters')
    .values({ id: holder, batch: number, seen_at: now })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ batch: number, seen_at: now }).where('meters.batch', '<', number),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function readRows(
  accounts: Accounts,
  engine: AccountsDatabase['engine'],
  { holder, items, leaseTimes }: Settlement,
  now: number,
): Promise<Rows> {
  const ids = [...new Set(items.filter(({ payment }) => payment !== 'unbounded').map(({ poolId }) => poolId))];
  const rows: Rows = { pools: new Map(), held: new Map(), changed: new Set(), charged: new Map() };
  if (ids.length === 0) return rows;
  for (const pool of await readPools(accounts, engine, ids)) rows.pools.set(pool.id, pool);
  const leases = await accounts
    .selectFrom('leases')
    .select(['id', 'pool_id', 'holder', 'remaining', 'expires_at'])
    .where('pool_id', 'in', ids)
    .where((where) => where.or([where('holder', '=', holder), where('expires_at', '<', now - leaseTimes.marginMs)]))
    .execute();
  const over = leases.filter((lease) => lease.holder !== holder);
  if (over.length > 0)
    await accounts
      .deleteFrom('leases')
      .where(
        'id',
        'in',
        over.map(({ id }) => id),
      )
      .execute();
  for (const { pool_id, remaining } of over) {
    const pool = rows.pools.get(pool_id)!;
    pool.leased -= remaining;
    rows.changed.add(pool);
  }
  const ours = leases.filter((lease) => lease.holder === holder);
  return { ...rows, held: new Map(ours.map(({ id, remaining }) => [id, remaining])) };
}

/** Pools with the end of their account's period, locked. SQLite's transaction has locked everything already. */
export async function readPools(
  accounts: Accounts,
  engine: AccountsDatabase['engine'],
  ids: readonly number[],
): Promise<PoolRow[]> {
  return accounts
    .selectFrom('pools')
    .innerJoin('accounts', 'accounts.id', 'pools.account_id')
    .select(['pools.id', 'pools.account_id', 'pools.balance', 'pools.leased', 'accounts.reset_at'])
    .where('pools.id', 'in', ids)
    .orderBy('pools.id')
    .$if(engine === 'postgres', (query) => query.forUpdate('pools'))
    .execute();
}

export async function writePools(accounts: Accounts, { changed, charged, pools }: Rows, now: number): Promise<void> {
  const updates = [...changed];
  for (let from = 0; from < updates.length; from += MAX_STATEMENT_ROWS) {
    await updatePools(accounts, updates.slice(from, from + MAX_STATEMENT_ROWS));
  }
  const entries = [...charged]
    .filter(([id, amount]) => amount > 0 && pools.has(id))
    .map(([id, amount]) => ({
      pool_id: id,
      account_id: pools.get(id)!.account_id,
      kind: 'calls' as const,
      amount: -amount,
      at: now,
      reference: new Date(now).toISOString().slice(0, 'yyyy-mm-dd'.length),
    }));
  if (entries.length === 0) return;
  await accounts
    .insertInto('ledger')
    .values(entries)
    .onConflict((conflict) =>
      conflict.columns(['pool_id', 'kind', 'reference']).doUpdateSet({
        amount: sql<number>`ledger.amount + excluded.amount`,
        at: now,
      }),
    )
    .execute();
}

/** All in one statement: one for each pool is most of what a settlement of many costs. Both engines name the columns of VALUES alike. */
async function updatePools(accounts: Accounts, pools: readonly PoolRow[]): Promise<void> {
  const values = pools.map(
    ({ id, balance, leased }) => sql`(CAST(${id} AS BIGINT), CAST(${balance} AS BIGINT), CAST(${leased} AS BIGINT))`,
  );
  await sql`
    UPDATE pools SET balance = changed.column2, leased = changed.column3
    FROM (VALUES ${sql.join(values)}) AS changed
    WHERE pools.id = changed.column1
  `.execute(accounts);
}

export async function writeLeases(
  accounts: Accounts,
  { holder, leaseTimes }: Settlement,
  leases: ReadonlyMap<string, LeaseWrite>,
  now: number,
): Promise<void> {
  const kept: { id: string; pool_id: number; holder: string; remaining: number; expires_at: number }[] = [];
  const gone: string[] = [];
  for (const [id, { poolId, remaining }] of leases) {
    if (remaining === undefined) gone.push(id);
    else kept.push({ id, pool_id: poolId, holder, remaining, expires_at: now + leaseTimes.lastsMs });
  }
  if (gone.length > 0) await accounts.deleteFrom('leases').where('id', 'in', gone).execute();
  if (kept.length === 0) return;
  await accounts
    .insertInto('leases')
    .values(kept)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((row) => ({
        remaining: row.ref('excluded.remaining'),
        expires_at: row.ref('excluded.expires_at'),
      })),
    )
    .execute();
}

export async function writeUsage(accounts: Accounts, usage: readonly AccountUsage[]): Promise<void> {
  if (usage.length === 0) return;
  // In one order for all processes, or two that add to the same rows wait for each other.
  const rows = sumRows(usage).sort(
    (a, b) => a.account_id - b.account_id || a.hour - b.hour || a.key_id - b.key_id || (a.route < b.route ? -1 : 1),
  );
  for (let from = 0; from < rows.length; from += MAX_STATEMENT_ROWS) {
    await accounts
      .insertInto('usage')
      .values(rows.slice(from, from + MAX_STATEMENT_ROWS))
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'hour', 'key_id', 'route']).doUpdateSet({
          calls: sql<number>`usage.calls + excluded.calls`,
          credits: sql<number>`usage.credits + excluded.credits`,
        }),
      )
      .execute();
  }
}

/** A key that has just got a pool of its own has calls in two: one statement takes each row once. */
function sumRows(usage: readonly AccountUsage[]) {
  const rows = new Map<
    string,
    { account_id: number; key_id: number; route: string; hour: number; calls: number; credits: number }
  >();
  for (const { accountId, keyId, route, hour, calls, credits } of usage) {
    const name = `${accountId} ${keyId} ${hour} ${route}`;
    const row = rows.get(name) ?? { account_id: accountId, key_id: keyId, route, hour, calls: 0, credits: 0 };
    rows.set(name, { ...row, calls: row.calls + calls, credits: row.credits + credits });
  }
  return [...rows.values()];
}

export function addTo(sums: Map<number, number>, id: number, amount: number): void {
  if (amount > 0) sums.set(id, (sums.get(id) ?? 0) + amount);
}
