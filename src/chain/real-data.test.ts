import { createPublicKey, verify } from 'node:crypto';
import { SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { describe, expect, it } from 'vitest';
import {
  defectiveTransactions,
  fixtureText,
  hasFixtures,
  type RealTransaction,
  realTransactions,
  transactionIndex,
} from '../../test/support/fixtures.ts';
import { plainTransaction } from '../../test/support/transaction-encodings.ts';
import { failingJournal, type Oddity } from '../kernel/journal.ts';
import type { Block, Transaction, TransactionError } from './block.ts';
import { readComputeBudget } from './compute-budget.ts';
import { readGeyserBlock } from './geyser/geyser-protobuf.ts';
import { addressBytes } from './keys/address-table.ts';
import { decodeBase58, encodeBase58, encodeSignature } from './keys/base58.ts';
import { MalformedWire } from './malformed-wire.ts';
import { parseRpcJson, readRpcBlock, readRpcTransaction } from './rpc/rpc-json.ts';
import { decodeTransactionError } from './transaction-error.ts';
import { ATA_PROGRAM, TOKEN_2022_PROGRAM } from './well-known.ts';
import { decodeWireTransaction } from './wire-transaction.ts';

const FOLDERS = ['transactions', 'transactions-other', 'transfers', 'equities'] as const;

function read({ text, json }: RealTransaction): Transaction {
  // Through our own parser where the file is the answer itself.
  const parsed = text.startsWith('{"') && !text.includes('"raw"') ? parseRpcJson(text) : json;
  const { transactions } = readRpcTransaction(parsed, failingJournal);
  if (transactions.length !== 1) throw new Error('expected one transaction');
  return transactions[0]!;
}

function sum(lamports: Iterable<bigint>): bigint {
  return Array.from(lamports).reduce((total, each) => total + each, 0n);
}

/** Checks every signature of a base64 transaction with node's own ed25519. */
function verifySignatures(json: unknown): number {
  const { transaction } = json as { transaction: unknown };
  if (!Array.isArray(transaction)) return 0;
  const bytes = new Uint8Array(Buffer.from(transaction[0] as string, 'base64'));
  const wire = decodeWireTransaction(bytes);
  const message = bytes.subarray(wire.messageFrom, wire.messageTo);
  wire.signatureOffsets.forEach((at, i) => {
    const keyAt = wire.keyOffsets[i]!;
    const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes.subarray(keyAt, keyAt + 32)]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    expect(verify(null, message, key, bytes.subarray(at, at + 64))).toBe(true);
  });
  return wire.signatureOffsets.length;
}

describe.skipIf(!hasFixtures)('real transactions', () => {
  const all = FOLDERS.flatMap((folder) => realTransactions(folder));

  it('are there', () => {
    expect(realTransactions()).toHaveLength(41);
    expect(realTransactions('transactions-other')).toHaveLength(59);
  });

  it('read whole in every encoding, to the last key and byte', () => {
    for (const each of all) {
      const transaction = read(each);
      const count = transaction.keys.length;
      for (const { programIndex, accounts, data } of transaction.instructions) {
        for (const index of [programIndex, ...Array.from(accounts)]) expect(index, each.name).toBeLessThan(count);
        expect(data, each.name).toBeInstanceOf(Uint8Array);
      }
      for (let i = 0; i < count; i++) expect(addressBytes(transaction.keys.at(i)), each.name).toHaveLength(32);
      expect(transaction.preBalances, each.name).toHaveLength(count);
      expect(transaction.postBalances, each.name).toHaveLength(count);
      // One of them failed to load: nothing of it ran.
      const ran = transaction.error?.kind !== 'ProgramAccountNotFound';
      expect([transaction.hasInnerInstructions, transaction.logs.length > 0], each.name).toEqual([ran, ran]);
    }
  });

  it('carry the signatures and slots that their index says', () => {
    for (const folder of ['transactions', 'transactions-other'] as const) {
      const index = transactionIndex(folder);
      for (const { name, json } of realTransactions(folder)) {
        const block = readRpcTransaction(json, failingJournal);
        const { signature, slot } = index.get(name)!;
        expect(encodeSignature(block.transactions[0]!.signature), name).toBe(signature);
        expect(block.slot, name).toBe(slot ?? 0);
      }
    }
  });

  it('neither make nor lose lamports but for the fee', () => {
    for (const each of all) {
      const transaction = read(each);
      expect(sum(transaction.preBalances) - sum(transaction.postBalances), each.name).toBe(transaction.fee);
    }
  });

  it('verify against their signatures where the signed bytes are at hand', () => {
    const verified = all.reduce((count, { json }) => count + verifySignatures(json), 0);
    expect(verified).toBeGreaterThan(60);
  });

  it('call one deeper than their caller, in the order of the tree', () => {
    for (const each of all) {
      const { instructions } = read(each);
      for (const { index, parent, depth, outer } of instructions) {
        expect(depth, each.name).toBe(parent === -1 ? 1 : instructions[parent]!.depth + 1);
        expect(parent, each.name).toBeLessThan(index);
        if (parent !== -1) expect(instructions[parent]!.outer, each.name).toBe(outer);
      }
    }
  });

  it('read the same when the same transaction comes in base64 and in jsonParsed', () => {
    const [binary, parsed] = realTransactions()
      .filter(({ name }) => name.includes('4HbY43S9'))
      .map(
        (each) =>
          plainTransaction(read(each)) as { instructions: { programIndex: number; data: string }[]; keys: string[] },
      );
    // The node says less than there was of token extensions, and of the creation of associated accounts.
    const isTold = ({ programIndex, data }: { programIndex: number; data: string }) => {
      const program = parsed!.keys[programIndex]!;
      return program !== ATA_PROGRAM && (data !== '' || program !== TOKEN_2022_PROGRAM);
    };
    const untold = parsed!.instructions.flatMap((instruction, i) => (isTold(instruction) ? [] : [i]));
    expect(untold).toHaveLength(5);
    for (const each of [binary!, parsed!])
      for (const i of untold) Object.assign(each.instructions[i]!, { accounts: [], data: '', tag: -1 });
    expect(parsed).toEqual(binary);
  });

  it('read the same when they come as Yellowstone updates', () => {
    for (const each of all) {
      const transaction = read(each);
      const info = asGeyserInfo(transaction);
      const update = SubscribeUpdate.fromPartial({
        block: { slot: '1', transactions: [info], executedTransactionCount: '1' },
      });
      const block = readGeyserBlock(SubscribeUpdate.encode(update).finish(), failingJournal);
      expect(plainTransaction(block.transactions[0]!), each.name).toEqual(plainTransaction(transaction));
    }
  });

  it('of version 1 have their budget in the message', () => {
    const budgets = realTransactions()
      .map(read)
      .filter(({ version }) => version === 1)
      .map(readComputeBudget);
    expect(budgets).toEqual([
      { cuPrice: 5_084n, cuLimit: 196_674, priorityFee: 1_000n, source: 1 },
      { cuPrice: 512_954n, cuLimit: 194_949, priorityFee: 100_000n, source: 1 },
    ]);
  });

  it('that were altered are refused', () => {
    const [brokenMessage, brokenKeys] = defectiveTransactions();
    const notes: Oddity[] = [];
    expect(readRpcTransaction(brokenMessage!.json, { note: (oddity) => notes.push(oddity) }).transactions).toEqual([]);
    expect(notes).toMatchObject([{ code: 'malformed_transaction' }]);
    const [transaction] = readRpcTransaction(brokenKeys!.json, failingJournal).transactions;
    expect(() => transaction!.keys.at(transaction!.instructions[0]!.programIndex)).toThrow(MalformedWire);
  });
});

/** The bytes of an error, found by trying: the numbers of variants are tested elsewhere. */
function errorBytes(error: TransactionError): Uint8Array {
  for (let variant = 0; variant < 60; variant++) {
    const bytes = Buffer.alloc(13);
    const isInner = error.kind === 'InstructionError';
    bytes[0] = isInner ? 8 : variant;
    bytes[4] = error.instructionIndex ?? 0;
    bytes[5] = variant;
    bytes.writeUInt32LE(error.customCode ?? 0, 9);
    const decoded = decodeTransactionError(bytes);
    if (decoded.kind === error.kind && decoded.instructionError === error.instructionError) return bytes;
  }
  throw new Error(`no bytes for ${error.kind}`);
}

/** A transaction as the ts-proto codecs want it. */
function asGeyserInfo(transaction: Transaction): object {
  const compiled = transaction.instructions.map(({ programIndex, accounts, data, depth, outer }) => ({
    outer,
    depth,
    json: { programIdIndex: programIndex, accounts: Uint8Array.from(accounts), data, stackHeight: depth },
  }));
  const outerCount = compiled.filter(({ depth }) => depth === 1).length;
  const innerInstructions = Array.from({ length: outerCount }, (_, index) => ({
    index,
    instructions: compiled.filter(({ outer, depth }) => outer === index && depth > 1).map(({ json }) => json),
  }));
  const side = (which: 'pre' | 'post') =>
    transaction.tokenBalances.flatMap(({ accountIndex, mint, decimals, preOwner, postOwner, pre, post }) => {
      const owner = which === 'pre' ? preOwner : postOwner;
      if (owner === undefined) return [];
      const uiTokenAmount = { amount: String(which === 'pre' ? pre : post), decimals, uiAmount: 0, uiAmountString: '' };
      return [{ accountIndex, mint, owner, programId: '', uiTokenAmount }];
    });
  return {
    signature: transaction.signature,
    index: String(transaction.index),
    transaction: {
      signatures: Array.from({ length: transaction.signatureCount }, () => transaction.signature),
      message: {
        header: { numRequiredSignatures: transaction.signerCount },
        accountKeys: Array.from({ length: transaction.keys.length }, (_, i) => decodeBase58(transaction.keys.at(i))),
        instructions: compiled.filter(({ depth }) => depth === 1).map(({ json }) => json),
        versioned: transaction.version !== 'legacy',
        config: transaction.config && {
          priorityFee: transaction.config.priorityFee?.toString(),
          computeUnitLimit: transaction.config.computeUnitLimit,
        },
      },
    },
    meta: {
      err: transaction.error === null ? undefined : { err: errorBytes(transaction.error) },
      fee: String(transaction.fee),
      preBalances: Array.from(transaction.preBalances, String),
      postBalances: Array.from(transaction.postBalances, String),
      innerInstructions,
      logMessages: Array.from({ length: transaction.logs.length }, (_, i) => transaction.logs.at(i)),
      preTokenBalances: side('pre'),
      postTokenBalances: side('post'),
    },
  };
}

describe.skipIf(!hasFixtures)('a whole real block', () => {
  const block = (): Block => {
    return readRpcBlock(254_170_887, parseRpcJson(fixtureText('blocks/mainnet-254170887.json.gz')), failingJournal);
  };

  it('has the counts that are known of it', () => {
    const { transactions, ...head } = block();
    expect(head).toEqual({
      slot: 254_170_887,
      blockhash: '5GG5pzTbH6KgZM54M9XWfBNmBupQuZXdQxoZRRQXHcpM',
      parentSlot: 254_170_886,
      parentBlockhash: '9BMHTdybcGah8PWtCzu8tVFDBXmiEHZZDf3FaZ651Nf',
      blockTime: 1_710_441_678,
      transactionCount: 602,
      voteCount: 158,
      whole: true,
    });
    expect(transactions).toHaveLength(602 - 158);
    expect(transactions.filter(({ error }) => error !== null)).toHaveLength(305);
    expect(transactions.filter(({ version }) => version === 0)).toHaveLength(263);
  });

  it('reads to the last byte, loses no lamports but fees, and verifies', () => {
    for (const transaction of block().transactions) {
      plainTransaction(transaction);
      const { preBalances, postBalances, fee, index } = transaction;
      expect(sum(preBalances) - sum(postBalances), `transaction ${index}`).toBe(fee);
    }
    const { transactions } = parseRpcJson(fixtureText('blocks/mainnet-254170887.json.gz')) as {
      transactions: unknown[];
    };
    for (const json of transactions.slice(0, 100)) expect(verifySignatures(json)).toBeGreaterThan(0);
  });

  it('spells signatures as nodes do', () => {
    for (const { signature } of block().transactions.slice(0, 50)) {
      expect(decodeBase58(encodeBase58(signature))).toEqual(signature);
    }
  });
});
