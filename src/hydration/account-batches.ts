import type { Address } from '../chain/address.ts';
import { parseAddress } from '../chain/keys/base58.ts';
import { MalformedWire } from '../chain/malformed-wire.ts';
import type { RpcClient } from '../sources/json-rpc.ts';

/** As a node tells it. */
export interface Account {
  /** The program it belongs to. */
  readonly owner: Address;
  readonly data: Uint8Array;
}

export interface AccountBatch {
  /** Slot at which they were read, the oldest one of several calls. */
  readonly slot: number;
  /** Without those that do not exist. */
  readonly accounts: ReadonlyMap<Address, Account>;
}

/** Accounts that nodes answer in one call of getMultipleAccounts. */
export const MAX_ACCOUNTS_PER_CALL = 100;
/** Of an account are read: mints may carry megabytes of extensions, and what is wanted stands at the start. */
const MAX_ACCOUNT_BYTES = 4_096;
const ACCOUNT_OPTIONS = {
  encoding: 'base64',
  commitment: 'confirmed',
  dataSlice: { offset: 0, length: MAX_ACCOUNT_BYTES },
};

/**
 * Accounts by their addresses, a hundred in a call.
 * @throws {MalformedWire} for an answer that is none.
 * @throws {RpcError} what the node refuses for good.
 */
export async function readAccounts(
  rpc: Pick<RpcClient, 'call'>,
  addresses: readonly Address[],
  signal: AbortSignal,
): Promise<AccountBatch> {
  const accounts = new Map<Address, Account>();
  let slot = Number.MAX_SAFE_INTEGER;
  for (let at = 0; at < addresses.length; at += MAX_ACCOUNTS_PER_CALL) {
    const keys = addresses.slice(at, at + MAX_ACCOUNTS_PER_CALL);
    const answer = readAnswer(await rpc.call('getMultipleAccounts', [keys, ACCOUNT_OPTIONS], signal), keys.length);
    slot = Math.min(slot, answer.slot);
    keys.forEach((key, place) => {
      const account = readAccount(answer.value[place]);
      if (account !== undefined) accounts.set(key, account);
    });
  }
  return { slot, accounts };
}

interface AccountsJson {
  readonly context?: { readonly slot?: unknown };
  readonly value?: unknown;
}

function readAnswer(result: unknown, expected: number): { slot: number; value: readonly unknown[] } {
  const { context, value } = (result ?? {}) as AccountsJson;
  const slot = Number(context?.slot);
  if (!Array.isArray(value) || value.length !== expected || !Number.isSafeInteger(slot)) {
    throw new MalformedWire('getMultipleAccounts answered with something else');
  }
  return { slot, value };
}

function readAccount(json: unknown): Account | undefined {
  if (json === null || json === undefined) return undefined;
  const { owner, data } = json as { readonly owner?: unknown; readonly data?: unknown };
  const program = typeof owner === 'string' ? parseAddress(owner) : undefined;
  const text: unknown = Array.isArray(data) ? data[0] : undefined;
  if (program === undefined || typeof text !== 'string') throw new MalformedWire('an account without owner or data');
  return { owner: program, data: Buffer.from(text, 'base64') };
}
