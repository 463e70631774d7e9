import { ApiError } from '../contract/errors.ts';
import type { AccountState, KeyState } from '../contract/states.ts';

/** Requests a second, and how many at once after a pause. */
export interface RateLimit {
  readonly rps: number;
  readonly burst: number;
}

/** An account, as far as a request must know it. */
export interface Principal {
  readonly accountId: number;
  /** Base58; undefined for the operator's own account. */
  readonly wallet: string | undefined;
  readonly accountState: AccountState;
  /** A name in plans.json. */
  readonly plan: string;
}

/** A key, and the account that it speaks for. */
export interface KeyPrincipal extends Principal {
  readonly id: number;
  readonly name: string;
  readonly state: KeyState;
  readonly rate: RateLimit;
  /** The pool that its calls are paid from: its own when it has a budget, otherwise the account's general one. */
  readonly poolId: number;
}

/** A session, and the account that has signed in with a wallet. */
export interface SessionPrincipal extends Principal {
  /** Names the session without being its secret. */
  readonly hash: Uint8Array;
}

/** The caller of a route. */
export interface Caller {
  /** The principal of the key that was sent; undefined without one. */
  readonly keyPrincipal: KeyPrincipal | undefined;
  /** The principal of the session; undefined with a key, and for strangers. */
  readonly sessionPrincipal: SessionPrincipal | undefined;
}

/** The account that a call speaks for, on routes that let only accounts in. */
export function accountOf({ keyPrincipal, sessionPrincipal }: Caller): Principal {
  const principal = keyPrincipal ?? sessionPrincipal;
  if (principal === undefined) throw new ApiError('session_required');
  return principal;
}

/** The wallet that a call speaks for: what is a wallet's own is nobody else's, the operator's neither. */
export function ownerOf(call: Caller): string {
  const { wallet } = accountOf(call);
  if (wallet === undefined) throw new ApiError('owner_required');
  return wallet;
}
