import type { Transaction } from 'kysely';
import type { RateLimit } from '../../handlers/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AccountsSchema } from '../../store/accounts-db/schema.ts';
import { type AuditActor, recordAudit } from '../audit.ts';
import { recordChange } from '../changes.ts';
import { createApiKey, hashApiKey } from './api-key.ts';

export interface NewKey {
  readonly accountId: number;
  readonly name: string;
  /** Undefined for what the plan allows. */
  readonly rate?: RateLimit | undefined;
  /** Budget of the pool that the caller opens afterwards: written into the audit. */
  readonly budget?: number | undefined;
  readonly actor: AuditActor;
}

export interface InsertedKey {
  readonly id: number;
  /** The key itself. It is shown this once: only its hash is kept. */
  readonly text: string;
  /** Its first characters. */
  readonly prefix: string;
  readonly createdAt: number;
}

/** `ms_live_` and four more characters. */
const PREFIX_CHARS = 12;

/**
 * Makes a key in the caller's transaction, with its change and its audit entry.
 * The caller has locked or just made the account, holds its limit of keys, and tells
 * its process of the change when the transaction is through.
 */
export async function insertKey(
  transaction: Transaction<AccountsSchema>,
  { accountId, name, rate, budget, actor }: NewKey,
  clock: Pick<Clock, 'now'>,
): Promise<InsertedKey> {
  const text = createApiKey();
  const prefix = keyPrefix(text);
  const createdAt = clock.now();
  const { id } = await transaction
    .insertInto('api_keys')
    .values({
      account_id: accountId,
      name,
      hash: hashApiKey(text),
      prefix,
      state: 'active',
      created_at: createdAt,
      rps: rate?.rps ?? null,
      burst: rate?.burst ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordChange(transaction, { kind: 'key', accountId, keyId: id }, clock);
  const details = { name, ...(budget === undefined ? {} : { budget }), ...rate };
  await recordAudit(transaction, { actor, action: 'key.create', accountId, keyId: id, details }, clock);
  return { id, text, prefix, createdAt };
}

/** Beginning of a key, kept readable to tell keys apart. */
export function keyPrefix(text: string): string {
  return text.slice(0, PREFIX_CHARS);
}
