import { createHash, randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { SessionPrincipal } from '../../handlers/caller.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import type { AccountsSchema } from '../../store/accounts-db/schema.ts';

/** Milliseconds that a session lives after its last use, and at most. */
export const SESSION_IDLE_MS = 12 * 3_600_000;
export const SESSION_MAX_MS = 7 * 24 * 3_600_000;
/** Sessions of an account at once; the oldest goes. */
export const MAX_SESSIONS = 10;
const TOKEN_BYTES = 32;
const SWEPT_ROWS = 1_000;
/** 32 bytes in base64url. */
const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** A session as it is stored, with the account it speaks for. Times are Unix milliseconds. */
export interface StoredSession {
  readonly principal: SessionPrincipal;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** True when the text has the shape of a session's token. */
export function isSessionToken(text: string): boolean {
  return TOKEN_SHAPE.test(text);
}

/** Digest that a session is stored and found by. The token itself is kept nowhere. */
export function hashSessionToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Opens a session in a transaction that has locked or made the account. `ended` tells whether older ones went for it. */
export async function insertSession(
  transaction: Transaction<AccountsSchema>,
  accountId: number,
  now: number,
): Promise<{ readonly token: string; readonly ended: boolean }> {
  const kept = await transaction
    .selectFrom('sessions')
    .select('hash')
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('hash')
    .limit(MAX_SESSIONS - 1)
    .execute();
  const { numDeletedRows } = await transaction
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .$if(kept.length > 0, (query) =>
      query.where(
        'hash',
        'not in',
        kept.map(({ hash }) => hash),
      ),
    )
    .executeTakeFirst();
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await transaction
    .insertInto('sessions')
    .values({
      hash: hashSessionToken(token),
      account_id: accountId,
      created_at: now,
      expires_at: now + SESSION_IDLE_MS,
    })
    .execute();
  return { token, ended: numDeletedRows > 0n };
}

/** The session with this hash, unless it has ended. */
export async function findSession(
  db: AccountsDatabase['db'],
  hash: Buffer,
  now: number,
): Promise<StoredSession | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['sessions.created_at', 'sessions.expires_at', 'sessions.account_id', 'wallet', 'state', 'plan'])
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { account_id: accountId, wallet, state: accountState, plan } = row;
  return {
    principal: { hash, accountId, wallet: wallet ?? undefined, accountState, plan },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

/** End of a session that is used now. */
export function extendedEnd({ createdAt }: Pick<StoredSession, 'createdAt'>, now: number): number {
  return Math.min(createdAt + SESSION_MAX_MS, now + SESSION_IDLE_MS);
}

/** Moves the end of a session that is still there. */
export async function moveSessionEnd(db: AccountsDatabase['db'], hash: Uint8Array, expiresAt: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ expires_at: expiresAt })
    .where('hash', '=', Buffer.from(hash))
    .where('expires_at', '<', expiresAt)
    .execute();
}

/** Ends a session; undefined when it has ended already, otherwise whose it was. */
export async function deleteSession(
  transaction: Transaction<AccountsSchema>,
  hash: Uint8Array,
): Promise<number | undefined> {
  const deleted = await transaction
    .deleteFrom('sessions')
    .where('hash', '=', Buffer.from(hash))
    .returning('account_id')
    .executeTakeFirst();
  return deleted?.account_id;
}

/** Forgets sessions that have ended, some rows a step; true when there may be more. */
export async function sweepSessions(db: AccountsDatabase['db'], now: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('hash', 'in', (query) =>
      query.selectFrom('sessions').select('hash').where('expires_at', '<=', now).limit(SWEPT_ROWS),
    )
    .executeTakeFirst();
  return numDeletedRows === BigInt(SWEPT_ROWS);
}
