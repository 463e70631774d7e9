import { ByteWriter } from '../byte-writer.ts';
import type { Failure } from './execution.ts';
import type { LoadFailure, TransactionMeta } from './transaction.ts';

/** Places in the node's own lists of errors, which its binary form uses. */
const INSTRUCTION_ERROR = 8;
const LOAD_FAILURES: Record<LoadFailure['kind'], number> = {
  ProgramAccountNotFound: 3,
  MaxLoadedAccountsDataSizeExceeded: 32,
};
const INSTRUCTION_ERRORS: Record<Failure['kind'], number> = { Custom: 25, ProgramFailedToComplete: 40 };

export type TransactionErrorJson =
  | string
  | { readonly InstructionError: readonly [number, string | { readonly Custom: number }] };

/** The error as JSON-RPC shows it; null for a transaction that went through. */
export function transactionErrorJson(failure: TransactionMeta['failure']): TransactionErrorJson | null {
  if (failure === undefined) return null;
  if (!('outer' in failure)) return failure.kind;
  return { InstructionError: [failure.outer, failure.code === undefined ? failure.kind : { Custom: failure.code }] };
}

/** The error as the Geyser stream carries it: bincode, u32 variants, little endian. */
export function transactionErrorBytes(failure: Failure | LoadFailure): Uint8Array {
  const writer = new ByteWriter(16);
  if (!('outer' in failure)) return writer.u32(LOAD_FAILURES[failure.kind]).finish();
  writer.u32(INSTRUCTION_ERROR).u8(failure.outer).u32(INSTRUCTION_ERRORS[failure.kind]);
  if (failure.code !== undefined) writer.u32(failure.code);
  return writer.finish();
}
