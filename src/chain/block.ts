import type { Address } from './address.ts';
import type { SoughtKey } from './keys/sought-keys.ts';

/**
 * A block as the rest of the house sees it, whatever wire it came over.
 * Readers build it lazily: what nobody asks for is never parsed. So a transaction
 * that is malformed deep inside throws MalformedWire when that part is first
 * read: whoever walks a block catches it per transaction. Bytes are views of the
 * wire, which stays in memory as long as they do: copy what outlives the block.
 */
export interface Block {
  readonly slot: number;
  /** Base58. Empty for partial input, which has no block. */
  readonly blockhash: string;
  readonly parentSlot: number;
  /** Base58: two versions of one slot can have children. Absent where the wire or its node does not tell. */
  readonly parentBlockhash?: string | undefined;
  /** Unix seconds; null when the node does not know it. */
  readonly blockTime: number | null;
  /** Vote transactions are left out; `Transaction.index` keeps the place in the block. */
  readonly transactions: readonly Transaction[];
  /** All transactions of the block, votes included. */
  readonly transactionCount: number;
  readonly voteCount: number;
  /** False for single transactions without their block: they never close a slot. */
  readonly whole: boolean;
}

export type TransactionVersion = 'legacy' | 0 | 1;

export interface Transaction {
  /** Index in the block; provisional (0, 1, …) when the block is not whole and the source does not tell. */
  readonly index: number;
  /** First signature, 64 bytes. */
  readonly signature: Uint8Array;
  /** Number of signatures, each of which costs the base fee. */
  readonly signatureCount: number;
  readonly version: TransactionVersion;
  /** The v1 message's own compute budget; null when it is a v1 whose config the source dropped; undefined otherwise. */
  readonly config: MessageConfig | null | undefined;
  readonly error: TransactionError | null;
  /** Lamports charged: base fee plus priority fee. */
  readonly fee: bigint;
  /** Static keys, then looked-up writable, then looked-up read-only. Key 0 is the fee payer. */
  readonly keys: AccountKeys;
  /** Keys 0 … signerCount-1 signed. */
  readonly signerCount: number;
  /** The call tree, flattened in pre-order: an instruction's place in this array is its `ix_index`. */
  readonly instructions: readonly Instruction[];
  /** Lamports by key index, before and after. */
  readonly preBalances: LamportList;
  readonly postBalances: LamportList;
  readonly tokenBalances: readonly TokenBalance[];
  readonly logs: LogLines;
  /**
   * Set when instruction data comes as base58, which is slow to decode: complete
   * logs then give the same event bytes for less.
   */
  readonly dataEncoding?: 'base58';
  /** True when calls were recorded; a load failure has none. */
  readonly hasInnerInstructions: boolean;
}

/** Account keys, turned into base58 only when asked for. */
export interface AccountKeys {
  readonly length: number;
  at(index: number): Address;
  /** Index of an address, or -1. */
  indexOf(address: Address): number;
  /** The same for one of the addresses that every transaction is searched for: one walk finds them all. */
  find(key: SoughtKey): number;
}

/** Log lines, decoded only when asked for. `present` is false when the source recorded none. */
export interface LogLines {
  readonly present: boolean;
  readonly length: number;
  at(index: number): string;
}

export interface Instruction {
  /** Pre-order index in the flattened call tree: the `ix_index` of the API. */
  readonly index: number;
  /** Pre-order index of the caller, -1 at top level. */
  readonly parent: number;
  /** 1 at top level, 2 for a direct call, … */
  readonly depth: number;
  /** Index among the top-level instructions. */
  readonly outer: number;
  readonly programIndex: number;
  /** Indexes into the transaction's keys. */
  readonly accounts: ArrayLike<number>;
  /** May be decoded on first use. */
  readonly data: Uint8Array;
  /** First byte of the data, -1 without any: passes over most calls without taking their data. */
  readonly tag: number;
}

/** One token account's balance before and after the transaction. An account that did not exist counts 0. */
export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  /** Owner before, when known and the account existed. */
  readonly preOwner: Address | undefined;
  /** Owner after, when known and the account still exists. */
  readonly postOwner: Address | undefined;
  readonly decimals: number;
  /** Raw units. */
  readonly pre: bigint;
  readonly post: bigint;
}

/** SIMD-0385 config values; undefined when the message leaves one unset. */
export interface MessageConfig {
  /** Total lamports, not a price per unit. */
  readonly priorityFee: bigint | undefined;
  readonly computeUnitLimit: number | undefined;
}

export interface TransactionError {
  /** Variant name, such as `InstructionError` or `AccountInUse`. */
  readonly kind: string;
  /** Index of the failed top-level instruction (InstructionError only). */
  readonly instructionIndex: number | undefined;
  /** Variant name of the instruction's error, such as `Custom`. */
  readonly instructionError: string | undefined;
  readonly customCode: number | undefined;
}

/**
 * Compute budget as the API reports it. `source` 0: from compute-budget
 * instructions; 1: from a v1 message's config; 2: a v1 whose config the source
 * dropped, so that only the fee paid is known. Where it is not measured, all is 0.
 */
export interface ComputeBudget {
  /** Micro-lamports per compute unit. */
  readonly cuPrice: bigint;
  readonly cuLimit: number;
  /** Lamports. */
  readonly priorityFee: bigint;
  readonly source: 0 | 1 | 2;
}

/** Lamports by place; an array of bigints is one. */
export interface LamportList extends Iterable<bigint> {
  readonly length: number;
  at(index: number): bigint | undefined;
}
