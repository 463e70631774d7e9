import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import type { AccountsDatabase } from '../store/accounts-db/accounts-db.ts';
import type { Plans } from './plans.ts';

/** The right that a connection was opened by: its key and, for streams, the token. */
export interface ConnectionRight {
  readonly keyId: number;
  /** SHA-256 of the key that was sent. */
  readonly keyHash: Uint8Array;
  /** The stream whose token was sent, with the digest that the token is found by: see `ServedStream`. */
  readonly stream: { readonly id: number; readonly tokenCode: Uint8Array } | undefined;
}

/** The reason why a connection must end; undefined when it may stay. */
export type Verdict = Exclude<keyof typeof CLOSE_CODES, 'closedByOwner'> | undefined;

export interface RightsDeps {
  readonly db: AccountsDatabase['db'];
  readonly plans: Pick<Plans, 'get'>;
  /** False when nobody is refused for want of credits. */
  readonly enforce: boolean;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Judges by what is stored now whether connections of one account may stay open. Verdicts are in the order of `rights`.
 */
export async function judgeRights(
  deps: RightsDeps,
  accountId: number,
  rights: readonly ConnectionRight[],
): Promise<readonly Verdict[]> {
  const stored = await readStored(deps.db, accountId, rights);
  const { plan, resetAt } = stored;
  // A period that is over is renewed by the next call.
  const isRenewed = resetAt !== undefined && resetAt <= deps.clock.now();
  const isCharged = deps.enforce && !isRenewed && !deps.plans.get(plan).unbounded;
  return rights.map((right) => judgeOne(right, stored, isCharged));
}

type Stored = Awaited<ReturnType<typeof readStored>>;

async function readStored(db: AccountsDatabase['db'], accountId: number, rights: readonly ConnectionRight[]) {
  const account = await db
    .selectFrom('accounts')
    .select(['state', 'plan', 'reset_at'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  const keyIds = [...new Set(rights.map(({ keyId }) => keyId))];
  const keys = await db
    .selectFrom('api_keys')
    .select(['id', 'hash', 'state', 'budget'])
    .where('account_id', '=', accountId)
    .where('id', 'in', keyIds)
    .execute();
  const streamIds = [...new Set(rights.flatMap(({ stream }) => (stream === undefined ? [] : [stream.id])))];
  const streams =
    streamIds.length === 0
      ? []
      : await db
          .selectFrom('streams')
          .select(['id', 'token_code', 'active'])
          .where('account_id', '=', accountId)
          .where('id', 'in', streamIds)
          .execute();
  const pools = await db
    .selectFrom('pools')
    .select(['key_id', 'balance'])
    .where('account_id', '=', accountId)
    .where((row) => row.or([row('key_id', 'is', null), row('key_id', 'in', keyIds)]))
    .execute();
  return {
    state: account?.state,
    plan: account?.plan ?? '',
    resetAt: account?.reset_at ?? undefined,
    keys: new Map(keys.map((key) => [key.id, key])),
    streams: new Map(streams.map((stream) => [stream.id, stream])),
    /** By key; the general pool under undefined. */
    balances: new Map(pools.map(({ key_id, balance }) => [key_id ?? undefined, balance])),
  };
}

function judgeOne({ keyId, keyHash, stream }: ConnectionRight, stored: Stored, isCharged: boolean): Verdict {
  const key = stored.keys.get(keyId);
  // The development key is not stored.
  if (keyId !== DEVELOPMENT_KEY_ID) {
    if (key === undefined || key.state === 'revoked' || !timingSafeEqual(key.hash, keyHash)) return 'keyGone';
    if (key.state === 'suspended') return 'suspended';
  }
  if (stored.state !== 'active') return 'suspended';
  if (stream !== undefined) {
    const found = stored.streams.get(stream.id);
    if (found === undefined || found.active === 0) return 'streamGone';
    if (!timingSafeEqual(found.token_code, stream.tokenCode)) return 'streamGone';
  }
  const pool = key === undefined || key.budget === null ? undefined : keyId;
  if (isCharged && stored.balances.get(pool) === 0) return 'outOfCredits';
  return undefined;
}

/** No stored key has it. */
export const DEVELOPMENT_KEY_ID = 0;

/** Reasons why a connection ends, as close codes of its socket. */
export const CLOSE_CODES = {
  /** Its key was revoked, or rotated: the text that opened it is. */
  keyGone: 4401,
  outOfCredits: 4402,
  /** Its key or its account is not active. */
  suspended: 4403,
  /** Its stream was turned off, deleted, or given another token. */
  streamGone: 4404,
  closedByOwner: 4410,
} as const;
