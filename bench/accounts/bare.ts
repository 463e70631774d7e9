import { createHash, randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { AccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';
import type { AccountsSchema } from '../../src/store/accounts-db/schema.ts';
import type { AccountWork } from './service.ts';

const STATE = 'active';
const CREDITS = 200_000;
const hashOf = (text: string) => createHash('sha256').update(text).digest();

/** The rows that the service leaves behind, written by the same driver, and nothing looked at, checked, counted or locked. */
export function openBare({ db }: AccountsDatabase): AccountWork {
  return {
    async signIn({ address, clientAddress }) {
      const nonce = randomBytes(16).toString('hex');
      await db.insertInto('nonces').values({ nonce, wallet: address, expires_at: Date.now() }).execute();
      await db.deleteFrom('nonces').where('nonce', '=', nonce).execute();
      return db.transaction().execute((transaction) => insertAccount(transaction, address, clientAddress));
    },
    createKey: (accountId) => db.transaction().execute((transaction) => insertKey(transaction, accountId)),
    async findKey(key) {
      const found = db.selectFrom('api_keys').select(['id', 'account_id']).where('hash', '=', hashOf(key));
      await found.executeTakeFirstOrThrow();
    },
    async balance(accountId) {
      const pool = db
        .selectFrom('pools')
        .select('balance')
        .where('account_id', '=', accountId)
        .where('key_id', 'is', null);
      await pool.executeTakeFirstOrThrow();
    },
    async close() {},
  };
}

async function insertAccount(
  db: Transaction<AccountsSchema>,
  wallet: string,
  network: string,
): Promise<{ readonly accountId: number; readonly firstKey: string }> {
  const at = Date.now();
  const account = { wallet, state: STATE, plan: 'trial', created_at: at, reset_at: null } as const;
  const { id } = await db.insertInto('accounts').values(account).returning('id').executeTakeFirstOrThrow();
  const pool = { account_id: id, key_id: null, balance: CREDITS, capacity: CREDITS, leased: 0 };
  const made = await db.insertInto('pools').values(pool).returning('id').executeTakeFirstOrThrow();
  const entry = { pool_id: made.id, account_id: id, kind: 'trial', amount: CREDITS, at, reference: 'trial' } as const;
  await db.insertInto('ledger').values(entry).execute();
  await db.insertInto('trials').values({ account_id: id, network, at }).execute();
  await note(db, id, 'account.create');
  const firstKey = await insertKey(db, id);
  const session = { hash: randomBytes(32), account_id: id, created_at: at, expires_at: at };
  await db.insertInto('sessions').values(session).execute();
  await note(db, id, 'session.open');
  return { accountId: id, firstKey };
}

async function insertKey(db: Transaction<AccountsSchema>, accountId: number): Promise<string> {
  const text = randomBytes(24).toString('base64url');
  const key = {
    account_id: accountId,
    name: 'bench',
    hash: hashOf(text),
    prefix: text.slice(0, 12),
    state: STATE,
  } as const;
  await db
    .insertInto('api_keys')
    .values({ ...key, created_at: Date.now() })
    .execute();
  await db
    .insertInto('changes')
    .values({ at: Date.now(), kind: 'key', account_id: accountId, key_id: null, stream_id: null })
    .execute();
  await note(db, accountId, 'key.create');
  return text;
}

async function note(db: Transaction<AccountsSchema>, accountId: number, action: string): Promise<void> {
  const entry = { at: Date.now(), actor: 'session', action, account_id: accountId, key_id: null, details: '{}' };
  await db.insertInto('audit').values(entry).execute();
}
