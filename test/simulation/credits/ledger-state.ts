import { type Kysely, sql } from 'kysely';
import { groupBy } from '../../../src/features/movements/group-by.ts';
import type { AccountsDatabase } from '../../../src/store/accounts-db/accounts-db.ts';
import type { AccountsSchema, LedgerKind } from '../../../src/store/accounts-db/schema.ts';

/** All that the accounts database says of credits, as of one moment. */
export interface LedgerState {
  readonly pools: ReadonlyMap<number, PoolState>;
  /** By id of the key. */
  readonly usage: ReadonlyMap<number, Usage>;
}

export interface PoolState {
  readonly id: number;
  readonly accountId: number;
  /** Undefined for a general pool. */
  readonly keyId: number | undefined;
  readonly balance: number;
  readonly capacity: number;
  readonly leased: number;
  /** Entries of the ledger by kind; a kind without any is absent. */
  readonly entries: ReadonlyMap<LedgerKind, Entries>;
  /** Credits left in its leases. */
  readonly inHand: number;
}

export interface Entries {
  readonly count: number;
  readonly amount: number;
  /** The largest one: entries of calls are never above zero. */
  readonly largest: number;
}

export interface Usage {
  readonly accountId: number;
  readonly calls: number;
  readonly credits: number;
}

/** Reads it in one transaction, so that it is the state of one moment whoever writes meanwhile. */
export function readLedgerState({ db, engine }: Pick<AccountsDatabase, 'db' | 'engine'>): Promise<LedgerState> {
  const transaction = db.transaction();
  const ofOneMoment = engine === 'postgres' ? transaction.setIsolationLevel('repeatable read') : transaction;
  return ofOneMoment.execute(async (reader) => {
    const pools = await reader.selectFrom('pools').selectAll().orderBy('id').execute();
    const entries = await readEntries(reader);
    const leases = await reader.selectFrom('leases').select(['pool_id', 'remaining']).execute();
    const leasesByPool = groupBy(leases, ({ pool_id }) => pool_id);
    return {
      pools: new Map(
        pools.map(({ id, account_id: accountId, key_id: keyId, ...rest }) => [
          id,
          {
            ...rest,
            id,
            accountId,
            keyId: keyId ?? undefined,
            entries: entries.get(id) ?? new Map(),
            inHand: (leasesByPool.get(id) ?? []).reduce((sum, { remaining }) => sum + remaining, 0),
          },
        ]),
      ),
      usage: await readUsage(reader),
    };
  });
}

async function readEntries(reader: Kysely<AccountsSchema>): Promise<Map<number, Map<LedgerKind, Entries>>> {
  const rows = await reader
    .selectFrom('ledger')
    .select(['pool_id', 'kind'])
    // Sums of 64-bit integers are of a wider type in Postgres, and arrive as text.
    .select([
      sql<number>`CAST(count(*) AS bigint)`.as('count'),
      sql<number>`CAST(sum(amount) AS bigint)`.as('amount'),
      sql<number>`max(amount)`.as('largest'),
    ])
    .groupBy(['pool_id', 'kind'])
    .execute();
  const byPool = new Map<number, Map<LedgerKind, Entries>>();
  for (const { pool_id: pool, kind, ...entries } of rows) {
    const ofPool = byPool.get(pool) ?? new Map<LedgerKind, Entries>();
    byPool.set(pool, ofPool.set(kind, entries));
  }
  return byPool;
}

async function readUsage(reader: Kysely<AccountsSchema>): Promise<Map<number, Usage>> {
  const rows = await reader
    .selectFrom('usage')
    .select(['key_id', 'account_id'])
    .select([
      sql<number>`CAST(sum(calls) AS bigint)`.as('calls'),
      sql<number>`CAST(sum(credits) AS bigint)`.as('credits'),
    ])
    .groupBy(['key_id', 'account_id'])
    .execute();
  return new Map(rows.map(({ key_id, account_id: accountId, ...usage }) => [key_id, { accountId, ...usage }]));
}

/** Credits that a pool gained by entries of these kinds; calls lower it. */
export function gained(pool: PoolState | undefined, ...kinds: readonly LedgerKind[]): number {
  return kinds.reduce((sum, kind) => sum + (pool?.entries.get(kind)?.amount ?? 0), 0);
}

/** Credits charged for calls so far. */
export function chargedTo(pool: PoolState | undefined): number {
  return 0 - gained(pool, 'calls');
}
