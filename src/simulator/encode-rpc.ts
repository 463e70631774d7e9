import { encodeBase58 } from '../chain/keys/base58.ts';
import { uiAmountString } from './encode-geyser.ts';
import { encodeTransaction } from './encode-message.ts';
import { parsedInstruction } from './parsed-instruction.ts';
import type { ProducedBlock } from './runtime/block.ts';
import type {
  CompiledInstruction,
  InnerInstruction,
  LandedTransaction,
  Message,
  TokenBalanceEntry,
  TransactionMeta,
} from './runtime/transaction.ts';
import { transactionErrorJson } from './runtime/transaction-error.ts';

export type RpcEncoding = 'json' | 'jsonParsed' | 'base64';

/** Shows an instruction in an encoding. */
type ShowInstruction = (instruction: CompiledInstruction, stackHeight: number | null) => object;

/** The `result` of `getBlock` with full transactions and `maxSupportedTransactionVersion: 1`. */
export function encodeRpcBlock(block: ProducedBlock, encoding: RpcEncoding): object {
  return {
    blockHeight: block.height,
    blockTime: block.time,
    blockhash: encodeBase58(block.blockhash),
    parentSlot: block.parentSlot,
    previousBlockhash: encodeBase58(block.parentBlockhash),
    rewards: [
      {
        pubkey: block.leader,
        lamports: Number(block.leaderReward),
        postBalance: Number(block.leaderBalance),
        rewardType: 'Fee',
        commission: null,
      },
    ],
    transactions: block.transactions.map((transaction) => encodeRpcTransaction(transaction, encoding)),
  };
}

function encodeRpcTransaction(transaction: LandedTransaction, encoding: RpcEncoding): object {
  const { message, messageBytes, meta, signatures } = transaction;
  const { keys } = meta;
  const show: ShowInstruction =
    encoding === 'jsonParsed'
      ? (instruction, stackHeight) => parsedInstruction(instruction, stackHeight, keys)
      : plainInstruction;
  const shown =
    encoding === 'base64'
      ? [Buffer.from(encodeTransaction(message.version, messageBytes, signatures)).toString('base64'), 'base64']
      : {
          signatures: signatures.map((signature) => encodeBase58(signature)),
          message: encoding === 'json' ? jsonMessage(transaction) : parsedMessage(transaction, show),
        };
  return { meta: encodeMeta(meta, encoding, show), transaction: shown, version: message.version };
}

function plainInstruction({ accounts, data, programIndex }: CompiledInstruction, stackHeight: number | null): object {
  return { accounts: [...accounts], data: encodeBase58(data), programIdIndex: programIndex, stackHeight };
}

function jsonMessage(transaction: LandedTransaction): object {
  const { message } = transaction;
  return {
    accountKeys: message.staticKeys,
    ...(message.version === 0
      ? {
          addressTableLookups: message.lookups.map(({ readonly, table, writable }) => ({
            accountKey: table,
            readonlyIndexes: [...readonly],
            writableIndexes: [...writable],
          })),
        }
      : {}),
    header: {
      numReadonlySignedAccounts: message.readonlySigned,
      numReadonlyUnsignedAccounts: message.readonlyUnsigned,
      numRequiredSignatures: message.requiredSignatures,
    },
    instructions: message.instructions.map((instruction) => plainInstruction(instruction, 1)),
    recentBlockhash: encodeBase58(message.blockhash),
    ...shownConfig(transaction),
  };
}

function parsedMessage(transaction: LandedTransaction, show: ShowInstruction): object {
  const { message, meta } = transaction;
  return {
    accountKeys: meta.keys.map((pubkey, place) => ({
      pubkey,
      signer: place < message.requiredSignatures,
      source: place < message.staticKeys.length ? 'transaction' : 'lookupTable',
      writable: isWritable(message, meta, place),
    })),
    instructions: message.instructions.map((instruction) => show(instruction, 1)),
    recentBlockhash: encodeBase58(message.blockhash),
    ...shownConfig(transaction),
  };
}

function isWritable(message: Message, meta: TransactionMeta, place: number): boolean {
  const { readonlySigned, readonlyUnsigned, requiredSignatures, staticKeys } = message;
  if (place < requiredSignatures) return place < requiredSignatures - readonlySigned;
  if (place < staticKeys.length) return place < staticKeys.length - readonlyUnsigned;
  return place < staticKeys.length + meta.loadedWritable.length;
}

function shownConfig({ hidesConfig, message }: LandedTransaction): object {
  const { config } = message;
  if (config === undefined || hidesConfig) return {};
  return {
    transactionConfig: {
      computeUnitLimit: config.computeUnitLimit ?? null,
      heapSize: config.heapSize ?? null,
      loadedAccountsDataSizeLimit: config.loadedAccountsDataSizeLimit ?? null,
      priorityFee: config.priorityFee === undefined ? null : Number(config.priorityFee),
    },
  };
}

function encodeMeta(meta: TransactionMeta, encoding: RpcEncoding, show: ShowInstruction): object {
  const err = transactionErrorJson(meta.failure);
  return {
    computeUnitsConsumed: meta.unitsConsumed,
    err,
    fee: Number(meta.fee),
    innerInstructions: innerGroups(meta.inner ?? [], show),
    ...(encoding === 'jsonParsed'
      ? {}
      : { loadedAddresses: { readonly: meta.loadedReadonly, writable: meta.loadedWritable } }),
    logMessages: meta.logs ?? [],
    postBalances: meta.postBalances.map(Number),
    postTokenBalances: meta.postTokenBalances.map(tokenBalance),
    preBalances: meta.preBalances.map(Number),
    preTokenBalances: meta.preTokenBalances.map(tokenBalance),
    rewards: [],
    status: err === null ? { Ok: null } : { Err: err },
  };
}

function innerGroups(calls: readonly InnerInstruction[], show: ShowInstruction): object[] {
  const groups = new Map<number, object[]>();
  for (const call of calls) {
    const group = groups.get(call.outer) ?? [];
    group.push(show(call, call.stackHeight));
    groups.set(call.outer, group);
  }
  return [...groups].map(([index, instructions]) => ({ index, instructions }));
}

function tokenBalance({ accountIndex, amount, decimals, mint, owner, tokenProgram }: TokenBalanceEntry): object {
  return {
    accountIndex,
    mint,
    owner,
    programId: tokenProgram,
    uiTokenAmount: {
      amount: amount.toString(),
      decimals,
      uiAmount: amount === 0n ? null : Number(amount) / 10 ** decimals,
      uiAmountString: uiAmountString(amount, decimals),
    },
  };
}
