import type { Address } from './address.ts';
import type { ComputeBudget, Instruction, Transaction } from './block.ts';
import { COMPUTE_BUDGET_PROGRAM, ED25519_PROGRAM, SECP256K1_PROGRAM, SECP256R1_PROGRAM } from './well-known.ts';

/** Lamports per signature, those that precompiles check included. */
export const BASE_FEE_PER_SIGNATURE = 5_000n;
/** No transaction may use more compute units, whatever it asks for. */
export const MAX_COMPUTE_UNITS = 1_400_000;
const MICRO_LAMPORTS = 1_000_000n;

const SET_COMPUTE_UNIT_LIMIT = 2;
const SET_COMPUTE_UNIT_PRICE = 3;

/**
 * Reads a transaction's bid for its place: see ComputeBudget for the three sources. With instructions as the source,
 * the priority fee is price times limit rounded down, and 0 when a price came without a limit: a declared bid, not the
 * fee charged, which rounds up and assumes a limit.
 */
export function readComputeBudget(transaction: CallingTransaction & Pick<Transaction, 'config'>): ComputeBudget {
  const { config } = transaction;
  if (config === undefined) return fromInstructions(transaction);
  if (config === null) return { cuPrice: 0n, cuLimit: 0, priorityFee: paidAboveBase(transaction), source: 2 };
  const priorityFee = config.priorityFee ?? 0n;
  const cuLimit = Math.min(config.computeUnitLimit ?? 0, MAX_COMPUTE_UNITS);
  // A v1 message without a limit has the limit 0, and then no price.
  const cuPrice = cuLimit === 0 ? 0n : (priorityFee * MICRO_LAMPORTS) / BigInt(cuLimit);
  return { cuPrice, cuLimit, priorityFee, source: 1 };
}

function fromInstructions(transaction: CallingTransaction): ComputeBudget {
  let cuPrice = 0n;
  let cuLimit = 0;
  for (const instruction of transaction.instructions) {
    if (!isBudgetInstruction(transaction, instruction)) continue;
    const { data } = instruction;
    if (data[0] === SET_COMPUTE_UNIT_LIMIT && data.length >= 5) cuLimit = viewOf(data).getUint32(1, true);
    else if (data[0] === SET_COMPUTE_UNIT_PRICE && data.length >= 9) cuPrice = viewOf(data).getBigUint64(1, true);
  }
  return { cuPrice, cuLimit, priorityFee: (cuPrice * BigInt(cuLimit)) / MICRO_LAMPORTS, source: 0 };
}

/** Only top-level instructions set a budget; a call of the program does nothing. */
function isBudgetInstruction(transaction: CallingTransaction, instruction: Instruction): boolean {
  return instruction.depth === 1 && transaction.keys.at(instruction.programIndex) === COMPUTE_BUDGET_PROGRAM;
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

type CallingTransaction = Pick<Transaction, 'fee' | 'signatureCount' | 'keys' | 'instructions'>;

/**
 * True when a versioned transaction without address tables and without a config
 * must be a v1 whose config the source dropped: it paid more than the base fee,
 * and nothing but a config can have asked for that. A v0 pays more only with a
 * price instruction or for signatures checked by a precompile. A v1 that bid
 * nothing can't be told from a v0 and need not be: both bid nothing.
 */
export function hasDroppedConfig(transaction: CallingTransaction): boolean {
  if (paidAboveBase(transaction) === 0n) return false;
  for (const instruction of transaction.instructions) {
    if (instruction.depth !== 1) continue;
    if (isPrecompile(transaction.keys.at(instruction.programIndex))) return false;
    if (isBudgetInstruction(transaction, instruction) && instruction.data[0] === SET_COMPUTE_UNIT_PRICE) return false;
  }
  return true;
}

function isPrecompile(program: Address): boolean {
  return program === ED25519_PROGRAM || program === SECP256K1_PROGRAM || program === SECP256R1_PROGRAM;
}

/** Lamports paid beyond signatures: the priority fee, when no precompile checked signatures. */
function paidAboveBase(transaction: CallingTransaction): bigint {
  const above = transaction.fee - BASE_FEE_PER_SIGNATURE * BigInt(chargedSignatures(transaction));
  return above > 0n ? above : 0n;
}

/** Signatures that a transaction's base fee is for: its own, and those that precompiles checked for it. */
export function chargedSignatures(transaction: CallingTransaction): number {
  return transaction.signatureCount + precompiled(transaction);
}

/** Signatures checked by precompiles: the first byte of their data counts them. */
function precompiled(transaction: CallingTransaction): number {
  let count = 0;
  for (const instruction of transaction.instructions) {
    if (instruction.depth !== 1) continue;
    if (isPrecompile(transaction.keys.at(instruction.programIndex))) count += instruction.data[0] ?? 0;
  }
  return count;
}
