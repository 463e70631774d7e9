import { createHash } from 'node:crypto';
import { createApiKey, hashApiKey } from '../../src/accounts/keys/api-key.ts';
import { keyPrefix } from '../../src/accounts/keys/insert-key.ts';
import { TRIAL_PLAN } from '../../src/accounts/plans.ts';
import { encodeAddress } from '../../src/chain/keys/base58.ts';
import type { AccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';

export interface AccountBookOptions {
  readonly accounts: number;
  readonly keysOfEach: number;
  /** Of each general pool: more than a run spends. */
  readonly credits: number;
}

/** The most that plans can have: one key that asks all the time must not be refused within a round. */
export const BOOK_RATE = { rps: 10_000, burst: 100_000 };
const PLAN = { monthly_credits: null, ...BOOK_RATE };
/** Rows of one statement: engines bound the values of a statement. */
const CHUNK = 500;

/** Plans for it, as a file's text. */
export const BOOK_PLANS = JSON.stringify({
  plans: [
    { name: 'none', ...PLAN },
    { name: 'trial', ...PLAN },
    { name: 'operator', unbounded: true, ...PLAN },
  ],
});

/** Fills an empty database with accounts, a general pool and keys each. Gives the keys' texts, those of an account side by side. */
export async function fillAccountBook(
  { db }: Pick<AccountsDatabase, 'db'>,
  { accounts, keysOfEach, credits }: AccountBookOptions,
): Promise<readonly string[]> {
  const now = Date.now();
  const texts: string[] = [];
  for (let first = 0; first < accounts; first += CHUNK) {
    const numbers = Array.from({ length: Math.min(CHUNK, accounts - first) }, (_, index) => first + index);
    await db.transaction().execute(async (transaction) => {
      const opened = await transaction
        .insertInto('accounts')
        .values(
          numbers.map((number) => ({
            wallet: encodeAddress(createHash('sha256').update(`bench ${number}`).digest()),
            state: 'active' as const,
            plan: TRIAL_PLAN,
            created_at: now,
            reset_at: null,
          })),
        )
        .returning('id')
        .execute();
      const pools = await transaction
        .insertInto('pools')
        .values(
          opened.map(({ id }) => ({ account_id: id, key_id: null, balance: credits, capacity: credits, leased: 0 })),
        )
        .returning(['id', 'account_id'])
        .execute();
      const entry = { kind: 'grant' as const, amount: credits, at: now, reference: 'bench' };
      await transaction
        .insertInto('ledger')
        .values(pools.map(({ id, account_id }) => ({ pool_id: id, account_id, ...entry })))
        .execute();
      for (const { id } of opened) {
        const keys = Array.from({ length: keysOfEach }, () => createApiKey());
        texts.push(...keys);
        await transaction
          .insertInto('api_keys')
          .values(
            keys.map((text) => ({
              account_id: id,
              name: 'bench',
              hash: hashApiKey(text),
              prefix: keyPrefix(text),
              state: 'active' as const,
              created_at: now,
            })),
          )
          .execute();
      }
    });
  }
  return texts;
}
