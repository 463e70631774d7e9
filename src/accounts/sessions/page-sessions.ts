import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import { PAGE_SECRET_SETTING, settingPlace } from '../../store/accounts-db/secret-places.ts';
import { assertKeyInUse } from '../../store/accounts-db/secrets.ts';

/** Sessions of the pages of the web application: nobody has signed in, and nothing of them is stored. */
export interface PageSessions {
  open(clientAddress: string): { readonly token: string; readonly expiresAt: number };
  /** True when the token was opened from this address, and not too long ago. */
  isOpen(token: string, clientAddress: string): boolean;
}

export const PAGE_SESSION_MS = 12 * 3_600_000;
const SECRET_PLACE = settingPlace(PAGE_SECRET_SETTING);
const SECRET_BYTES = 32;
/** Beginning of the signed text, before address and end: no code that signs anything else passes for a session's. */
const PURPOSE = 'page session';
/** End in Unix milliseconds, a dot, 32 bytes in base64url. */
const TOKEN_SHAPE = /^(\d{13})\.([A-Za-z0-9_-]{43})$/;

/** The secret that all processes on a database share; the first that asks makes it. Throws AccountsError `secret_unreadable`, `secrets_key_wrong`. */
export async function readPageSecret({
  db,
  engine,
  secrets,
}: Pick<AccountsDatabase, 'db' | 'engine' | 'secrets'>): Promise<Buffer> {
  const box = await secrets();
  const made = randomBytes(SECRET_BYTES).toString('base64url');
  const value = box.seal(made, SECRET_PLACE).toString('base64url');
  const kept = await db.transaction().execute(async (transaction) => {
    // Secrets may be renewed meanwhile: nothing is sealed with the key of before.
    await assertKeyInUse(transaction, engine, box);
    await transaction
      .insertInto('settings')
      .values({ name: PAGE_SECRET_SETTING, value })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return transaction
      .selectFrom('settings')
      .select('value')
      .where('name', '=', PAGE_SECRET_SETTING)
      .executeTakeFirstOrThrow();
  });
  return Buffer.from(box.open(Buffer.from(kept.value, 'base64url'), SECRET_PLACE), 'base64url');
}

export function createPageSessions(secret: Buffer, clock: Pick<Clock, 'now'>): PageSessions {
  function codeOf(clientAddress: string, end: string): Buffer {
    return createHmac('sha256', secret).update(`${PURPOSE}\n${clientAddress}\n${end}`).digest();
  }

  return {
    open(clientAddress) {
      const expiresAt = clock.now() + PAGE_SESSION_MS;
      const end = String(expiresAt);
      return { token: `${end}.${codeOf(clientAddress, end).toString('base64url')}`, expiresAt };
    },
    isOpen(token, clientAddress) {
      const [, end = '', code = ''] = TOKEN_SHAPE.exec(token) ?? [];
      if (end === '' || Number(end) <= clock.now()) return false;
      return timingSafeEqual(Buffer.from(code, 'base64url'), codeOf(clientAddress, end));
    },
  };
}
