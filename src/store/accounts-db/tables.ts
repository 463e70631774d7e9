import type { AccountsSchema } from './schema.ts';

export interface TableLayout<Row> {
  /** Columns of the primary key. */
  readonly key: readonly (keyof Row & string)[];
  /** True when its `id` counts up and is never given out again. */
  readonly counts?: true;
  /** The reason why a copy goes without its rows. */
  readonly leftOut?: string;
}

/** Every table, so that whoever adds one says how it is copied. */
export const TABLES: { readonly [T in keyof AccountsSchema]: TableLayout<AccountsSchema[T]> } = {
  accounts: { key: ['id'], counts: true },
  api_keys: { key: ['id'], counts: true },
  retired_keys: { key: ['hash'] },
  pools: { key: ['id'], counts: true },
  leases: { key: ['id'], leftOut: 'of processes that do not use the copy' },
  meters: { key: ['id'], leftOut: 'the same' },
  ledger: { key: ['id'], counts: true },
  usage: { key: ['account_id', 'hour', 'key_id', 'route'] },
  trials: { key: ['account_id'] },
  nonces: { key: ['nonce'], leftOut: 'over in minutes' },
  sessions: {
    key: ['hash'],
    leftOut: 'those that ended meanwhile would come back: whoever was signed in does it again',
  },
  wallet_groups: { key: ['owner', 'id'] },
  wallet_group_members: { key: ['owner', 'group_id', 'wallet'] },
  wallet_favorites: { key: ['owner', 'wallet'] },
  streams: { key: ['id'], counts: true },
  changes: { key: ['id'], counts: true, leftOut: 'for processes that are running' },
  audit: { key: ['id'], counts: true },
  settings: { key: ['name'] },
  migrations: { key: ['version'], leftOut: 'of the target itself' },
};
