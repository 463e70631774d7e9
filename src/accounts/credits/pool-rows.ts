import type { Selectable, Transaction } from 'kysely';
import type { AccountsSchema, LedgerKind, PoolsTable } from '../../store/accounts-db/schema.ts';

export type Accounts = Transaction<AccountsSchema>;

/** A pool, locked until the transaction ends: what is computed from it may be written back. */
export type LockedPool = Selectable<PoolsTable>;

/** A change of a balance, as the ledger keeps it. */
export interface Movement {
  readonly kind: LedgerKind;
  /** Credits that the pool gains; negative when it loses them. */
  readonly amount: number;
  readonly at: number;
  /** Makes the movement one of a kind in its pool. */
  readonly reference: string;
}

/**
 * Locks a pool and reads it. An update is the one lock that both engines know.
 * Callers that lock several do it in the order of their ids, or two wait for each other.
 */
export async function lockPool(accounts: Accounts, id: number): Promise<LockedPool> {
  return accounts
    .updateTable('pools')
    .set((row) => ({ leased: row.ref('leased') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * The pools of an account that hold something or will, locked: the general one first, those of keys in the order in which
 * they were opened. Empty ones of keys that have no budget any more are left out: an owner may leave any number behind.
 */
export async function lockPools(accounts: Accounts, accountId: number): Promise<LockedPool[]> {
  const withBudget = accounts
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('budget', 'is not', null);
  const ids = await accounts
    .selectFrom('pools')
    .select('id')
    .where('account_id', '=', accountId)
    .where((row) =>
      row.or([
        row('key_id', 'is', null),
        row('balance', '>', 0),
        row('capacity', '>', 0),
        row('key_id', 'in', withBudget),
      ]),
    )
    .orderBy('id')
    .execute();
  const pools: LockedPool[] = [];
  for (const { id } of ids) pools.push(await lockPool(accounts, id));
  return pools;
}

/** The account's general pool, locked. */
export async function lockGeneralPool(accounts: Accounts, accountId: number): Promise<LockedPool> {
  // One statement, and an update: a transaction that begins by reading may not be let to write any more in SQLite.
  return accounts
    .updateTable('pools')
    .set((row) => ({ leased: row.ref('leased') }))
    .where('account_id', '=', accountId)
    .where('key_id', 'is', null)
    .returningAll()
    .executeTakeFirstOrThrow(() => new Error(`account ${accountId} has no pool of credits`));
}

export async function generalPoolId(accounts: Accounts, accountId: number): Promise<number> {
  const { id } = await accounts
    .selectFrom('pools')
    .select('id')
    .where('account_id', '=', accountId)
    .where('key_id', 'is', null)
    .executeTakeFirstOrThrow(() => new Error(`account ${accountId} has no pool of credits`));
  return id;
}

export async function savePool(accounts: Accounts, { id, balance, capacity, leased }: LockedPool): Promise<void> {
  await accounts.updateTable('pools').set({ balance, capacity, leased }).where('id', '=', id).execute();
}

/** Takes back whatever processes hold of a pool. What they have debited and not yet written is refused by the missing rows. */
export async function takeBackLeases(accounts: Accounts, pool: LockedPool): Promise<LockedPool> {
  if (pool.leased === 0) return pool;
  await accounts.deleteFrom('leases').where('pool_id', '=', pool.id).execute();
  return { ...pool, leased: 0 };
}

/** A pool of which so much is free, leases taken back if there is no other way; undefined when it has less. */
export async function freeUp(accounts: Accounts, pool: LockedPool, credits: number): Promise<LockedPool | undefined> {
  if (pool.balance < credits) return undefined;
  return pool.balance - pool.leased >= credits ? pool : takeBackLeases(accounts, pool);
}

/** Writes an entry of the ledger, once for its kind and reference. Gives whether it was the first time. */
export async function enter(accounts: Accounts, pool: LockedPool, movement: Movement): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await accounts
    .insertInto('ledger')
    .values({ pool_id: pool.id, account_id: pool.account_id, ...movement })
    .onConflict((conflict) => conflict.columns(['pool_id', 'kind', 'reference']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
