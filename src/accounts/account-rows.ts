import type { Kysely, Transaction } from 'kysely';
import type { AccountState } from '../contract/states.ts';
import type { Clock } from '../kernel/clock.ts';
import type { AccountsSchema } from '../store/accounts-db/schema.ts';
import type { Ledger } from './credits/ledger.ts';
import { NO_PLAN } from './plans.ts';

/** An account as it is stored. */
export interface AccountRow {
  readonly id: number;
  /** Null for the operator's own. */
  readonly wallet: string | null;
  readonly state: AccountState;
  readonly plan: string;
  readonly created_at: number;
  readonly reset_at: number | null;
}

export const ACCOUNT_COLUMNS = ['id', 'wallet', 'state', 'plan', 'created_at', 'reset_at'] as const;

export interface NewAccount {
  /** Base58. */
  readonly wallet: string;
  readonly state: AccountState;
}

/** Makes an account with an empty pool, on no plan yet. Rejects when the wallet has one. */
export async function insertAccount(
  transaction: Transaction<AccountsSchema>,
  { wallet, state }: NewAccount,
  { ledger, clock }: { readonly ledger: Pick<Ledger, 'openGeneralPool'>; readonly clock: Pick<Clock, 'now'> },
): Promise<number> {
  const { id } = await transaction
    .insertInto('accounts')
    .values({ wallet, state, plan: NO_PLAN, created_at: clock.now(), reset_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ledger.openGeneralPool(transaction, id);
  return id;
}

export function findAccount(db: Kysely<AccountsSchema>, id: number): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').select(ACCOUNT_COLUMNS).where('id', '=', id).executeTakeFirst();
}

/** Streams of an account. */
export async function countStreams(db: Kysely<AccountsSchema>, accountId: number): Promise<number> {
  const { used } = await db
    .selectFrom('streams')
    .select((row) => row.fn.countAll<number>().as('used'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(used);
}
