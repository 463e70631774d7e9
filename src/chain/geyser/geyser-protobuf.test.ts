import { SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ModelTransaction, modelTransaction } from '../../../test/support/arbitrary-transaction.ts';
import { geyserInfo, plainModel, plainTransaction } from '../../../test/support/transaction-encodings.ts';
import { failingJournal, type Oddity } from '../../kernel/journal.ts';
import { addressBytes } from '../keys/address-table.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { COMPUTE_BUDGET_PROGRAM, ED25519_PROGRAM } from '../well-known.ts';
import { GeyserLayout } from './geyser-layout.ts';
import { readPreBalances } from './geyser-meta.ts';
import { readGeyserBlock, readGeyserUpdate } from './geyser-protobuf.ts';

/** The client's own encoder is the oracle. */
function encode(update: object): Uint8Array {
  return SubscribeUpdate.encode(SubscribeUpdate.fromPartial(update)).finish();
}

const VOTE = { isVote: true, index: '1', signature: new Uint8Array(64) };

function blockUpdate(transactions: object[], more: object = {}): object {
  const executedTransactionCount = String(transactions.length);
  return { block: { slot: '351234567', parentSlot: '351234565', transactions, executedTransactionCount, ...more } };
}

describe('readGeyserUpdate', () => {
  it('finds every field of every transaction that the client encodes', () => {
    fc.assert(
      fc.property(fc.array(modelTransaction, { maxLength: 4 }), (models) => {
        const bytes = encode(blockUpdate(models.map(geyserInfo)));
        const block = readGeyserBlock(bytes, failingJournal);
        expect(block.transactions.map(plainTransaction)).toEqual(models.map(plainModel));
      }),
      { numRuns: 150 },
    );
  });

  it('reads the head of a block and leaves votes out, but counts them', () => {
    const [model] = fc.sample(modelTransaction, { numRuns: 1, seed: 7 });
    const head = {
      blockhash: '5GG5pzTbH6KgZM54M9XWfBNmBupQuZXdQxoZRRQXHcpM',
      parentBlockhash: 'EYsTHGSVYm7VTTKMUERA57hxCF4PCNGBzDi7Ct7oaQEk',
      blockTime: { timestamp: '1790000000' },
    };
    const bytes = encode(blockUpdate([VOTE, geyserInfo({ ...model!, index: 2 }), VOTE], head));
    const block = readGeyserBlock(bytes, failingJournal);
    expect({ ...block, transactions: block.transactions.map((transaction) => transaction.index) }).toEqual({
      slot: 351_234_567,
      parentSlot: 351_234_565,
      blockhash: '5GG5pzTbH6KgZM54M9XWfBNmBupQuZXdQxoZRRQXHcpM',
      parentBlockhash: 'EYsTHGSVYm7VTTKMUERA57hxCF4PCNGBzDi7Ct7oaQEk',
      blockTime: 1_790_000_000,
      transactions: [2],
      transactionCount: 3,
      voteCount: 2,
      whole: true,
    });
  });

  it('knows no parent but its slot when the node sends no hash, or one of nothing', () => {
    for (const parentBlockhash of ['', '1'.repeat(32)]) {
      const { parentSlot, ...head } = readGeyserBlock(encode(blockUpdate([], { parentBlockhash })), failingJournal);
      expect([parentSlot, head.parentBlockhash]).toEqual([351_234_565, undefined]);
    }
  });

  it('knows no time when the node sends none', () => {
    expect(readGeyserBlock(encode(blockUpdate([])), failingJournal).blockTime).toBeNull();
  });

  it('does not take a block with some of its transactions for whole', () => {
    const bytes = encode(blockUpdate([VOTE], { executedTransactionCount: '2' }));
    expect(readGeyserBlock(bytes, failingJournal)).toMatchObject({ whole: false, transactionCount: 2 });
  });

  it('reads slots, pings, pongs and single transactions, and passes over the rest', () => {
    const [model] = fc.sample(modelTransaction, { numRuns: 1, seed: 8 });
    const read = (update: object) => readGeyserUpdate(encode(update), failingJournal);
    expect(read({ slot: { slot: '9', parent: '8', status: 2 } })).toEqual({
      kind: 'slot',
      slot: 9,
      parent: 8,
      status: 'finalized',
    });
    expect(read({ slot: { slot: '9', status: 6 } })).toMatchObject({ parent: undefined, status: 'dead' });
    expect(read({ slot: { slot: '9', status: 77 } })).toMatchObject({ status: 'unknown' });
    expect(read({ ping: {} })).toEqual({ kind: 'ping' });
    expect(read({ pong: { id: 1 } })).toEqual({ kind: 'pong' });
    expect(read({ entry: { slot: '9' }, filters: ['x'] })).toEqual({ kind: 'other' });
    const single = read({ transaction: { slot: '9', transaction: geyserInfo(model!) } });
    if (single.kind !== 'transaction') throw new Error(single.kind);
    expect(single.block).toMatchObject({ slot: 9, whole: false, transactionCount: 1, voteCount: 0 });
    expect(plainTransaction(single.block.transactions[0]!)).toEqual(plainModel(model!));
    expect(read({ transaction: { slot: '9', transaction: VOTE } })).toMatchObject({
      block: { transactions: [], voteCount: 1 },
    });
  });

  it('reads a Buffer and hands out copies of signatures, which outlive the update', () => {
    const [model] = fc.sample(modelTransaction, { numRuns: 1, seed: 9 });
    const bytes = Buffer.concat([Buffer.from('xyz'), encode(blockUpdate([geyserInfo(model!)]))]).subarray(3);
    const [transaction] = readGeyserBlock(bytes, failingJournal).transactions;
    expect(plainTransaction(transaction!)).toEqual(plainModel(model!));
    expect(transaction!.signature.buffer.byteLength).toBe(64);
    expect(transaction!.instructions[0]!.data.buffer).toBe(bytes.buffer);
  });

  it('puts calls where they belong in whatever order the node lists them, and refuses those that belong nowhere', () => {
    const [model] = fc.sample(
      modelTransaction.filter(
        ({ calls, callsRecorded }) => callsRecorded && calls.filter((call) => call.calls.length > 0).length === 2,
      ),
      { numRuns: 1, seed: 3 },
    );
    const spoilt = (change: (groups: { index: number }[]) => object[]) => {
      const info = geyserInfo(model!) as { meta: { innerInstructions: { index: number }[] } };
      info.meta.innerInstructions = change(info.meta.innerInstructions) as { index: number }[];
      return readGeyserBlock(encode(blockUpdate([info])), failingJournal).transactions[0]!;
    };
    expect(geyserInfo(model!)).toMatchObject({ meta: { innerInstructions: [{}, {}] } });
    expect(plainTransaction(spoilt((groups) => groups.reverse()))).toEqual(plainModel(model!));
    const stray = spoilt((groups) => [...groups, { index: model!.calls.length, instructions: [] }]);
    expect(() => stray.instructions).toThrow(MalformedWire);
  });

  it('takes calls without stack height as called by their top-level instruction', () => {
    const [model] = fc.sample(
      modelTransaction.filter((each) => each.callsRecorded),
      { numRuns: 1, seed: 3 },
    );
    const info = geyserInfo({ ...model!, calls: model!.calls.map((call) => ({ ...call, calls: [] })) });
    const call = { programIdIndex: 0, accounts: new Uint8Array(), data: new Uint8Array() };
    Object.assign((info as { meta: object }).meta, { innerInstructions: [{ index: 0, instructions: [call, call] }] });
    const [transaction] = readGeyserBlock(encode(blockUpdate([info])), failingJournal).transactions;
    const tree = transaction!.instructions.slice(0, 3).map(({ parent, depth }) => [parent, depth]);
    expect(tree).toEqual([
      [-1, 1],
      [0, 2],
      [0, 2],
    ]);
  });
});

describe('balances', () => {
  it('are read packed and one by one, with other fields in between', () => {
    const layout = new GeyserLayout();
    // Pre-balance 5, fee 7, pre-balances 6 and 8.
    const bytes = Uint8Array.of(24, 5, 16, 7, 26, 2, 6, 8);
    layout.preTo = bytes.length;
    expect([...readPreBalances(bytes, layout)]).toEqual([5n, 6n, 8n]);
  });
});

describe('a versioned message without a config', () => {
  const [v1] = fc.sample(
    modelTransaction.filter(({ version, config }) => version === 1 && config !== undefined),
    { numRuns: 1, seed: 2 },
  );
  const bare = { ...v1!, config: undefined, calls: [], fee: 99_999n };
  const read = (model: ModelTransaction) => {
    const [transaction] = readGeyserBlock(encode(blockUpdate([geyserInfo(model)])), failingJournal).transactions;
    return { version: transaction!.version, config: transaction!.config };
  };

  it('is a v1 whose config was dropped when nothing else explains its fee', () => {
    expect(read(bare)).toEqual({ version: 1, config: null });
  });

  it('is a v0 when something else may explain it, or nothing has to', () => {
    const v0 = { version: 0, config: undefined };
    expect(read({ ...bare, fee: 0n })).toEqual(v0);
    expect(read({ ...bare, loadedReadonly: [new Uint8Array(32)] })).toEqual(v0);
    const staticKeys = [v1!.staticKeys[0]!, addressBytes(COMPUTE_BUDGET_PROGRAM), addressBytes(ED25519_PROGRAM)];
    const price = { programIndex: 1, accounts: [], data: Uint8Array.of(3, 1, 0, 0, 0, 0, 0, 0, 0), calls: [] };
    expect(read({ ...bare, staticKeys, calls: [price] })).toEqual(v0);
    const precompile = { programIndex: 2, accounts: [], data: Uint8Array.of(1, 0), calls: [] };
    expect(read({ ...bare, staticKeys, calls: [precompile] })).toEqual(v0);
  });

  it('is a v1 with a config whether or not the source says that it is versioned', () => {
    const info = geyserInfo(v1!) as { transaction: { message: object } };
    Object.assign(info.transaction.message, { versioned: false });
    const [transaction] = readGeyserBlock(encode(blockUpdate([info])), failingJournal).transactions;
    expect({ version: transaction!.version, config: transaction!.config }).toEqual({ version: 1, config: v1!.config });
  });

  it('is legacy when it is not versioned, whatever it paid', () => {
    expect(read({ ...bare, version: 'legacy' })).toEqual({ version: 'legacy', config: undefined });
  });
});

describe('a transaction that failed to load', () => {
  it('has no recorded calls, though the node sends an empty list', () => {
    const [model] = fc.sample(modelTransaction, { numRuns: 1, seed: 11 });
    const info = geyserInfo({ ...model!, calls: [], logs: [], callsRecorded: true });
    Object.assign((info as { meta: object }).meta, { err: { err: Uint8Array.of(3, 0, 0, 0) } });
    const [transaction] = readGeyserBlock(encode(blockUpdate([info])), failingJournal).transactions;
    expect(transaction).toMatchObject({ error: { kind: 'ProgramAccountNotFound' }, hasInnerInstructions: false });
  });
});

describe('malformed updates', () => {
  const [plain] = fc.sample(modelTransaction, { numRuns: 1, seed: 5 });

  it('with more keys than instructions can point at are refused', () => {
    const many = Array.from({ length: 257 }, () => new Uint8Array(32));
    const notes: Oddity[] = [];
    for (const loadedReadonly of [many, []]) {
      const staticKeys = loadedReadonly.length > 0 ? plain!.staticKeys : many;
      const info = geyserInfo({ ...plain!, staticKeys, loadedWritable: [], loadedReadonly });
      readGeyserBlock(encode(blockUpdate([info])), { note: (oddity) => notes.push(oddity) });
    }
    expect(notes.map(({ code }) => code)).toEqual(['malformed_transaction', 'malformed_transaction']);
  });

  it('with token balances of no key, or of a mint with more decimals than fit a byte, are refused', () => {
    const amount = (decimals: number) => ({ amount: '1', decimals, uiAmount: 0, uiAmountString: '' });
    const mint = 'So11111111111111111111111111111111111111112';
    const balance = (accountIndex: number, decimals: number) => {
      return { accountIndex, mint, owner: '', programId: '', uiTokenAmount: amount(decimals) };
    };
    for (const wrong of [balance(200, 6), balance(0, 256)]) {
      const info = geyserInfo(plain!) as { meta: object };
      Object.assign(info.meta, { preTokenBalances: [wrong] });
      const [transaction] = readGeyserBlock(encode(blockUpdate([info])), failingJournal).transactions;
      expect(() => transaction!.tokenBalances).toThrow(MalformedWire);
    }
  });

  it('cost the transaction they are in, not the block', () => {
    const [model] = fc.sample(modelTransaction, { numRuns: 1, seed: 5 });
    const shortKey = geyserInfo({ ...model!, staticKeys: [new Uint8Array(31)] });
    const notes: Oddity[] = [];
    const bytes = encode(blockUpdate([shortKey, geyserInfo(model!)]));
    const block = readGeyserBlock(bytes, { note: (oddity) => notes.push(oddity) });
    expect(block).toMatchObject({ transactionCount: 2, transactions: { length: 1 } });
    expect(notes).toMatchObject([{ code: 'malformed_transaction', subject: 'geyser-protobuf', detail: { place: 0 } }]);
  });

  it('throw MalformedWire and nothing else, wherever they are broken, and never hang', () => {
    const [model] = fc.sample(
      modelTransaction.filter((each) => each.tokens.length > 1),
      { numRuns: 1, seed: 4 },
    );
    const whole = encode(blockUpdate([geyserInfo(model!)]));
    const readAll = (bytes: Uint8Array) => {
      try {
        const update = readGeyserUpdate(bytes, { note() {} });
        if (update.kind === 'block') for (const transaction of update.block.transactions) plainTransaction(transaction);
      } catch (error) {
        if (!(error instanceof MalformedWire)) throw error;
      }
    };
    for (let length = 0; length < whole.length; length++) readAll(whole.subarray(0, length));
    fc.assert(
      fc.property(
        fc.nat({ max: whole.length - 1 }),
        fc.nat({ max: 255 }),
        fc.nat({ max: 255 }),
        (at, first, second) => {
          const broken = whole.slice();
          broken[at] = first;
          broken[(at + 1) % broken.length] = second;
          readAll(broken);
        },
      ),
      { numRuns: 3_000 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), readAll), { numRuns: 1_000 });
  });

  it('are refused when a block was asked for', () => {
    expect(() => readGeyserBlock(encode({ ping: {} }), failingJournal)).toThrow(MalformedWire);
  });
});
