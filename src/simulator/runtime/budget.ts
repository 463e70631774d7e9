import type { Address } from '../../chain/address.ts';
import type { ComputeBudget, TransactionVersion } from '../../chain/block.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  CONFIG_PROGRAM,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  VOTE_PROGRAM,
} from '../../chain/well-known.ts';
import { ByteWriter } from '../byte-writer.ts';
import type { Sight } from '../truth.ts';
import type { Instruction } from './execution.ts';
import type { Budget } from './plan.ts';
import type { V1Config } from './transaction.ts';

export const LAMPORTS_PER_SIGNATURE = 5_000n;
const MAX_UNIT_LIMIT = 1_400_000;
const DEFAULT_UNITS = 200_000;
const DEFAULT_BUILTIN_UNITS = 3_000;
const V1_DATA_SIZE_LIMIT = 67_108_864;
const MICRO = 1_000_000n;

const SET_UNIT_LIMIT = 2;
const SET_UNIT_PRICE = 3;

const BUILTINS: ReadonlySet<Address> = new Set([
  SYSTEM_PROGRAM,
  VOTE_PROGRAM,
  STAKE_PROGRAM,
  CONFIG_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  ADDRESS_LOOKUP_TABLE_PROGRAM,
]);

export function isBuiltin(program: Address): boolean {
  return BUILTINS.has(program);
}

/** Compute-budget instructions that a legacy or v0 message opens with; a v1 message has a config instead. */
export function budgetInstructions(version: TransactionVersion, budget: Budget): Instruction[] {
  if (version === 1) return [];
  const instructions: Instruction[] = [];
  const add = (data: Uint8Array) => instructions.push({ program: COMPUTE_BUDGET_PROGRAM, accounts: [], data });
  if (budget.unitLimit !== undefined) add(new ByteWriter(5).u8(SET_UNIT_LIMIT).u32(budget.unitLimit).finish());
  if (budget.unitPrice !== undefined) add(new ByteWriter(9).u8(SET_UNIT_PRICE).u64(budget.unitPrice).finish());
  return instructions;
}

/** The same bid in the words of a v1 message: a total instead of a price. */
export function asV1Budget(version: TransactionVersion, budget: Budget, limit: number): Budget {
  const total = priorityFee(version, budget, limit);
  return total === 0n ? { unitLimit: limit } : { unitLimit: limit, priorityFee: total };
}

export function v1Config(version: TransactionVersion, budget: Budget): V1Config | undefined {
  if (version !== 1) return undefined;
  return {
    priorityFee: budget.priorityFee,
    computeUnitLimit: budget.unitLimit,
    loadedAccountsDataSizeLimit: V1_DATA_SIZE_LIMIT,
    heapSize: undefined,
  };
}

/** Units the transaction may use: what it asks for, or the runtime's default by instruction. */
export function unitLimit(version: TransactionVersion, budget: Budget, instructions: readonly Instruction[]): number {
  if (budget.unitLimit !== undefined) return Math.min(budget.unitLimit, MAX_UNIT_LIMIT);
  if (version === 1) return 0;
  const sum = instructions.reduce((units, { program }) => {
    return units + (isBuiltin(program) ? DEFAULT_BUILTIN_UNITS : DEFAULT_UNITS);
  }, 0);
  return Math.min(sum, MAX_UNIT_LIMIT);
}

/** Lamports charged above the base fee. The price counts for every unit asked for, rounded up. */
export function priorityFee(version: TransactionVersion, budget: Budget, limit: number): bigint {
  if (version === 1) return budget.priorityFee ?? 0n;
  return ((budget.unitPrice ?? 0n) * BigInt(limit) + MICRO - 1n) / MICRO;
}

const NOT_MEASURED: ComputeBudget = { cuPrice: 0n, cuLimit: 0, priorityFee: 0n, source: 0 };

/** The budget as the API's rules show it to a reader with this sight. */
export function shownBudget(
  plan: { readonly version: TransactionVersion; readonly budget: Budget; readonly hidesConfig?: boolean },
  paidPriorityFee: bigint,
  sight: Sight,
): ComputeBudget {
  const { version, budget } = plan;
  if (version !== 1) {
    const cuPrice = budget.unitPrice ?? 0n;
    const cuLimit = budget.unitLimit ?? 0;
    return { cuPrice, cuLimit, priorityFee: (cuPrice * BigInt(cuLimit)) / MICRO, source: 0 };
  }
  if (plan.hidesConfig === true && sight === 'decoded') {
    return { ...NOT_MEASURED, priorityFee: paidPriorityFee, source: 2 };
  }
  const cuLimit = Math.min(budget.unitLimit ?? 0, MAX_UNIT_LIMIT);
  const total = budget.priorityFee ?? 0n;
  return { cuPrice: cuLimit === 0 ? 0n : (total * MICRO) / BigInt(cuLimit), cuLimit, priorityFee: total, source: 1 };
}

export { NOT_MEASURED };
