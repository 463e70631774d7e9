import type { Instruction, Transaction } from '../../src/chain/block.ts';
import { decodeBase58, encodeBase58 } from '../../src/chain/keys/base58.ts';

/** Variant numbers of bincode's TransactionError: all failures here are of an instruction's own code. */
const INSTRUCTION_ERROR = 8;
const CUSTOM = 25;

/**
 * A transaction as `getTransaction` gives it in the json encoding, every key in
 * the message: what a reader without base64 needs to see the same transaction.
 */
export function rpcJsonOf(transaction: Transaction, slot: number, blockTime: number | null): object {
  const { error } = transaction;
  return {
    slot,
    blockTime,
    version: transaction.version,
    transaction: {
      signatures: signaturesOf(transaction).map((signature) => encodeBase58(signature)),
      message: {
        header: {
          numRequiredSignatures: transaction.signerCount,
          numReadonlySignedAccounts: 0,
          numReadonlyUnsignedAccounts: 0,
        },
        accountKeys: keysOf(transaction),
        recentBlockhash: '11111111111111111111111111111111',
        instructions: transaction.instructions.filter(({ depth }) => depth === 1).map((call) => rpcCall(call, null)),
        ...(transaction.version === 0 && { addressTableLookups: [] }),
        ...(transaction.config && { transactionConfig: rpcConfig(transaction.config) }),
      },
    },
    meta: {
      err: error && { InstructionError: [error.instructionIndex ?? 0, { Custom: error.customCode ?? 0 }] },
      fee: Number(transaction.fee),
      preBalances: Array.from(transaction.preBalances, Number),
      postBalances: Array.from(transaction.postBalances, Number),
      preTokenBalances: tokenSide(transaction, 'pre'),
      postTokenBalances: tokenSide(transaction, 'post'),
      innerInstructions: innerGroups(transaction).map(({ index, calls }) => ({
        index,
        instructions: calls.map((call) => rpcCall(call, call.depth)),
      })),
      logMessages: logsOf(transaction),
      loadedAddresses: { writable: [], readonly: [] },
      computeUnitsConsumed: 0,
    },
  };
}

/** A transaction as the Yellowstone client's codec takes it. */
export function geyserInfoOf(transaction: Transaction, index: number): object {
  const { error } = transaction;
  return {
    signature: transaction.signature,
    index: String(index),
    transaction: {
      signatures: signaturesOf(transaction),
      message: {
        header: { numRequiredSignatures: transaction.signerCount },
        accountKeys: keysOf(transaction).map(decodeBase58),
        recentBlockhash: new Uint8Array(32),
        instructions: transaction.instructions.filter(({ depth }) => depth === 1).map(geyserCall),
        versioned: transaction.version !== 'legacy',
        addressTableLookups: transaction.version === 0 ? [{}] : [],
        config: transaction.config && {
          priorityFee: transaction.config.priorityFee?.toString(),
          computeUnitLimit: transaction.config.computeUnitLimit,
        },
      },
    },
    meta: {
      err: error === null ? undefined : { err: errorBytes(error.instructionIndex ?? 0, error.customCode ?? 0) },
      fee: String(transaction.fee),
      preBalances: Array.from(transaction.preBalances, String),
      postBalances: Array.from(transaction.postBalances, String),
      innerInstructions: innerGroups(transaction).map(({ index, calls }) => ({
        index,
        instructions: calls.map((call) => ({ ...geyserCall(call), stackHeight: call.depth })),
      })),
      logMessages: logsOf(transaction),
      preTokenBalances: tokenSide(transaction, 'pre'),
      postTokenBalances: tokenSide(transaction, 'post'),
      computeUnitsConsumed: '100000',
    },
  };
}

function keysOf({ keys }: Transaction): string[] {
  return Array.from({ length: keys.length }, (_, i) => keys.at(i));
}

/** Only the first is known to a reader; the others are as long. */
function signaturesOf({ signature, signatureCount }: Transaction): Uint8Array[] {
  return Array.from({ length: signatureCount }, () => signature);
}

function logsOf({ logs }: Transaction): string[] {
  return Array.from({ length: logs.length }, (_, i) => logs.at(i));
}

function innerGroups({ instructions }: Transaction): { index: number; calls: Instruction[] }[] {
  const groups = new Map<number, Instruction[]>();
  for (const call of instructions) {
    if (call.depth === 1) continue;
    const group = groups.get(call.outer);
    if (group === undefined) groups.set(call.outer, [call]);
    else group.push(call);
  }
  return Array.from(groups, ([index, calls]) => ({ index, calls }));
}

function rpcCall({ programIndex, accounts, data }: Instruction, stackHeight: number | null): object {
  return { programIdIndex: programIndex, accounts: Array.from(accounts), data: encodeBase58(data), stackHeight };
}

function geyserCall({ programIndex, accounts, data }: Instruction): object {
  return { programIdIndex: programIndex, accounts: Uint8Array.from(accounts), data };
}

function rpcConfig(config: NonNullable<Transaction['config']>): object {
  return {
    priorityFee: config.priorityFee === undefined ? null : Number(config.priorityFee),
    computeUnitLimit: config.computeUnitLimit ?? null,
  };
}

function tokenSide({ tokenBalances }: Transaction, side: 'pre' | 'post'): object[] {
  return tokenBalances.flatMap(({ accountIndex, mint, decimals, preOwner, postOwner, pre, post }) => {
    const owner = side === 'pre' ? preOwner : postOwner;
    if (owner === undefined) return [];
    const amount = side === 'pre' ? pre : post;
    const uiAmount = Number(amount) / 10 ** decimals;
    const uiTokenAmount = { amount: String(amount), decimals, uiAmount, uiAmountString: String(uiAmount) };
    return [{ accountIndex, mint, owner, programId: '', uiTokenAmount }];
  });
}

function errorBytes(instructionIndex: number, code: number): Uint8Array {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32LE(INSTRUCTION_ERROR, 0);
  bytes[4] = instructionIndex;
  bytes.writeUInt32LE(CUSTOM, 5);
  bytes.writeUInt32LE(code, 9);
  return bytes;
}
