import { sql, type Transaction } from 'kysely';
import { networkOf } from '../../kernel/ip-address.ts';
import type { Engine } from '../../store/accounts-db/engine.ts';
import type { AccountsSchema } from '../../store/accounts-db/schema.ts';

/** Trials that one network gets in so long a time. */
const TRIALS_PER_NETWORK = 3;
const TRIAL_WINDOW_MS = 30 * 24 * 3_600_000;
/** Sizes of the network that counts as one: as much as one customer of a provider commonly holds. */
const IPV4_BITS = 24;
const IPV6_BITS = 48;
/** First half of the key of our advisory locks in Postgres, so that they meet no others. */
const LOCK_SPACE = 0x6d73_7472;

export interface TrialAsked {
  readonly accountId: number;
  /** A normal address. */
  readonly clientAddress: string;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Takes one of the trials that are left to the network of an address, for a new account; false when there is none. */
export async function takeTrial(
  transaction: Transaction<AccountsSchema>,
  engine: Engine,
  { accountId, clientAddress, now }: TrialAsked,
): Promise<boolean> {
  const network = networkOf(clientAddress, IPV4_BITS, IPV6_BITS);
  await lockNetwork(transaction, engine, network);
  const { taken } = await transaction
    .selectFrom('trials')
    .select((rows) => rows.fn.countAll<number>().as('taken'))
    .where('network', '=', network)
    .where('at', '>', now - TRIAL_WINDOW_MS)
    .executeTakeFirstOrThrow();
  if (taken >= TRIALS_PER_NETWORK) return false;
  await transaction.insertInto('trials').values({ account_id: accountId, network, at: now }).execute();
  return true;
}

/** Lets one transaction at a time count and take: SQLite has one writer anyway, and the caller has written before. */
async function lockNetwork(transaction: Transaction<AccountsSchema>, engine: Engine, network: string): Promise<void> {
  if (engine === 'sqlite') return;
  await sql`SELECT pg_advisory_xact_lock(${LOCK_SPACE}::integer, hashtext(${network}))`.execute(transaction);
}
