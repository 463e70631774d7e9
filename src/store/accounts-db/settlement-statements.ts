import { fixedStatement, idsQuestion, idsStatement, rowsStatement } from './fixed-statement.ts';

/** A pool as a settlement changes it, and when its account is renewed. */
export interface PoolRow {
  readonly id: number;
  readonly account_id: number;
  balance: number;
  leased: number;
  readonly reset_at: number | null;
}

// Statements of a settlement. It comes four times a second and more, so that each has a fixed shape.

/** Raises the number of a process's last settlement: holder, number, now. Changes no row when it is as high already. */
export const raiseMark = fixedStatement(
  (place) => `
    INSERT INTO meters (id, batch, seen_at) VALUES (${place(1)}, ${place(2)}, ${place(3)})
    ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, seen_at = excluded.seen_at
    WHERE meters.batch < excluded.batch`,
);

/** Pools with the end of their account's period, locked in the order of their ids. */
export const lockedPools = idsQuestion<PoolRow>({
  shared: 0,
  columns: ['id', 'account_id', 'balance', 'leased', 'reset_at'],
  text: (isOneOf, _shared, engine) => `
    SELECT pools.id, pools.account_id, pools.balance, pools.leased, accounts.reset_at
    FROM pools INNER JOIN accounts ON accounts.id = pools.account_id
    WHERE pools.id ${isOneOf}
    ORDER BY pools.id${engine === 'postgres' ? ' FOR UPDATE OF pools' : ''}`,
});

interface LeaseRow {
  readonly id: string;
  readonly pool_id: number;
  readonly remaining: number;
  /** 1 for the holder's. */
  readonly ours: number;
}

/**
 * Leases of pools that are one holder's, and those that ended before a time: holder, time. A question of its own, behind
 * the locks of the pools: Postgres would give leases as they were before it waited for those.
 */
export const leasesOfPools = idsQuestion<LeaseRow>({
  shared: 2,
  columns: ['id', 'pool_id', 'remaining', 'ours'],
  text: (isOneOf, [holder, time]) => `
    SELECT id, pool_id, remaining, CASE WHEN holder = ${holder} THEN 1 ELSE 0 END AS ours
    FROM leases
    WHERE pool_id ${isOneOf} AND (holder = ${holder} OR expires_at < ${time})`,
});

/** Deletes leases by their ids. */
export const deleteLeases = idsStatement((isOneOf) => `DELETE FROM leases WHERE id ${isOneOf}`);

/** Writes pools back: id, balance, leased. Both engines name the columns of VALUES alike. */
export const savePools = rowsStatement({
  shared: 0,
  columns: 3,
  row: (columns) => `(${columns.map((column) => `CAST(${column} AS BIGINT)`).join(', ')})`,
  text: (rows) => `
    UPDATE pools SET balance = changed.column2, leased = changed.column3
    FROM (VALUES ${rows}) AS changed
    WHERE pools.id = changed.column1`,
});

/** Adds to the ledger's entries of a day, shared: now, day. Pool, account and amount of each. */
export const enterCalls = rowsStatement({
  shared: 2,
  columns: 3,
  row: ([pool, account, amount], [now, day]) => `(${pool}, ${account}, 'calls', ${amount}, ${now}, ${day})`,
  text: (rows) => `
    INSERT INTO ledger (pool_id, account_id, kind, amount, at, reference) VALUES ${rows}
    ON CONFLICT (pool_id, kind, reference) DO UPDATE SET amount = ledger.amount + excluded.amount, at = excluded.at`,
});

/** Writes leases of a holder, shared: holder, end. Id, pool and what remains of each. */
export const saveLeases = rowsStatement({
  shared: 2,
  columns: 3,
  row: ([id, pool, remaining], [holder, end]) => `(${id}, ${pool}, ${holder}, ${remaining}, ${end})`,
  text: (rows) => `
    INSERT INTO leases (id, pool_id, holder, remaining, expires_at) VALUES ${rows}
    ON CONFLICT (id) DO UPDATE SET remaining = excluded.remaining, expires_at = excluded.expires_at`,
});

/** Adds to the usage of an hour on a route, shared: hour, route. Account, key, calls and credits of each. */
export const addUsage = rowsStatement({
  shared: 2,
  columns: 4,
  row: ([account, key, calls, credits], [hour, route]) =>
    `(${account}, ${hour}, ${key}, ${route}, ${calls}, ${credits})`,
  text: (rows) => `
    INSERT INTO usage (account_id, hour, key_id, route, calls, credits) VALUES ${rows}
    ON CONFLICT (account_id, hour, key_id, route)
    DO UPDATE SET calls = usage.calls + excluded.calls, credits = usage.credits + excluded.credits`,
});
