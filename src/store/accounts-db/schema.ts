import type { Generated } from 'kysely';
import type { AccountState, KeyState } from '../../contract/states.ts';

/**
 * Tables of the accounts database, the same in both engines. Times are Unix
 * milliseconds, credits whole numbers, switches 0 or 1, lists JSON in text.
 */
export interface AccountsSchema {
  readonly accounts: AccountsTable;
  readonly api_keys: ApiKeysTable;
  readonly retired_keys: RetiredKeysTable;
  readonly pools: PoolsTable;
  readonly leases: LeasesTable;
  readonly meters: MetersTable;
  readonly ledger: LedgerTable;
  readonly usage: UsageTable;
  readonly trials: TrialsTable;
  readonly nonces: NoncesTable;
  readonly sessions: SessionsTable;
  readonly wallet_groups: WalletGroupsTable;
  readonly wallet_group_members: WalletGroupMembersTable;
  readonly wallet_favorites: WalletFavoritesTable;
  readonly streams: StreamsTable;
  readonly changes: ChangesTable;
  readonly audit: AuditTable;
  readonly settings: SettingsTable;
  readonly migrations: MigrationsTable;
}

export interface AccountsTable {
  readonly id: Generated<number>;
  /** Base58; null for the operator's own account, which nobody signs in to. */
  readonly wallet: string | null;
  readonly state: AccountState;
  /** A name in plans.json. */
  readonly plan: string;
  readonly created_at: number;
  /** Next renewal; null when the plan does not renew. */
  readonly reset_at: number | null;
  /** Start of the plan's first period: renewals come at its day and time of the month. Null while nothing renews. */
  readonly anchor_at: Generated<number | null>;
}

export interface ApiKeysTable {
  readonly id: Generated<number>;
  readonly account_id: number;
  readonly name: string;
  /** SHA-256 of the key, 32 bytes. The key itself is not kept. */
  readonly hash: Uint8Array;
  /** The key's first characters, to tell keys apart in a list. */
  readonly prefix: string;
  readonly state: KeyState;
  readonly created_at: number;
  /** To about a minute; null before the first call. */
  readonly last_used_at: Generated<number | null>;
  /** Credits a month of a pool of its own; null for the general one. */
  readonly budget: Generated<number | null>;
  /** Requests a second, and at once; null for what the plan allows. */
  readonly rps: Generated<number | null>;
  readonly burst: Generated<number | null>;
  /** Suspender of the key, who alone may let it in again: the operator's suspension is not its owner's to end. */
  readonly suspended_by: Generated<'operator' | 'session' | null>;
}

/** Texts that a key had before it was rotated, so that they are told from keys that never were. */
export interface RetiredKeysTable {
  /** SHA-256, 32 bytes. */
  readonly hash: Uint8Array;
  readonly key_id: number;
  readonly retired_at: number;
}

/** Pools of credits. An account has a general pool, and one more for each key with a budget. */
export interface PoolsTable {
  readonly id: Generated<number>;
  readonly account_id: number;
  /** Null for the general pool. */
  readonly key_id: number | null;
  /** Never negative, and always the sum of the pool's ledger entries. */
  readonly balance: number;
  /** The balance and what was used of it since it was last filled: what `pct_used` is a share of. */
  readonly capacity: number;
  /** Part of the balance that is leased to processes: the sum of what remains of its leases. Never more than the balance. */
  readonly leased: number;
}

/**
 * Credits of a pool that one process may debit in memory until the lease ends. The row is the
 * fence: whoever takes a lease back deletes it, and nothing is debited from a lease that is not there.
 */
export interface LeasesTable {
  readonly id: string;
  readonly pool_id: number;
  /** The process that holds it. */
  readonly holder: string;
  /** Credits that may still be debited from it. */
  readonly remaining: number;
  readonly expires_at: number;
}

/** Processes that debit credits. */
export interface MetersTable {
  readonly id: string;
  /** Number of the last batch of debits that it wrote: one that comes again changes nothing. */
  readonly batch: number;
  readonly seen_at: number;
}

export type LedgerKind = 'trial' | 'renewal' | 'expiry' | 'grant' | 'correction' | 'calls' | 'budget' | 'budget_return';

/** Every change of a balance. Debits of calls are summed by day. */
export interface LedgerTable {
  readonly id: Generated<number>;
  readonly pool_id: number;
  readonly account_id: number;
  readonly kind: LedgerKind;
  /** Signed: what the pool gained. */
  readonly amount: number;
  readonly at: number;
  /** The name that makes the entry one of a kind: a day, `trial`, a period's end. Unique in its pool and kind. */
  readonly reference: string;
}

/** Calls and credits by key, route and hour. */
export interface UsageTable {
  readonly account_id: number;
  readonly key_id: number;
  /** `GET /tokens/{mint}`. */
  readonly route: string;
  /** Start of the hour. */
  readonly hour: number;
  readonly calls: number;
  readonly credits: number;
}

/** Trials that were given to a network. */
export interface TrialsTable {
  readonly account_id: number;
  /** `203.0.113.0/24`, `2001:db8:1::/48`. */
  readonly network: string;
  readonly at: number;
}

/** Sign-in messages that wait for a signature; gone once one was tried. */
export interface NoncesTable {
  readonly nonce: string;
  readonly wallet: string;
  readonly expires_at: number;
}

export interface SessionsTable {
  /** SHA-256 of the cookie's token, 32 bytes. */
  readonly hash: Uint8Array;
  readonly account_id: number;
  readonly created_at: number;
  /** Moves on with use, 12 hours ahead, at most 7 days from the start. */
  readonly expires_at: number;
}

export interface WalletGroupsTable {
  /** The wallet that the group belongs to. */
  readonly owner: string;
  /** Unique for its owner. */
  readonly id: string;
  readonly name: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface WalletGroupMembersTable {
  readonly owner: string;
  readonly group_id: string;
  readonly wallet: string;
  readonly note: string | null;
  readonly added_at: number;
}

export interface WalletFavoritesTable {
  readonly owner: string;
  readonly wallet: string;
  readonly alias: string | null;
  readonly added_at: number;
}

export interface StreamsTable {
  readonly id: Generated<number>;
  readonly account_id: number;
  readonly owner: string;
  /**
   * The token that a socket connects with, beside a key. Shown to its owner whenever asked, so it is sealed and not
   * hashed: `secret-box.ts`.
   */
  readonly token_sealed: Uint8Array;
  /** Code that the token is found by, 32 bytes, of no use without the key. */
  readonly token_code: Uint8Array;
  readonly name: string;
  readonly active: number;
  /** JSON list of kinds. */
  readonly kinds: string;
  readonly wallet_list_id: string;
  /** Empty when unset. */
  readonly dev_list_id: string;
  /** JSON lists of wallets, as of the last time the lists were resolved. */
  readonly wallets: string;
  readonly devs: string;
  /** Lamports, digits. */
  readonly min_sol: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Changes that the other processes, and whoever holds connections open, must learn within a second. */
export interface ChangesTable {
  readonly id: Generated<number>;
  readonly at: number;
  readonly kind: 'account' | 'key' | 'credits' | 'session' | 'stream';
  readonly account_id: number;
  readonly key_id: number | null;
  readonly stream_id: number | null;
}

/** Changes of an account, and who made them. Never holds a secret. */
export interface AuditTable {
  readonly id: Generated<number>;
  readonly at: number;
  /** `operator`, `session`, `key` or `service`. */
  readonly actor: string;
  /** `key.create`, `account.state`. */
  readonly action: string;
  readonly account_id: number;
  /** The key that was changed, or of the actor `key` the one that acted. */
  readonly key_id: number | null;
  /** JSON. */
  readonly details: string;
}

/** Values that all processes on the database share: `secret-places.ts` has the names. */
export interface SettingsTable {
  readonly name: string;
  /** Of a secret: sealed, in base64url. */
  readonly value: string;
}

export interface MigrationsTable {
  readonly version: number;
  readonly applied_at: number;
}
