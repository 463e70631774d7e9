import { getSolanaErrorFromTransactionError } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { MalformedWire } from './malformed-wire.ts';
import { decodeTransactionError, parseTransactionError } from './transaction-error.ts';

function bincode(variant: number, ...rest: number[]): Uint8Array {
  return Uint8Array.of(variant, 0, 0, 0, ...rest);
}

/** Kit numbers its error codes in the order of the variants on the wire. */
function kitCode(error: Parameters<typeof getSolanaErrorFromTransactionError>[0]): number {
  return getSolanaErrorFromTransactionError(error).context.__code;
}

const TRANSACTION_ERRORS = 7_050_001;
const INSTRUCTION_ERRORS = 4_615_001;

describe('decodeTransactionError', () => {
  it('names every variant as the chain orders them', () => {
    for (let variant = 0; variant <= 36; variant++) {
      if (variant === 8) continue;
      const { kind } = decodeTransactionError(bincode(variant, 0));
      // InstructionError has codes of its own, so those after it move up by one.
      expect(kitCode({ [kind]: { account_index: 0 } }) - TRANSACTION_ERRORS, kind).toBe(
        variant < 8 ? variant : variant - 1,
      );
    }
  });

  it('names every error of an instruction as the chain orders them', () => {
    for (let variant = 0; variant <= 53; variant++) {
      const error = decodeTransactionError(bincode(8, 3, variant, 0, 0, 0, 0x72, 0x17, 0, 0));
      expect(error).toMatchObject({ kind: 'InstructionError', instructionIndex: 3 });
      const detail = variant === 25 ? { Custom: 6_002 } : error.instructionError!;
      expect(kitCode({ InstructionError: [3, detail] }) - INSTRUCTION_ERRORS, error.instructionError).toBe(variant);
      expect(error.customCode).toBe(variant === 25 ? 6_002 : undefined);
    }
  });

  it('keeps the number of a variant that it does not know', () => {
    expect(decodeTransactionError(bincode(99)).kind).toBe('Unknown(99)');
    expect(decodeTransactionError(bincode(8, 1, 200, 0, 0, 0)).instructionError).toBe('Unknown(200)');
  });

  it('refuses an error that ends early', () => {
    for (const bytes of [bincode(0).subarray(1), bincode(8, 1), bincode(8, 1, 25, 0, 0, 0, 1, 0)]) {
      expect(() => decodeTransactionError(bytes)).toThrow(MalformedWire);
    }
  });
});

describe('parseTransactionError', () => {
  it('reads every form of JSON', () => {
    const none = { instructionIndex: undefined, instructionError: undefined, customCode: undefined };
    expect(parseTransactionError(null)).toBeNull();
    expect(parseTransactionError(undefined)).toBeNull();
    expect(parseTransactionError('AccountInUse')).toEqual({ ...none, kind: 'AccountInUse' });
    expect(parseTransactionError({ InsufficientFundsForRent: { account_index: 2 } })).toEqual({
      ...none,
      kind: 'InsufficientFundsForRent',
    });
    expect(parseTransactionError({ DuplicateInstruction: 2 })).toEqual({ ...none, kind: 'DuplicateInstruction' });
    expect(parseTransactionError({ InstructionError: [4, { Custom: 6_002 }] })).toEqual({
      kind: 'InstructionError',
      instructionIndex: 4,
      instructionError: 'Custom',
      customCode: 6_002,
    });
    expect(parseTransactionError({ InstructionError: [0, 'ProgramFailedToComplete'] })).toMatchObject({
      instructionError: 'ProgramFailedToComplete',
      customCode: undefined,
    });
    expect(parseTransactionError({ InstructionError: [0, { BorshIoError: 'x' }] })).toMatchObject({
      instructionError: 'BorshIoError',
      customCode: undefined,
    });
  });

  it('refuses JSON that is no error', () => {
    for (const json of [7, {}, { InstructionError: 7 }, { InstructionError: [] }, { InstructionError: [1, null] }]) {
      expect(() => parseTransactionError(json)).toThrow(MalformedWire);
    }
  });
});
