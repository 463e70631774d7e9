import type { Address } from '../chain/address.ts';
import { type Account, MAX_ACCOUNTS_PER_CALL, readMultipleAccounts } from '../chain/rpc/account-answers.ts';
import type { RpcClient } from '../sources/json-rpc.ts';

export interface AccountBatch {
  /** Slot at which they were read, the oldest one of several calls. */
  readonly slot: number;
  /** Without those that do not exist. */
  readonly accounts: ReadonlyMap<Address, Account>;
}

/** True when there may be more of an account than was read of it. */
export function isCut({ data }: Pick<Account, 'data'>): boolean {
  return data.length >= MAX_ACCOUNT_BYTES;
}

/** Of an account are read: mints may carry megabytes of extensions, and what is wanted stands at the start. */
const MAX_ACCOUNT_BYTES = 4_096;
const ACCOUNT_OPTIONS = {
  encoding: 'base64',
  commitment: 'confirmed',
  dataSlice: { offset: 0, length: MAX_ACCOUNT_BYTES },
};

/**
 * Accounts by their addresses, a hundred in a call, as they are at slot `since` or behind it, where that is given and the
 * node heeds it.
 * @throws {MalformedWire} for an answer that is none.
 * @throws {RpcError} what the node refuses for good.
 */
export async function readAccounts(
  rpc: Pick<RpcClient, 'call'>,
  addresses: readonly Address[],
  signal: AbortSignal,
  since = 0,
): Promise<AccountBatch> {
  const options = since > 0 ? { ...ACCOUNT_OPTIONS, minContextSlot: since } : ACCOUNT_OPTIONS;
  const accounts = new Map<Address, Account>();
  let slot = Number.MAX_SAFE_INTEGER;
  for (let at = 0; at < addresses.length; at += MAX_ACCOUNTS_PER_CALL) {
    const keys = addresses.slice(at, at + MAX_ACCOUNTS_PER_CALL);
    const result = await rpc.call('getMultipleAccounts', [keys, options], signal);
    const answer = readMultipleAccounts(result, keys.length);
    slot = Math.min(slot, answer.slot);
    keys.forEach((key, place) => {
      const account = answer.accounts[place];
      if (account !== undefined) accounts.set(key, account);
    });
  }
  return { slot, accounts };
}
