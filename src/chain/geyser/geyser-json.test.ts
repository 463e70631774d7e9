import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ModelTransaction, modelTransaction } from '../../../test/support/arbitrary-transaction.ts';
import { geyserInfo, plainModel, plainTransaction } from '../../../test/support/transaction-encodings.ts';
import { failingJournal } from '../../kernel/journal.ts';
import { encodeBase58 } from '../keys/base58.ts';
import { readRpcTransaction } from '../rpc/rpc-json.ts';
import { COMPUTE_BUDGET_PROGRAM } from '../well-known.ts';

/** Ways in which clients dump bytes. */
const DUMPS = {
  numbers: (bytes: Uint8Array) => [...bytes],
  buffers: (bytes: Uint8Array) => ({ type: 'Buffer', data: [...bytes] }),
};

function dump(model: ModelTransaction, form: (bytes: Uint8Array) => unknown): object {
  const text = JSON.stringify(geyserInfo(model), (_, value) => (value instanceof Uint8Array ? form(value) : value));
  const info = JSON.parse(text) as { signature: unknown; transaction: { signatures: unknown } };
  // Signatures are the one thing that clients like to print in base58.
  info.signature = encodeBase58(model.signatures[0]!);
  info.transaction.signatures = model.signatures.map(encodeBase58);
  return info;
}

function read(json: object) {
  return readRpcTransaction(json, failingJournal);
}

describe('a Yellowstone update dumped as JSON', () => {
  for (const [name, form] of Object.entries(DUMPS)) {
    it(`reads as the transaction it was, with bytes as ${name}`, () => {
      fc.assert(
        fc.property(modelTransaction, (model) => {
          const block = read({ slot: 9, transaction: dump(model, form) });
          expect(block).toMatchObject({ slot: 9, blockTime: null, whole: false });
          expect(plainTransaction(block.transactions[0]!)).toEqual(plainModel(model));
        }),
        { numRuns: 50 },
      );
    });
  }

  it('reads with the whole update around it', () => {
    const [model] = fc.sample(modelTransaction, { numRuns: 1, seed: 1 });
    const update = { filters: ['all'], transaction: { slot: '9', transaction: dump(model!, DUMPS.numbers) } };
    const block = read(update);
    expect(block.slot).toBe(9);
    expect(plainTransaction(block.transactions[0]!)).toEqual(plainModel(model!));
  });

  it('leaves out a vote', () => {
    const info = { isVote: true, transaction: {}, meta: {} };
    expect(read({ slot: 9, transaction: info })).toMatchObject({ transactions: [], voteCount: 1 });
  });

  it('is a v1 whose config was dropped only when nothing else explains its fee', () => {
    const [model] = fc.sample(
      modelTransaction.filter(({ version, config }) => version === 1 && !!config),
      { numRuns: 1, seed: 2 },
    );
    const without = { ...model!, config: undefined, fee: 99_999n, calls: [] };
    const versionOf = (each: ModelTransaction) => {
      const [transaction] = read({ slot: 9, transaction: dump(each, DUMPS.numbers) }).transactions;
      return { version: transaction!.version, config: transaction!.config };
    };
    expect(versionOf(without)).toEqual({ version: 1, config: null });
    expect(versionOf({ ...without, fee: 0n })).toEqual({ version: 0, config: undefined });
    expect(versionOf({ ...without, loadedReadonly: [new Uint8Array(32)] })).toEqual({ version: 0, config: undefined });
    const budget = new Uint8Array(
      Buffer.from('0306466fe5211732ffecadba72c39be7bc8ce5bbc5f7126b2c439b3a40000000', 'hex'),
    );
    expect(encodeBase58(budget)).toBe(COMPUTE_BUDGET_PROGRAM);
    const price = { programIndex: 1, accounts: [], data: Uint8Array.of(3, 1, 0, 0, 0, 0, 0, 0, 0), calls: [] };
    const staticKeys = [without.staticKeys[0]!, budget];
    expect(versionOf({ ...without, staticKeys, calls: [price] })).toEqual({ version: 0, config: undefined });
  });
});
