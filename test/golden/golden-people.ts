import { createHash } from 'node:crypto';
import { createApiKey, hashApiKey } from '../../src/accounts/keys/api-key.ts';
import { createSessionCookies } from '../../src/accounts/sessions/session-cookies.ts';
import { insertSession } from '../../src/accounts/sessions/session-store.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import type { AccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';
import { createWallet, type TestWallet } from '../support/wallets.ts';

/** Somebody who asks, with an account, a key, a session and an address of their own: nobody's limits and credits are another's. */
export interface Person {
  readonly wallet: TestWallet;
  readonly key: string;
  readonly accountId: number;
  readonly keyId: number;
  readonly poolId: number;
  /** A Cookie header. */
  readonly cookie: string;
  /** Address that they ask from. */
  readonly address: string;
}

const CREDITS = 1_000_000;
/** Its limits let one ask what a route is asked. */
const PLAN = 'pro';
const cookies = createSessionCookies({ isHttps: true });

/** Makes a person, of whom all but the session follows from the name. Names of accounts and keys are theirs whoever else there is. */
export async function createPerson({ db }: Pick<AccountsDatabase, 'db'>, clock: Clock, name: string): Promise<Person> {
  const secret = secretOf(name);
  const wallet = createWallet(secret);
  const id = 1_000 + (secret.readUInt32BE(0) % 1_000_000_000);
  const key = createApiKey(secret);
  return db.transaction().execute(async (transaction) => {
    const at = clock.now();
    const account = {
      id,
      wallet: wallet.address,
      state: 'active' as const,
      plan: PLAN,
      created_at: at,
      reset_at: null,
    };
    await transaction.insertInto('accounts').values(account).execute();
    await transaction
      .insertInto('api_keys')
      .values({
        id,
        account_id: id,
        name: 'first',
        hash: hashApiKey(key),
        prefix: key.slice(0, 12),
        state: 'active',
        created_at: at,
      })
      .execute();
    const pool = { account_id: id, key_id: null, balance: CREDITS, capacity: CREDITS, leased: 0 };
    const { id: poolId } = await transaction.insertInto('pools').values(pool).returning('id').executeTakeFirstOrThrow();
    const { token } = await insertSession(transaction, id, at);
    const cookie = cookies.session(token, 60_000);
    return {
      wallet,
      key,
      accountId: id,
      keyId: id,
      poolId,
      cookie: cookie.slice(0, cookie.indexOf(';')),
      address: addressOf(secret),
    };
  });
}

/** 32 bytes that follow from a name. */
export function secretOf(name: string): Buffer {
  return createHash('sha256').update(name).digest();
}

function addressOf(secret: Buffer): string {
  return `10.${secret[4]}.${secret[5]}.${secret[6]}`;
}
