import { type Kysely, sql, type Transaction } from 'kysely';
import type { AccountsSchema } from '../../../src/store/accounts-db/schema.ts';

/** Faults that a meter can be given. */
export type MeterDefect =
  | 'batch written twice'
  | 'takes what is not there'
  | 'nothing checks the balance'
  | 'charges refused runs'
  | 'settled debits are dropped'
  | 'balance moves without an entry'
  | 'usage is not written'
  | 'usage counts twice'
  | 'what was taken is not given back'
  | 'refuses what is there';

/**
 * A simple meter to try the checker on, and to break: every price is taken in
 * the database at once, and what was settled is written when it is told to.
 */
export interface PlainMeter {
  /** Undefined when the pool has less. */
  reserve(key: PlainKey, price: number): Promise<{ settle(charged: number): void } | undefined>;
  write(): Promise<void>;
  /** Forgets the settled calls and gives the taken credits back, as after a kill -9 and the end of a lease. */
  die(): Promise<void>;
}

export interface PlainKey {
  readonly id: number;
  readonly accountId: number;
  readonly poolId: number;
}

interface Debit {
  readonly key: PlainKey;
  readonly price: number;
  readonly charged: number;
}

const HOUR = 1_790_000_000_000;

export function createPlainMeter(db: Kysely<AccountsSchema>, defect: MeterDefect | undefined): PlainMeter {
  let settled: Debit[] = [];

  async function writeDebit(transaction: Transaction<AccountsSchema>, { key, price, charged }: Debit): Promise<void> {
    const kept = defect === 'what was taken is not given back' ? charged : price;
    // Both at once: between two statements what is leased could exceed the balance.
    await transaction
      .updateTable('pools')
      .set({ balance: sql`balance - ${charged}`, leased: sql`leased - ${kept}` })
      .where('id', '=', key.poolId)
      .execute();
    await lease(transaction, key.poolId, -kept);
    if (defect !== 'balance moves without an entry') await writeEntry(transaction, key, charged);
    if (defect !== 'usage is not written') await writeUsage(transaction, key, charged, defect === 'usage counts twice');
  }

  return {
    async reserve(key, price) {
      const { balance, leased } = await db
        .selectFrom('pools')
        .select(['balance', 'leased'])
        .where('id', '=', key.poolId)
        .executeTakeFirstOrThrow();
      const wanted = defect === 'refuses what is there' ? 2 * price : price;
      const unbound = defect === 'takes what is not there' || defect === 'nothing checks the balance';
      if (balance - leased < wanted && !unbound) return undefined;
      const granted = unbound ? Math.min(price, Math.max(0, balance - leased)) : price;
      await db.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('pools')
          .set({ leased: sql`leased + ${granted}` })
          .where('id', '=', key.poolId)
          .execute();
        await lease(transaction, key.poolId, granted);
      });
      return {
        settle(charged) {
          const wrong = defect === 'charges refused runs' && charged === 0 ? price : charged;
          const bounded = defect === 'takes what is not there' ? Math.min(wrong, granted) : wrong;
          settled.push({ key, price: granted, charged: bounded });
        },
      };
    },
    async write() {
      const batch = settled;
      settled = [];
      await db.transaction().execute(async (transaction) => {
        const dropped = defect === 'settled debits are dropped' ? 1 : 0;
        for (const [index, debit] of batch.entries()) {
          if (index < batch.length - dropped) await writeDebit(transaction, debit);
          else await writeDebit(transaction, { ...debit, charged: 0 });
        }
        if (defect !== 'batch written twice') return;
        for (const debit of batch) await writeDebit(transaction, { ...debit, price: 0 });
      });
    },
    async die() {
      settled = [];
      await db.updateTable('pools').set({ leased: 0 }).execute();
      await db.deleteFrom('leases').execute();
    },
  };
}

/** One lease a pool holds all that was taken of it. */
async function lease(transaction: Transaction<AccountsSchema>, poolId: number, amount: number): Promise<void> {
  const values = { pool_id: poolId, holder: 'plain', remaining: 0, expires_at: HOUR };
  const id = `plain ${poolId}`;
  await transaction
    .insertInto('leases')
    .values({ id, ...values })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await transaction
    .updateTable('leases')
    .set({ remaining: sql`remaining + ${amount}` })
    .where('id', '=', id)
    .execute();
}

async function writeEntry(transaction: Transaction<AccountsSchema>, key: PlainKey, charged: number): Promise<void> {
  await transaction
    .insertInto('ledger')
    .values({
      pool_id: key.poolId,
      account_id: key.accountId,
      kind: 'calls',
      amount: -charged,
      at: HOUR,
      reference: 'plain',
    })
    .onConflict((conflict) =>
      conflict.columns(['pool_id', 'kind', 'reference']).doUpdateSet({ amount: sql`ledger.amount + excluded.amount` }),
    )
    .execute();
}

async function writeUsage(
  transaction: Transaction<AccountsSchema>,
  key: PlainKey,
  charged: number,
  twice: boolean,
): Promise<void> {
  await transaction
    .insertInto('usage')
    .values({
      account_id: key.accountId,
      key_id: key.id,
      route: 'GET /plain',
      hour: HOUR,
      calls: twice ? 2 : 1,
      credits: charged,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'hour', 'key_id', 'route']).doUpdateSet({
        calls: sql`usage.calls + excluded.calls`,
        credits: sql`usage.credits + excluded.credits`,
      }),
    )
    .execute();
}
