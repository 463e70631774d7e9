import type { Transaction } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { AccountsSchema } from '../../store/accounts-db/schema.ts';
import type { Ledger } from '../credits/ledger.ts';
import { OPERATOR_PLAN } from '../plans.ts';

/** Held by whoever makes what there is one of, so that several processes make one. */
const ONCE = 'operator_account';

/** Ids of the operator's account and its pool. */
export interface OperatorAccount {
  readonly accountId: number;
  /** Its general pool, from which nothing is ever taken. */
  readonly poolId: number;
}

/**
 * The account of whoever runs the service, made when it is not there: it has no
 * wallet, and nobody signs in to it. Has to be the transaction's first statement.
 */
export async function ensureOperatorAccount(
  transaction: Transaction<AccountsSchema>,
  ledger: Pick<Ledger, 'openGeneralPool'>,
  clock: Pick<Clock, 'now'>,
): Promise<OperatorAccount> {
  await holdOnce(transaction, ONCE);
  const accountId = (await findOperator(transaction)) ?? (await insertOperator(transaction, clock));
  return { accountId, poolId: await ledger.openGeneralPool(transaction, accountId) };
}

async function findOperator(transaction: Transaction<AccountsSchema>): Promise<number | undefined> {
  const found = await transaction
    .selectFrom('accounts')
    .select('id')
    .where('wallet', 'is', null)
    .orderBy('id')
    .executeTakeFirst();
  return found?.id;
}

async function insertOperator(transaction: Transaction<AccountsSchema>, clock: Pick<Clock, 'now'>): Promise<number> {
  const values = {
    wallet: null,
    state: 'active' as const,
    plan: OPERATOR_PLAN,
    created_at: clock.now(),
    reset_at: null,
  };
  const { id } = await transaction.insertInto('accounts').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Lets one transaction at a time go on under this name, in whichever process. */
async function holdOnce(transaction: Transaction<AccountsSchema>, name: string): Promise<void> {
  await transaction
    .insertInto('settings')
    .values({ name, value: '' })
    // A write either way: a row that is there is held as well.
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: '' }))
    .execute();
}
