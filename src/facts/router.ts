import type { Address } from '../chain/address.ts';
import type { Transaction } from '../chain/block.ts';
import {
  ATA_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../chain/well-known.ts';
import { PUMP_PROGRAM } from '../programs/pump/ids.ts';
import { PUMP_AMM_PROGRAM } from '../programs/pump-amm/ids.ts';

/** Programs that serve a transaction without deciding what it does. */
const HELPERS: ReadonlySet<Address> = new Set([
  SYSTEM_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  ATA_PROGRAM,
  MEMO_PROGRAM,
]);

export function isVenue(program: Address): boolean {
  return program === PUMP_PROGRAM || program === PUMP_AMM_PROGRAM;
}

export function isHelper(program: Address): boolean {
  return HELPERS.has(program);
}

/**
 * The top-level program that orchestrated the instruction at `ixIndex`: none
 * when the venue was called directly.
 */
export function routerOf(transaction: Transaction, ixIndex: number): Address | undefined {
  let instruction = transaction.instructions[ixIndex];
  while (instruction !== undefined && instruction.parent >= 0)
    instruction = transaction.instructions[instruction.parent];
  if (instruction === undefined) return undefined;
  const program = transaction.keys.at(instruction.programIndex);
  return isVenue(program) || isHelper(program) ? undefined : program;
}

/** The first top-level program that is neither a venue nor a helper. */
export function topLevelRouter(transaction: Transaction): Address | undefined {
  for (const { parent, programIndex } of transaction.instructions) {
    if (parent >= 0) continue;
    const program = transaction.keys.at(programIndex);
    if (!isVenue(program) && !isHelper(program)) return program;
  }
  return undefined;
}
