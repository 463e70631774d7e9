import { MalformedWire } from '../malformed-wire.ts';

/**
 * The JSON of `getBlock` and `getTransaction`, as far as we read it. Nothing of
 * it is taken for granted: whatever is not checked when a transaction is made is
 * checked where it is used.
 */
export interface RpcBlockJson {
  readonly blockhash?: unknown;
  readonly parentSlot?: unknown;
  readonly previousBlockhash?: unknown;
  readonly blockTime?: unknown;
  readonly transactions?: unknown;
}

export interface RpcTransactionJson {
  readonly transaction?: unknown;
  readonly meta?: unknown;
  readonly version?: unknown;
  /** Of `getTransaction` only; newer nodes tell the index too. */
  readonly slot?: unknown;
  readonly blockTime?: unknown;
  readonly transactionIndex?: unknown;
}

export interface RpcMessageJson {
  readonly accountKeys?: unknown;
  readonly header?: { readonly numRequiredSignatures?: unknown };
  readonly instructions?: unknown;
  readonly transactionConfig?: unknown;
}

export interface RpcMetaJson {
  readonly err?: unknown;
  readonly fee?: unknown;
  readonly preBalances?: unknown;
  readonly postBalances?: unknown;
  readonly preTokenBalances?: unknown;
  readonly postTokenBalances?: unknown;
  readonly innerInstructions?: unknown;
  readonly logMessages?: unknown;
  readonly loadedAddresses?: { readonly writable?: unknown; readonly readonly?: unknown } | null;
}

/** An instruction by indexes: the json encoding, and the calls beside a base64 transaction. */
export interface CompiledInstructionJson {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  /** Base58, or bytes in the JSON of a Yellowstone update. */
  readonly data: string | ArrayLike<number>;
  readonly stackHeight?: number | null;
}

/** An instruction of the jsonParsed encoding: with accounts and data, or `parsed` by the node. */
export interface ParsedInstructionJson {
  readonly programId: string;
  readonly accounts?: readonly string[];
  readonly data?: string;
  readonly parsed?: unknown;
  readonly stackHeight?: number | null;
}

export type InstructionJson = CompiledInstructionJson | ParsedInstructionJson;

export function asObject<T extends object>(json: unknown, what: string): T {
  if (typeof json !== 'object' || json === null) throw new MalformedWire(`${what} is no object`);
  return json as T;
}

export function asList(json: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(json)) throw new MalformedWire(`${what} is no list`);
  return json;
}

export function asText(json: unknown, what: string): string {
  if (typeof json !== 'string') throw new MalformedWire(`${what} is no text`);
  return json;
}

/** A list, taken to be of texts; null and undefined count as empty. */
export function asTexts(json: unknown, what: string): readonly string[] {
  if (json === null || json === undefined) return [];
  return asList(json, what) as readonly string[];
}

export function asCount(json: unknown, what: string): number {
  const count = typeof json === 'string' && DIGITS.test(json) ? Number(json) : json;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0)
    throw new MalformedWire(`${what} is no count`);
  return count;
}

/** Of a u64 at most. */
const DIGITS = /^\d{1,20}$/;
const MAX_U64 = (1n << 64n) - 1n;

/** A u64, exact when it came as text or bigint. A number beyond 2^53 was rounded by whoever parsed the JSON. */
export function asU64(json: unknown, what: string): bigint {
  let value = -1n;
  if (typeof json === 'bigint') value = json;
  else if (typeof json === 'number' && Number.isInteger(json)) value = BigInt(json);
  else if (typeof json === 'string' && DIGITS.test(json)) value = BigInt(json);
  if (value < 0n || value > MAX_U64) throw new MalformedWire(`${what} is no u64`);
  return value;
}
