import type { Address } from '../../chain/address.ts';
import type { TransactionVersion } from '../../chain/block.ts';
import type { Failure } from './execution.ts';

/** A transaction as it landed: everything both encoders need, in no encoding yet. */
export interface LandedTransaction {
  readonly message: Message;
  /** The bytes that were signed. */
  readonly messageBytes: Uint8Array;
  /** One for each required signer, 64 bytes each. */
  readonly signatures: readonly Uint8Array[];
  readonly isVote: boolean;
  /** True when the node that serves this v1 transaction drops its config from decoded forms. */
  readonly hidesConfig: boolean;
  readonly meta: TransactionMeta;
}

export interface Message {
  readonly version: TransactionVersion;
  readonly requiredSignatures: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
  readonly staticKeys: readonly Address[];
  /** 32 bytes. */
  readonly blockhash: Uint8Array;
  readonly instructions: readonly CompiledInstruction[];
  /** v0 only, else empty. */
  readonly lookups: readonly AddressTableLookup[];
  /** v1 only. */
  readonly config: V1Config | undefined;
}

export interface CompiledInstruction {
  readonly programIndex: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
}

export interface InnerInstruction extends CompiledInstruction {
  /** Index of the top-level instruction it ran under. */
  readonly outer: number;
  /** 2 for a direct call, 3 for a call of a call, … */
  readonly stackHeight: number;
}

export interface AddressTableLookup {
  readonly table: Address;
  readonly writable: Uint8Array;
  readonly readonly: Uint8Array;
}

/** SIMD-0385 config values; what is undefined is not in the message. */
export interface V1Config {
  /** Lamports in total. */
  readonly priorityFee: bigint | undefined;
  readonly computeUnitLimit: number | undefined;
  readonly loadedAccountsDataSizeLimit: number | undefined;
  readonly heapSize: number | undefined;
}

export interface TransactionMeta {
  readonly failure: Failure | LoadFailure | undefined;
  /** Lamports. */
  readonly fee: bigint;
  /** Static keys, then looked-up writable ones, then looked-up read-only ones. */
  readonly keys: readonly Address[];
  readonly loadedWritable: readonly Address[];
  readonly loadedReadonly: readonly Address[];
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  readonly preTokenBalances: readonly TokenBalanceEntry[];
  readonly postTokenBalances: readonly TokenBalanceEntry[];
  /** In order of execution; undefined after a load failure. */
  readonly inner: readonly InnerInstruction[] | undefined;
  readonly logs: readonly string[] | undefined;
  readonly unitsConsumed: number;
}

/** The transaction was charged but never ran. */
export interface LoadFailure {
  readonly kind: 'MaxLoadedAccountsDataSizeExceeded' | 'ProgramAccountNotFound';
}

export interface TokenBalanceEntry {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly tokenProgram: Address;
  readonly decimals: number;
  readonly amount: bigint;
}
