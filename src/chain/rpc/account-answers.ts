import type { Address } from '../address.ts';
import { parseAddress } from '../keys/base58.ts';
import { MalformedWire } from '../malformed-wire.ts';

/** As a node tells it. */
export interface Account {
  /** The program it belongs to. */
  readonly owner: Address;
  readonly data: Uint8Array;
}

/** Accounts that nodes answer in one call of getMultipleAccounts. */
export const MAX_ACCOUNTS_PER_CALL = 100;

interface AccountsJson {
  readonly context?: { readonly slot?: unknown };
  readonly value?: unknown;
}

/**
 * Reads the result of getMultipleAccounts, in base64: for each of the `expected` accounts that were asked for what it is,
 * undefined where there is none.
 *
 * @throws {MalformedWire} for an answer that is none.
 */
export function readMultipleAccounts(
  result: unknown,
  expected: number,
): { readonly slot: number; readonly accounts: readonly (Account | undefined)[] } {
  const { context, value } = (result ?? {}) as AccountsJson;
  const slot = Number(context?.slot);
  if (!Array.isArray(value) || value.length !== expected || !Number.isSafeInteger(slot)) {
    throw new MalformedWire('getMultipleAccounts answered with something else');
  }
  return { slot, accounts: value.map(readAccount) };
}

function readAccount(json: unknown): Account | undefined {
  if (json === null || json === undefined) return undefined;
  const { owner, data } = json as { readonly owner?: unknown; readonly data?: unknown };
  const program = typeof owner === 'string' ? parseAddress(owner) : undefined;
  const text: unknown = Array.isArray(data) ? data[0] : undefined;
  if (program === undefined || typeof text !== 'string') throw new MalformedWire('an account without owner or data');
  return { owner: program, data: Buffer.from(text, 'base64') };
}
