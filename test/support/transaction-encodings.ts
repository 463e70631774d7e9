import type { Transaction } from '../../src/chain/block.ts';
import { encodeBase58 } from '../../src/chain/keys/base58.ts';
import type { ModelCall, ModelTokenSide, ModelTransaction } from './arbitrary-transaction.ts';

/** Every field of a transaction as plain values, so that two readings can be compared. */
export function plainTransaction(transaction: Transaction): object {
  return {
    index: transaction.index,
    signature: encodeBase58(transaction.signature),
    signatureCount: transaction.signatureCount,
    signerCount: transaction.signerCount,
    version: transaction.version,
    config: transaction.config,
    error: transaction.error,
    fee: transaction.fee,
    keys: Array.from({ length: transaction.keys.length }, (_, i) => transaction.keys.at(i)),
    instructions: transaction.instructions.map((instruction) => ({
      index: instruction.index,
      parent: instruction.parent,
      depth: instruction.depth,
      outer: instruction.outer,
      programIndex: instruction.programIndex,
      accounts: Array.from(instruction.accounts),
      tag: instruction.tag,
      data: Buffer.from(instruction.data).toString('hex'),
    })),
    preBalances: Array.from(transaction.preBalances),
    postBalances: Array.from(transaction.postBalances),
    tokenBalances: transaction.tokenBalances.map(({ accountIndex, mint, preOwner, postOwner, decimals, pre, post }) => {
      return { accountIndex, mint, preOwner, postOwner, decimals, pre, post };
    }),
    logs: transaction.logs.present
      ? Array.from({ length: transaction.logs.length }, (_, i) => transaction.logs.at(i))
      : undefined,
    hasInnerInstructions: transaction.hasInnerInstructions,
  };
}

interface PlainInstruction {
  readonly index: number;
  readonly parent: number;
  readonly depth: number;
  readonly outer: number;
  readonly programIndex: number;
  readonly accounts: readonly number[];
  readonly data: string;
  readonly tag: number;
}

/** The form that every reader must make of a model. */
export function plainModel(model: ModelTransaction): object {
  const instructions: PlainInstruction[] = [];
  const visit = (call: ModelCall, parent: number, depth: number, outer: number) => {
    const { programIndex, accounts } = call;
    const index = instructions.length;
    const data = Buffer.from(call.data).toString('hex');
    instructions.push({ index, parent, depth, outer, programIndex, accounts, data, tag: call.data[0] ?? -1 });
    for (const inner of call.calls) visit(inner, index, depth + 1, outer);
  };
  model.calls.forEach((call, outer) => {
    visit(call, -1, 1, outer);
  });
  return {
    index: model.index,
    signature: encodeBase58(model.signatures[0]!),
    signatureCount: model.signatures.length,
    signerCount: model.signatures.length,
    version: model.version,
    config: model.config && {
      priorityFee: model.config.priorityFee,
      computeUnitLimit: model.config.computeUnitLimit,
    },
    error: model.error && {
      kind: 'InstructionError',
      instructionIndex: model.error.instructionIndex,
      instructionError: model.error.customCode === undefined ? 'ProgramFailedToComplete' : 'Custom',
      customCode: model.error.customCode,
    },
    fee: model.fee,
    keys: [...model.staticKeys, ...model.loadedWritable, ...model.loadedReadonly].map(encodeBase58),
    instructions,
    preBalances: model.preBalances,
    postBalances: model.postBalances,
    tokenBalances: model.tokens.map(({ accountIndex, mint, decimals, pre, post }) => ({
      accountIndex,
      mint: encodeBase58(mint),
      preOwner: pre?.owner && encodeBase58(pre.owner),
      postOwner: post?.owner && encodeBase58(post.owner),
      decimals,
      pre: pre?.amount ?? 0n,
      post: post?.amount ?? 0n,
    })),
    logs: model.logs,
    hasInnerInstructions: model.callsRecorded,
  };
}

export interface FlatCall extends Omit<ModelCall, 'calls'> {
  readonly stackHeight: number;
}

/** The calls below each top-level one, as the chain lists them; top-level ones without calls are left out. */
export function innerGroups(model: ModelTransaction): { index: number; instructions: FlatCall[] }[] {
  const flatten = (calls: readonly ModelCall[], stackHeight: number): FlatCall[] =>
    calls.flatMap(({ calls: inner, ...call }) => [{ ...call, stackHeight }, ...flatten(inner, stackHeight + 1)]);
  return model.calls
    .map((call, index) => ({ index, instructions: flatten(call.calls, 2) }))
    .filter((group) => group.instructions.length > 0);
}

/** A `SubscribeUpdateTransactionInfo` for the ts-proto codecs. */
export function geyserInfo(model: ModelTransaction): object {
  return {
    signature: model.signatures[0],
    isVote: false,
    index: String(model.index),
    transaction: {
      signatures: model.signatures,
      message: {
        header: { numRequiredSignatures: model.signatures.length },
        accountKeys: model.staticKeys,
        recentBlockhash: new Uint8Array(32),
        instructions: model.calls.map(geyserInstruction),
        versioned: model.version !== 'legacy',
        // Which tables were looked up does not matter, only that some were.
        addressTableLookups: model.loadedWritable.length + model.loadedReadonly.length === 0 ? [] : [{}],
        config: model.config && {
          priorityFee: model.config.priorityFee?.toString(),
          computeUnitLimit: model.config.computeUnitLimit,
        },
      },
    },
    meta: {
      err: model.error === null ? undefined : { err: errorBytes(model.error) },
      fee: model.fee.toString(),
      preBalances: model.preBalances.map(String),
      postBalances: model.postBalances.map(String),
      innerInstructions: innerGroups(model).map(({ index, instructions }) => ({
        index,
        instructions: instructions.map((call) => ({ ...geyserInstruction(call), stackHeight: call.stackHeight })),
      })),
      innerInstructionsNone: !model.callsRecorded,
      logMessages: model.logs ?? [],
      logMessagesNone: model.logs === undefined,
      preTokenBalances: tokenSides(model, 'pre'),
      postTokenBalances: tokenSides(model, 'post'),
      loadedWritableAddresses: model.loadedWritable,
      loadedReadonlyAddresses: model.loadedReadonly,
      computeUnitsConsumed: '1000',
    },
  };
}

function geyserInstruction({ programIndex, accounts, data }: Omit<ModelCall, 'calls'>) {
  return { programIdIndex: programIndex, accounts: Uint8Array.from(accounts), data };
}

function errorBytes({ instructionIndex, customCode }: NonNullable<ModelTransaction['error']>): Uint8Array {
  const bytes = Buffer.alloc(customCode === undefined ? 9 : 13);
  bytes.writeUInt32LE(8, 0);
  bytes[4] = instructionIndex;
  bytes.writeUInt32LE(customCode === undefined ? 40 : 25, 5);
  if (customCode !== undefined) bytes.writeUInt32LE(customCode, 9);
  return bytes;
}

function tokenSides(model: ModelTransaction, which: 'pre' | 'post'): object[] {
  return model.tokens.flatMap((token) => {
    const side: ModelTokenSide | undefined = token[which];
    if (side === undefined) return [];
    const uiTokenAmount = { amount: side.amount.toString(), decimals: token.decimals, uiAmount: 0, uiAmountString: '' };
    const owner = side.owner === undefined ? '' : encodeBase58(side.owner);
    return [{ accountIndex: token.accountIndex, mint: encodeBase58(token.mint), owner, programId: '', uiTokenAmount }];
  });
}

/** A `getTransaction` result in the json encoding. Lamports are bigints: see `rpcText`. */
export function rpcTransaction(model: ModelTransaction): object {
  return {
    slot: 7,
    blockTime: null,
    transactionIndex: model.index,
    version: model.version,
    transaction: {
      signatures: model.signatures.map(encodeBase58),
      message: {
        header: { numRequiredSignatures: model.signatures.length },
        accountKeys: model.staticKeys.map(encodeBase58),
        instructions: model.calls.map((call) => ({ ...rpcInstruction(call), stackHeight: null })),
        ...(model.config && {
          transactionConfig: {
            priorityFee: model.config.priorityFee ?? null,
            computeUnitLimit: model.config.computeUnitLimit ?? null,
          },
        }),
      },
    },
    meta: rpcMeta(model),
  };
}

/** The `meta` beside a transaction in any encoding but jsonParsed. */
export function rpcMeta(model: ModelTransaction): object {
  const { error } = model;
  const detail = error?.customCode === undefined ? 'ProgramFailedToComplete' : { Custom: error.customCode };
  return {
    err: error && { InstructionError: [error.instructionIndex, detail] },
    fee: model.fee,
    preBalances: model.preBalances,
    postBalances: model.postBalances,
    preTokenBalances: tokenSides(model, 'pre'),
    postTokenBalances: tokenSides(model, 'post'),
    innerInstructions: model.callsRecorded
      ? innerGroups(model).map(({ index, instructions }) => ({
          index,
          instructions: instructions.map((call) => ({ ...rpcInstruction(call), stackHeight: call.stackHeight })),
        }))
      : null,
    logMessages: model.logs ?? null,
    loadedAddresses: {
      writable: model.loadedWritable.map(encodeBase58),
      readonly: model.loadedReadonly.map(encodeBase58),
    },
  };
}

function rpcInstruction({ programIndex, accounts, data }: Omit<ModelCall, 'calls'>) {
  return { programIdIndex: programIndex, accounts, data: encodeBase58(data) };
}

/** A `getTransaction` result in the jsonParsed encoding, which resolves keys and names accounts by address. */
export function jsonParsed(model: ModelTransaction): object {
  const signers = model.signatures.length;
  const keys = [
    ...model.staticKeys.map((key, i) => ({ pubkey: encodeBase58(key), signer: i < signers, source: 'transaction' })),
    ...[...model.loadedWritable, ...model.loadedReadonly].map((key) => {
      return { pubkey: encodeBase58(key), signer: false, source: 'lookupTable' };
    }),
  ];
  const named = (
    call: { programIndex: number; accounts: readonly number[]; data: Uint8Array },
    stackHeight: number,
  ) => ({
    programId: keys[call.programIndex]!.pubkey,
    accounts: call.accounts.map((account) => keys[account]!.pubkey),
    data: encodeBase58(call.data),
    stackHeight,
  });
  const json = rpcTransaction(model) as { transaction: { message: object }; meta: object };
  const instructions = model.calls.map((call) => named(call, 1));
  Object.assign(json.transaction.message, { accountKeys: keys, header: undefined, instructions });
  const groups = innerGroups(model).map(({ index, instructions: calls }) => {
    return { index, instructions: calls.map((call) => named(call, call.stackHeight)) };
  });
  const innerInstructions = model.callsRecorded ? groups : null;
  return { ...json, meta: { ...json.meta, loadedAddresses: undefined, innerInstructions } };
}

/** JSON as a node writes it: bigints are bare numbers, however long. */
export function rpcText(json: object): string {
  const marked = JSON.stringify(json, (_, value) => (typeof value === 'bigint' ? `\u0001${value}` : value));
  return marked.replace(/"\\u0001(\d+)"/g, '$1');
}
