import type { AccountHolder } from '../../accounts/caller.ts';
import { ApiError } from '../contract/errors.ts';
import type { Call } from './serve-route.ts';

/** The account that a call speaks for, on routes that let only accounts in. */
export function accountOf({ keyHolder, sessionHolder }: Pick<Call, 'keyHolder' | 'sessionHolder'>): AccountHolder {
  const holder = keyHolder ?? sessionHolder;
  if (holder === undefined) throw new ApiError('session_required');
  return holder;
}

/** The wallet that a call speaks for: what is a wallet's own is nobody else's, the operator's neither. */
export function ownerOf(call: Pick<Call, 'keyHolder' | 'sessionHolder'>): string {
  const { wallet } = accountOf(call);
  if (wallet === undefined) throw new ApiError('owner_required');
  return wallet;
}
