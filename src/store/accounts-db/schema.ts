import type { Generated } from 'kysely';

/** Tables of the accounts database. */
export interface AccountsSchema {
  readonly api_keys: {
    readonly id: Generated<number>;
    readonly name: string;
    /** SHA-256 of the key, 32 bytes. The key itself is not kept. */
    readonly hash: Uint8Array;
    /** The key's first characters, to tell keys apart in a list. */
    readonly prefix: string;
    readonly state: KeyState;
    /** Unix milliseconds. */
    readonly created_at: number;
  };
  readonly migrations: {
    readonly version: number;
    /** Unix milliseconds. */
    readonly applied_at: number;
  };
}

export type KeyState = 'active' | 'revoked';
