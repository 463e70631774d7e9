import type { AccountState, KeyState } from '../store/accounts-db/schema.ts';

/** Requests a second, and how many at once after a pause. */
export interface RateLimit {
  readonly rps: number;
  readonly burst: number;
}

/** An account, as far as a request must know it. */
export interface AccountHolder {
  readonly accountId: number;
  /** Base58; undefined for the operator's own account. */
  readonly wallet: string | undefined;
  readonly accountState: AccountState;
  /** A name in plans.json. */
  readonly plan: string;
}

/** Who a key speaks for. */
export interface KeyHolder extends AccountHolder {
  readonly id: number;
  readonly name: string;
  readonly state: KeyState;
  readonly rate: RateLimit;
  /** The pool that its calls are paid from: its own when it has a budget, otherwise the account's general one. */
  readonly poolId: number;
}

/** Who has signed in with a wallet. */
export interface SessionHolder extends AccountHolder {
  /** Names the session without being its secret. */
  readonly hash: Uint8Array;
}
