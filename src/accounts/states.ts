import type { ErrorCode } from '../contract/errors.ts';
import type { AccountState, KeyState } from '../contract/states.ts';
import type { KeyPrincipal, Principal } from '../handlers/caller.ts';

const KEY_REFUSALS: Readonly<Record<KeyState, ErrorCode | undefined>> = {
  active: undefined,
  suspended: 'api_key_suspended',
  revoked: 'api_key_revoked',
};

const ACCOUNT_REFUSALS: Readonly<Record<AccountState, ErrorCode | undefined>> = {
  active: undefined,
  not_ready: 'account_not_ready',
  suspended: 'account_suspended',
  banned: 'account_banned',
};

/**
 * Returns the error that refuses this principal of a key or a session everywhere; undefined when it is let in. The key
 * comes first: the finder of a revoked key learns nothing of its account.
 */
export function refusalOf(
  principal: Pick<Principal, 'accountState'> & Partial<Pick<KeyPrincipal, 'state'>>,
): ErrorCode | undefined {
  return KEY_REFUSALS[principal.state ?? 'active'] ?? ACCOUNT_REFUSALS[principal.accountState];
}
