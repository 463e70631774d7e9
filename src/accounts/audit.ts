import type { Transaction } from 'kysely';
import type { Clock } from '../kernel/clock.ts';
import type { AccountsDatabase } from '../store/accounts-db/accounts-db.ts';
import type { AccountsSchema } from '../store/accounts-db/schema.ts';

/** The actor of a change: the service's operator, somebody signed in, the sender of a key, or the service by itself. */
export type AuditActor = 'operator' | 'session' | 'key' | 'service';

/** One change of an account, as it is remembered. Never put a key, a token or a signature in it. */
export interface AuditEntry {
  readonly actor: AuditActor;
  /** `key.create`, `account.state`. */
  readonly action: string;
  readonly accountId: number;
  /** The key that was changed, or the one that acted. */
  readonly keyId?: number | undefined;
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}

/** An entry as the operator reads it. */
export interface AuditRow {
  readonly id: number;
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly account_id: number;
  readonly key_id?: number;
  readonly details: unknown;
}

/** Writes down who changed what, in the transaction that changes it. */
export async function recordAudit(
  transaction: Transaction<AccountsSchema>,
  { actor, action, accountId, keyId, details = {} }: AuditEntry,
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  await transaction
    .insertInto('audit')
    .values({
      at: clock.now(),
      actor,
      action,
      account_id: accountId,
      key_id: keyId ?? null,
      details: JSON.stringify(details),
    })
    .execute();
}

/** Changes of an account, newest first, of entries before `before`. */
export async function listAudit(
  db: AccountsDatabase['db'],
  accountId: number,
  { limit, before = Number.MAX_SAFE_INTEGER }: { readonly limit: number; readonly before?: number | undefined },
): Promise<readonly AuditRow[]> {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ at, key_id: keyId, details, ...row }) => ({
    ...row,
    at: new Date(at).toISOString(),
    ...(keyId === null ? {} : { key_id: keyId }),
    details: JSON.parse(details) as unknown,
  }));
}

/** Milliseconds that entries are kept: a year and a month. */
const KEPT_MS = 400 * 86_400_000;
const SWEPT_ROWS = 1_000;

/** Forgets old entries, some rows a step; true when there may be more. Entries are in the order of their ids. */
export async function sweepAudit(db: AccountsDatabase['db'], clock: Pick<Clock, 'now'>): Promise<boolean> {
  const oldest = await db.selectFrom('audit').select(['id', 'at']).orderBy('id').limit(SWEPT_ROWS).execute();
  const old = oldest.filter(({ at }) => at < clock.now() - KEPT_MS).map(({ id }) => id);
  if (old.length > 0) await db.deleteFrom('audit').where('id', 'in', old).execute();
  return old.length === SWEPT_ROWS;
}
