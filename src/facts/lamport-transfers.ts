import type { Transaction } from '../chain/block.ts';
import { seekKey } from '../chain/keys/sought-keys.ts';
import { SYSTEM_PROGRAM } from '../chain/well-known.ts';
import { readSystemInstruction } from '../programs/system/instructions.ts';

/** Lamports moved between accounts by the System program: more than none. Accounts are indexes into the keys. */
export interface LamportTransfer {
  readonly ixIndex: number;
  readonly from: number;
  readonly to: number;
  readonly lamports: bigint;
}

const SYSTEM = seekKey(SYSTEM_PROGRAM);
const NONE: readonly LamportTransfer[] = [];

/**
 * The transaction's System transfers, at top level and by CPI, in order of execution. One of 0 lamports, which anybody can
 * make to anybody, moves nothing and is none: it is no tip, and makes no wallet.
 */
export function lamportTransfers(transaction: Transaction): readonly LamportTransfer[] {
  const system = transaction.keys.find(SYSTEM);
  if (system < 0) return NONE;
  let transfers: LamportTransfer[] | undefined;
  for (const instruction of transaction.instructions) {
    // Told by index first: this runs over every instruction of every block.
    if (instruction.programIndex !== system) continue;
    const read = readSystemInstruction(transaction, instruction);
    if (read?.kind !== 'transfer' || read.lamports === 0n) continue;
    transfers ??= [];
    transfers.push({ ixIndex: instruction.index, from: read.from, to: read.to, lamports: read.lamports });
  }
  return transfers ?? NONE;
}
