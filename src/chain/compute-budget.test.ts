import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from './address.ts';
import type { Instruction, MessageConfig } from './block.ts';
import { hasDroppedConfig, readComputeBudget } from './compute-budget.ts';
import { LazyAccountKeys } from './keys/account-keys.ts';
import { COMPUTE_BUDGET_PROGRAM, ED25519_PROGRAM, SYSTEM_PROGRAM } from './well-known.ts';

interface Call {
  readonly program: Address;
  readonly data: readonly number[];
  readonly depth?: number;
}

/** The parts of a transaction that its budget depends on. */
function transactionOf(
  calls: readonly Call[],
  more: { config?: MessageConfig | null; fee?: bigint } = {},
): Parameters<typeof readComputeBudget>[0] {
  const programs = calls.map((call) => call.program);
  const instructions = calls.map(({ data, depth = 1 }, index): Instruction => {
    const place = { index, parent: -1, depth, outer: index, programIndex: index };
    return { ...place, accounts: [], data: Uint8Array.from(data), tag: data[0] ?? -1 };
  });
  const keys = LazyAccountKeys.fromTexts(programs);
  return { config: more.config, fee: more.fee ?? 5_000n, signatureCount: 1, keys, instructions };
}

function little(value: bigint, width: number): number[] {
  return Array.from({ length: width }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
}

function setLimit(limit: number, depth = 1): Call {
  return { program: COMPUTE_BUDGET_PROGRAM, data: [2, ...little(BigInt(limit), 4)], depth };
}

function setPrice(price: bigint, depth = 1): Call {
  return { program: COMPUTE_BUDGET_PROGRAM, data: [3, ...little(price, 8)], depth };
}

const TRANSFER: Call = { program: SYSTEM_PROGRAM, data: [2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0] };

describe('readComputeBudget', () => {
  it('reads instructions: priority fee is price times limit, rounded down', () => {
    const price = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
    fc.assert(
      fc.property(price, fc.nat({ max: 0xffff_ffff }), (cuPrice, cuLimit) => {
        const priorityFee = (cuPrice * BigInt(cuLimit)) / 1_000_000n;
        const expected = { cuPrice, cuLimit, priorityFee, source: 0 };
        expect(readComputeBudget(transactionOf([setLimit(cuLimit), TRANSFER, setPrice(cuPrice)]))).toEqual(expected);
      }),
    );
  });

  it('says 0 for the fee of a price without a limit', () => {
    expect(readComputeBudget(transactionOf([setPrice(1_000_000n)]))).toEqual({
      cuPrice: 1_000_000n,
      cuLimit: 0,
      priorityFee: 0n,
      source: 0,
    });
  });

  it('ignores calls of the budget program, other programs, and data that is too short', () => {
    const short: Call = { program: COMPUTE_BUDGET_PROGRAM, data: [3, 1, 2] };
    const heap: Call = { program: COMPUTE_BUDGET_PROGRAM, data: [1, 0, 0, 4, 0] };
    const other: Call = { ...setPrice(7n), program: SYSTEM_PROGRAM };
    const budget = readComputeBudget(transactionOf([setLimit(5, 2), setPrice(5n, 2), short, heap, other]));
    expect(budget).toEqual({ cuPrice: 0n, cuLimit: 0, priorityFee: 0n, source: 0 });
  });

  it('reads the config of a v1 message, whatever its instructions say', () => {
    const config = { priorityFee: 1_000n, computeUnitLimit: 196_674 };
    expect(readComputeBudget(transactionOf([setPrice(9n), setLimit(9)], { config }))).toEqual({
      cuPrice: 5_084n,
      cuLimit: 196_674,
      priorityFee: 1_000n,
      source: 1,
    });
  });

  it('caps the limit of a config, and prices by the cap', () => {
    const config = { priorityFee: 1_400n, computeUnitLimit: 4_000_000_000 };
    const capped = { cuPrice: 1_000n, cuLimit: 1_400_000, priorityFee: 1_400n, source: 1 };
    expect(readComputeBudget(transactionOf([], { config }))).toEqual(capped);
  });

  it('knows no price when a config sets no limit, or 0', () => {
    for (const computeUnitLimit of [undefined, 0]) {
      const config = { priorityFee: 1_000n, computeUnitLimit };
      const expected = { cuPrice: 0n, cuLimit: 0, priorityFee: 1_000n, source: 1 };
      expect(readComputeBudget(transactionOf([], { config }))).toEqual(expected);
    }
    const config = { priorityFee: undefined, computeUnitLimit: 7 };
    expect(readComputeBudget(transactionOf([], { config }))).toMatchObject({
      cuPrice: 0n,
      cuLimit: 7,
      priorityFee: 0n,
    });
  });

  it('falls back on the fee paid when the config was dropped', () => {
    const paid = (fee: bigint, calls: Call[] = []) => readComputeBudget(transactionOf(calls, { config: null, fee }));
    expect(paid(7_500n)).toEqual({ cuPrice: 0n, cuLimit: 0, priorityFee: 2_500n, source: 2 });
    expect(paid(0n)).toMatchObject({ priorityFee: 0n, source: 2 });
    // Signatures that a precompile checks are paid for, too.
    const precompile = { program: ED25519_PROGRAM, data: [2, 0] };
    expect(paid(16_000n, [precompile])).toMatchObject({ priorityFee: 1_000n });
  });
});

describe('hasDroppedConfig', () => {
  const dropped = (calls: Call[], fee: bigint) => hasDroppedConfig(transactionOf(calls, { fee }));

  it('is sure only when nothing else can have made the fee', () => {
    expect(dropped([TRANSFER, setLimit(9)], 5_001n)).toBe(true);
    expect(dropped([TRANSFER, setPrice(9n, 2)], 5_001n)).toBe(true);
  });

  it('is not when there is a price, a precompile, or no more than the base fee', () => {
    expect(dropped([TRANSFER], 5_000n)).toBe(false);
    expect(dropped([TRANSFER, setPrice(9n)], 5_001n)).toBe(false);
    expect(dropped([TRANSFER, { program: ED25519_PROGRAM, data: [1, 0] }], 20_000n)).toBe(false);
  });
});
