import type { Transaction } from 'kysely';
import { ApiError, type ErrorCode } from '../../contract/errors.ts';
import type { AccountsSchema } from '../../store/accounts-db/schema.ts';
import type { StreamKind } from './contract-shapes.ts';
import { resolveGroup } from './group-members.ts';

/** Settings that decide which wallets a stream carries. */
export interface StreamLists {
  readonly kinds: readonly StreamKind[];
  /** Ids of groups; empty for none. */
  readonly walletListId: string;
  readonly devListId: string;
  readonly active: boolean;
}

export interface ResolvedLists {
  readonly wallets: readonly string[];
  readonly devs: readonly string[];
}

/** The lists that a stream had before. */
interface FormerLists {
  readonly wallet_list_id: string;
  readonly dev_list_id: string;
}

/**
 * Reads the lists of a stream. A list that is not the owner's is answered like one that
 * does not exist. A stream that is off may keep a list that is gone, and holds nothing of it:
 * whoever wants it silent need not repair it first.
 * @throws {ApiError} wallet_list_required, group_not_found, dev_list_invalid
 */
export async function resolveLists(
  transaction: Transaction<AccountsSchema>,
  owner: string,
  { kinds, walletListId, devListId, active }: StreamLists,
  before: FormerLists | undefined,
): Promise<ResolvedLists> {
  if (kinds.includes('swaps') && walletListId === '') {
    throw new ApiError('wallet_list_required', { param: 'wallet_list_id' });
  }
  async function resolve(id: string, former: string | undefined, code: ErrorCode, param: string) {
    if (id === '') return [];
    const wallets = await resolveGroup(transaction, owner, id);
    if (wallets === undefined && (active || id !== former)) {
      throw new ApiError(code, { param, message: `${param} is none of your wallet groups` });
    }
    return wallets ?? [];
  }
  return {
    wallets: await resolve(walletListId, before?.wallet_list_id, 'group_not_found', 'wallet_list_id'),
    devs: await resolve(devListId, before?.dev_list_id, 'dev_list_invalid', 'dev_list_id'),
  };
}
