import { ACCOUNT_STATES, KEY_STATES } from '../../contract/states.ts';
import type { RateLimit } from '../../handlers/caller.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import type { Plans } from '../plans.ts';
import type { StoredKey } from './key-directory.ts';

/** Reads the key with this SHA-256, or the one that had it before it was rotated, which is revoked for whoever still sends it. */
export async function findStoredKey(
  db: AccountsDatabase['db'],
  plans: Pick<Plans, 'get'>,
  hash: Buffer,
): Promise<StoredKey | undefined> {
  const current = await keyQuery(db).where('api_keys.hash', '=', hash).executeTakeFirst();
  if (current !== undefined) return toStored(current, plans, current.hash);
  const retired = await keyQuery(db)
    .innerJoin('retired_keys', 'retired_keys.key_id', 'api_keys.id')
    .select('retired_keys.hash as retiredHash')
    .where('retired_keys.hash', '=', hash)
    .executeTakeFirst();
  if (retired === undefined) return undefined;
  return toStored({ ...retired, state: 'revoked' }, plans, retired.retiredHash);
}

/** The rate of a key: its own, as far as the plan allows it. */
export function rateOf(
  { rps, burst }: { readonly rps: number | null; readonly burst: number | null },
  plan: RateLimit,
): RateLimit {
  if (rps === null && burst === null) return plan;
  return { rps: Math.min(rps ?? plan.rps, plan.rps), burst: Math.min(burst ?? plan.burst, plan.burst) };
}

type KeyRow = NonNullable<Awaited<ReturnType<ReturnType<typeof keyQuery>['executeTakeFirst']>>>;

function keyQuery(db: AccountsDatabase['db']) {
  return db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .leftJoin('pools as own', 'own.key_id', 'api_keys.id')
    .leftJoin('pools as general', (join) =>
      join.onRef('general.account_id', '=', 'api_keys.account_id').on('general.key_id', 'is', null),
    )
    .select(['api_keys.id', 'api_keys.name', 'api_keys.hash', 'api_keys.state', 'api_keys.budget'])
    .select(['api_keys.rps', 'api_keys.burst', 'api_keys.last_used_at', 'api_keys.account_id'])
    .select(['accounts.wallet', 'accounts.plan', 'accounts.state as accountState'])
    .select(['own.id as ownPool', 'general.id as generalPool']);
}

function toStored(row: KeyRow, plans: Pick<Plans, 'get'>, hash: Uint8Array): StoredKey {
  const { id, name, account_id: accountId } = row;
  const plan = plans.get(row.plan);
  const poolId = (row.budget === null ? null : row.ownPool) ?? row.generalPool ?? NO_POOL;
  return {
    hash,
    lastUsedAt: row.last_used_at ?? undefined,
    principal: {
      id,
      name,
      state: oneText(KEY_STATES, row.state),
      accountId,
      wallet: row.wallet ?? undefined,
      accountState: oneText(ACCOUNT_STATES, row.accountState),
      // Of a plan that is gone the name that the account has.
      plan: oneText([plan.name], row.plan),
      rate: rateOf(row, plan.rate),
      poolId,
    },
  };
}

/**
 * The text as the list has it. A row's own is a copy of its key's alone, which every request would look into: one
 * text for all keys is told from another by where it lies.
 */
function oneText<T extends string>(texts: readonly T[], text: T): T {
  return texts.find((known) => known === text) ?? text;
}

/** Of an account that credits were never given to: nothing can be paid from it. */
const NO_POOL = 0;
