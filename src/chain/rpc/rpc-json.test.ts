import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ModelTransaction, modelTransaction } from '../../../test/support/arbitrary-transaction.ts';
import {
  innerGroups,
  jsonParsed,
  plainModel,
  plainTransaction,
  rpcMeta,
  rpcText,
  rpcTransaction,
} from '../../../test/support/transaction-encodings.ts';
import { wireBytes } from '../../../test/support/wire-encoding.ts';
import { failingJournal, type Oddity } from '../../kernel/journal.ts';
import { encodeBase58 } from '../keys/base58.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { VOTE_PROGRAM } from '../well-known.ts';
import { parseRpcJson, readRpcBlock, readRpcTransaction } from './rpc-json.ts';

/** As it comes from a node: through text. */
function read(json: object) {
  return readRpcTransaction(parseRpcJson(rpcText(json)), failingJournal);
}

function sample(seed: number, where: (model: ModelTransaction) => boolean = () => true): ModelTransaction {
  return fc.sample(modelTransaction.filter(where), { numRuns: 1, seed })[0]!;
}

function binary(model: ModelTransaction, encoding: 'base64' | 'base58'): object {
  const bytes = wireBytes(model);
  const text = encoding === 'base64' ? Buffer.from(bytes).toString('base64') : encodeBase58(bytes);
  const { index, version } = model;
  return { slot: 7, transactionIndex: index, version, transaction: [text, encoding], meta: rpcMeta(model) };
}

describe('readRpcTransaction', () => {
  const encodings: Record<string, (model: ModelTransaction) => object> = {
    json: rpcTransaction,
    jsonParsed,
    base64: (model) => binary(model, 'base64'),
    base58: (model) => binary(model, 'base58'),
  };
  for (const [name, encode] of Object.entries(encodings)) {
    it(`finds every field in the ${name} encoding`, () => {
      fc.assert(
        fc.property(modelTransaction, (model) => {
          const block = read(encode(model));
          expect(block).toMatchObject({ slot: 7, whole: false, transactionCount: 1, voteCount: 0 });
          expect(plainTransaction(block.transactions[0]!)).toEqual(plainModel(model));
        }),
        { numRuns: 100 },
      );
    });
  }

  it('takes numbers, texts and bigints for lamports', () => {
    const model = { ...sample(1), fee: 5_000n, preBalances: [1n, 2n, 1n << 60n], postBalances: [] };
    for (const fee of [5_000, '5000', 5_000n]) {
      const json = rpcTransaction(model) as { meta: object };
      Object.assign(json.meta, { fee, preBalances: [1, '2', 1n << 60n], postBalances: [] });
      const [transaction] = readRpcTransaction(json, failingJournal).transactions;
      expect(transaction).toMatchObject({ fee: 5_000n, preBalances: [1n, 2n, 1n << 60n] });
    }
  });

  it('unwraps the envelope of the answer', () => {
    const model = sample(2);
    const [transaction] = read({ jsonrpc: '2.0', id: 1, result: rpcTransaction(model) }).transactions;
    expect(plainTransaction(transaction!)).toEqual(plainModel(model));
  });

  it('says null for the config of a v1 message that the node dropped', () => {
    const json = rpcTransaction(sample(3, (model) => model.version === 1)) as { transaction: { message: object } };
    Object.assign(json.transaction.message, { transactionConfig: undefined });
    expect(read(json).transactions[0]).toMatchObject({ version: 1, config: null });
  });

  it('puts calls where they belong in whatever order the node lists them', () => {
    const model = sample(10, (each) => innerGroups(each).length > 1);
    const json = rpcTransaction(model) as { meta: { innerInstructions: object[] } };
    json.meta.innerInstructions.reverse();
    expect(plainTransaction(read(json).transactions[0]!)).toEqual(plainModel(model));
  });

  it('tells v0 from legacy by looked-up keys when the node leaves the version out', () => {
    const withLookups = sample(4, (model) => model.loadedWritable.length > 0);
    expect(read({ ...rpcTransaction(withLookups), version: undefined }).transactions[0]).toMatchObject({ version: 0 });
    const legacy = sample(5, (model) => model.version === 'legacy');
    expect(read({ ...rpcTransaction(legacy), version: undefined }).transactions[0]).toMatchObject({
      version: 'legacy',
    });
  });

  it('leaves out a vote, but not a vote in the company of other instructions', () => {
    const model = sample(6, ({ version, calls }) => version === 'legacy' && calls.length === 1);
    const json = rpcTransaction(model) as { transaction: { message: { accountKeys: string[] } } };
    json.transaction.message.accountKeys[model.calls[0]!.programIndex] = VOTE_PROGRAM;
    expect(read(json)).toMatchObject({ transactions: [], transactionCount: 1, voteCount: 1 });
    const instructions = [...model.calls, ...model.calls].map(({ programIndex }) => {
      return { programIdIndex: programIndex, accounts: [], data: '' };
    });
    Object.assign(json.transaction.message, { instructions });
    expect(read(json)).toMatchObject({ transactions: [{}], voteCount: 0 });
  });

  it('throws for JSON that is no transaction', () => {
    for (const json of [null, 7, {}, { result: null }, { slot: 7 }]) {
      expect(() => readRpcTransaction(json, failingJournal)).toThrow(MalformedWire);
    }
  });

  it('notes a malformed transaction and goes without it', () => {
    const model = sample(7, ({ calls }) => calls.length === 1);
    const bad: ((json: ReturnType<typeof parts>) => void)[] = [
      (json) => Object.assign(json, { meta: null }),
      (json) => Object.assign(json, { version: 2 }),
      (json) => Object.assign(json.meta, { fee: -1 }),
      (json) => Object.assign(json.meta, { err: 7 }),
      (json) => Object.assign(json.meta, { innerInstructions: [{ index: 1, instructions: [] }] }),
      (json) => Object.assign(json.transaction, { signatures: [] }),
      (json) => Object.assign(json.transaction.message, { accountKeys: ['abc'] }),
      (json) => Object.assign(json, { transaction: ['AAAA', 'base64'] }),
      (json) => Object.assign(json, { transaction: ['AAAA', 'zstd'] }),
    ];
    const parts = () =>
      parseRpcJson(rpcText(rpcTransaction(model))) as { meta: object; transaction: { message: object } };
    for (const spoil of bad) {
      const notes: Oddity[] = [];
      const json = parts();
      spoil(json);
      const block = readRpcTransaction(json, { note: (oddity) => notes.push(oddity) });
      expect(block.transactions, String(spoil)).toHaveLength(0);
      expect(notes, String(spoil)).toMatchObject([{ code: 'malformed_transaction', subject: 'rpc-json' }]);
    }
  });

  it('throws MalformedWire where a lazy part turns out malformed', () => {
    const model = sample(8, ({ calls }) => calls.length === 1);
    const json = parseRpcJson(rpcText(rpcTransaction(model))) as { meta: object; transaction: { message: object } };
    Object.assign(json.meta, { preBalances: [1.5], postBalances: 'x', preTokenBalances: [{ accountIndex: 1 }] });
    Object.assign(json.transaction, { signatures: ['abc'] });
    Object.assign(json.transaction.message, { instructions: [{ programIdIndex: 99, accounts: [], data: '0' }] });
    const transaction = readRpcTransaction(json, failingJournal).transactions[0]!;
    expect(() => transaction.preBalances).toThrow(MalformedWire);
    expect(() => transaction.postBalances).toThrow(MalformedWire);
    expect(() => transaction.tokenBalances).toThrow(MalformedWire);
    expect(() => transaction.signature).toThrow(MalformedWire);
    expect(() => transaction.instructions[0]!.data).toThrow(MalformedWire);
    expect(() => transaction.keys.at(transaction.instructions[0]!.programIndex)).toThrow(MalformedWire);
  });
});

describe('readRpcBlock', () => {
  it('numbers transactions by their place, votes and malformed ones counted', () => {
    const model = sample(9);
    const { slot: _, ...entry } = rpcTransaction(model) as Record<string, unknown>;
    const other = rpcTransaction(sample(11));
    const notes: Oddity[] = [];
    const json = { blockhash: 'hash', parentSlot: 41, blockTime: null, transactions: [entry, { meta: null }, other] };
    const block = readRpcBlock(42, parseRpcJson(rpcText(json)), { note: (oddity) => notes.push(oddity) });
    expect(block).toMatchObject({
      slot: 42,
      parentSlot: 41,
      blockhash: 'hash',
      blockTime: null,
      whole: true,
      transactionCount: 3,
    });
    expect(block.transactions.map((transaction) => transaction.index)).toEqual([0, 2]);
    expect(notes).toMatchObject([{ code: 'malformed_transaction', detail: { place: 1 } }]);
  });

  it('counts a transaction that a node gives twice once, and moves up those behind it, in every encoding', () => {
    const [one, two] = [sample(9), sample(11)];
    const bad = { meta: null };
    for (const encode of [rpcTransaction, jsonParsed, (model: ModelTransaction) => binary(model, 'base64')]) {
      const notes: Oddity[] = [];
      const transactions = [encode(one), encode(one), bad, encode(one), encode(two)];
      const json = { blockhash: 'hash', parentSlot: 41, blockTime: null, transactions };
      const block = readRpcBlock(42, parseRpcJson(rpcText(json)), { note: (oddity) => notes.push(oddity) });
      expect(block.transactionCount).toBe(3);
      expect(block.transactions.map(({ index }) => index)).toEqual([0, 2]);
      expect(notes).toContainEqual(expect.objectContaining({ code: 'repeated_transaction' }));
    }
  });

  it('tells the version of the parent, unless the node does not know it', () => {
    const block = { blockhash: 'hash', parentSlot: 41, transactions: [] };
    const parentOf = (more: object) => readRpcBlock(42, { ...block, ...more }, failingJournal).parentBlockhash;
    expect(parentOf({ previousBlockhash: 'parent' })).toBe('parent');
    for (const more of [{}, { previousBlockhash: null }, { previousBlockhash: '1'.repeat(32) }]) {
      expect(parentOf(more)).toBeUndefined();
    }
  });

  it('throws for what is no block with full transactions', () => {
    for (const json of [null, {}, { blockhash: 'hash', parentSlot: 1 }, { blockhash: 'hash', transactions: [] }]) {
      expect(() => readRpcBlock(42, json, failingJournal)).toThrow(MalformedWire);
    }
  });
});
