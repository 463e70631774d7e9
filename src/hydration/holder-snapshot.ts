import type { Address } from '../chain/address.ts';
import { encodeAddress } from '../chain/keys/base58.ts';
import { MalformedWire } from '../chain/malformed-wire.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../chain/well-known.ts';
import type { RpcClient } from '../sources/json-rpc.ts';

/** Every balance of a mint at one confirmed slot. */
export interface TokenHoldings {
  readonly slot: number;
  /** Raw units by owner, over all accounts of each, empty ones left out. */
  readonly balances: ReadonlyMap<Address, bigint>;
}

/** More accounts than that are not read: a look at them holds up everybody else on this thread. */
export const MAX_HOLDER_ACCOUNTS = 25_000;

/** Of a token account: the mint, its owner, the amount. Extensions of Token-2022 come behind. */
const MINT_OFFSET = 0;
const OWNER_OFFSET = 32;
const ADDRESS_BYTES = 32;
const AMOUNT_BYTES = 8;
const SLICE = { offset: OWNER_OFFSET, length: ADDRESS_BYTES + AMOUNT_BYTES };
/** All token accounts of the first program are as long as this; those of Token-2022 are at least. */
const TOKEN_ACCOUNT_BYTES = 165;

/** The mint has more accounts than are read. */
export class TooManyHolders extends Error {
  override readonly name = 'TooManyHolders';
}

/**
 * All token accounts of a mint, by owner, in one call.
 * @throws {MalformedWire} for an answer that is none.
 * @throws {TooManyHolders} for more accounts than are read.
 * @throws {RpcError} what the node refuses for good.
 */
export async function readHoldings(
  rpc: Pick<RpcClient, 'call'>,
  mint: Address,
  tokenProgram: Address,
  signal: AbortSignal,
): Promise<TokenHoldings> {
  const ofMint = { memcmp: { offset: MINT_OFFSET, bytes: mint } };
  // A mint account of Token-2022 begins with other bytes than an address: the filter lets accounts through alone.
  const filters = tokenProgram === TOKEN_PROGRAM ? [{ dataSize: TOKEN_ACCOUNT_BYTES }, ofMint] : [ofMint];
  const options = { encoding: 'base64', commitment: 'confirmed', withContext: true, dataSlice: SLICE, filters };
  const { slot, accounts } = readAnswer(await rpc.call('getProgramAccounts', [tokenProgram, options], signal));
  if (accounts.length > MAX_HOLDER_ACCOUNTS) throw new TooManyHolders(`${accounts.length} accounts of ${mint}`);
  const balances = new Map<Address, bigint>();
  for (const account of accounts) {
    const { owner, amount } = readAccount(account);
    if (amount > 0n) balances.set(owner, (balances.get(owner) ?? 0n) + amount);
  }
  return { slot, balances };
}

export function isTokenProgram(program: Address | ''): program is Address {
  return program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM;
}

interface AnswerJson {
  readonly context?: { readonly slot?: unknown };
  readonly value?: unknown;
}

function readAnswer(result: unknown): { readonly slot: number; readonly accounts: readonly unknown[] } {
  const { context, value } = (result ?? {}) as AnswerJson;
  const slot = Number(context?.slot);
  if (!Array.isArray(value) || context?.slot === undefined || !Number.isSafeInteger(slot)) {
    throw new MalformedWire('getProgramAccounts answered with something else');
  }
  return { slot, accounts: value };
}

function readAccount(json: unknown): { readonly owner: Address; readonly amount: bigint } {
  const { account } = (json ?? {}) as { readonly account?: { readonly data?: unknown } };
  const text: unknown = Array.isArray(account?.data) ? account.data[0] : undefined;
  const data = typeof text === 'string' ? Buffer.from(text, 'base64') : undefined;
  if (data === undefined || data.length !== SLICE.length) throw new MalformedWire('an account without its slice');
  return { owner: encodeAddress(data.subarray(0, ADDRESS_BYTES)), amount: data.readBigUInt64LE(ADDRESS_BYTES) };
}
