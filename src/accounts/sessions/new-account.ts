import type { Transaction } from 'kysely';
import type { AccountState } from '../../contract/states.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Engine } from '../../store/accounts-db/engine.ts';
import type { AccountsSchema } from '../../store/accounts-db/schema.ts';
import { recordAudit } from '../audit.ts';
import type { Ledger } from '../credits/ledger.ts';
import { insertKey } from '../keys/insert-key.ts';
import { NO_PLAN, TRIAL_PLAN } from '../plans.ts';
import { takeTrial } from './trials.ts';

/** The wallet's account, held by the transaction. */
export interface WalletAccount {
  readonly id: number;
  readonly state: AccountState;
  /** Of an account that was made just now: its first key. */
  readonly firstKey: { readonly id: number; readonly text: string } | undefined;
}

export interface AccountOpener {
  readonly engine: Engine;
  readonly ledger: Pick<Ledger, 'openGeneralPool' | 'grantTrial'>;
  readonly clock: Pick<Clock, 'now'>;
}

const FIRST_KEY_NAME = 'first';

/**
 * Finds the account of a wallet, or makes it whole: its pool, its trial if the
 * network has one left, its first key. The first statement of the transaction is a
 * write, and every one of several at once waits at it.
 */
export async function openWalletAccount(
  transaction: Transaction<AccountsSchema>,
  wallet: string,
  clientAddress: string,
  opener: AccountOpener,
): Promise<WalletAccount> {
  const found = await holdAccount(transaction, wallet);
  if (found !== undefined) return { ...found, firstKey: undefined };
  const id = await insertAccount(transaction, wallet, opener.clock.now());
  if (id !== undefined) return { id, state: 'active', firstKey: await furnish(transaction, id, clientAddress, opener) };
  // Somebody else made it while we looked.
  const made = await holdAccount(transaction, wallet);
  if (made === undefined) throw new Error('an account that exists cannot be found');
  return { ...made, firstKey: undefined };
}

/** Lets one transaction at a time go on with the account of a wallet: a write that changes nothing. */
async function holdAccount(
  transaction: Transaction<AccountsSchema>,
  wallet: string,
): Promise<{ readonly id: number; readonly state: AccountState } | undefined> {
  return transaction
    .updateTable('accounts')
    .set((row) => ({ state: row.ref('state') }))
    .where('wallet', '=', wallet)
    .returning(['id', 'state'])
    .executeTakeFirst();
}

/** Undefined when there is one already. */
async function insertAccount(
  transaction: Transaction<AccountsSchema>,
  wallet: string,
  now: number,
): Promise<number | undefined> {
  const inserted = await transaction
    .insertInto('accounts')
    .values({ wallet, state: 'active', plan: NO_PLAN, created_at: now, reset_at: null })
    .onConflict((conflict) => conflict.column('wallet').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
}

async function furnish(
  transaction: Transaction<AccountsSchema>,
  accountId: number,
  clientAddress: string,
  { engine, ledger, clock }: AccountOpener,
): Promise<WalletAccount['firstKey']> {
  await ledger.openGeneralPool(transaction, accountId);
  const isTrial = await takeTrial(transaction, engine, { accountId, clientAddress, now: clock.now() });
  if (isTrial) {
    await transaction.updateTable('accounts').set({ plan: TRIAL_PLAN }).where('id', '=', accountId).execute();
    await ledger.grantTrial(transaction, accountId);
  }
  const details = { plan: isTrial ? TRIAL_PLAN : NO_PLAN };
  await recordAudit(transaction, { actor: 'service', action: 'account.create', accountId, details }, clock);
  return insertKey(transaction, { accountId, name: FIRST_KEY_NAME, actor: 'service' }, clock);
}
