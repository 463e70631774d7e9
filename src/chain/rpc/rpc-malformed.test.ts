import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ModelTransaction, modelTransaction } from '../../../test/support/arbitrary-transaction.ts';
import { extent } from '../../../test/support/extent.ts';
import {
  geyserInfo,
  jsonParsed,
  plainTransaction,
  rpcMeta,
  rpcTransaction,
} from '../../../test/support/transaction-encodings.ts';
import { wireBytes } from '../../../test/support/wire-encoding.ts';
import { LazyAccountKeys } from '../keys/account-keys.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { readRpcTransaction } from './rpc-json.ts';

/** A copy in which lamports are texts and bytes are lists, as in any JSON. */
function asJson(value: object): object {
  const text = JSON.stringify(value, (_, each) => {
    if (each instanceof Uint8Array) return [...each];
    return typeof each === 'bigint' ? String(each) : each;
  });
  return JSON.parse(text) as object;
}

const ENCODINGS: Record<string, (model: ModelTransaction) => object> = {
  json: (model) => asJson(rpcTransaction(model)),
  jsonParsed: (model) => asJson(jsonParsed(model)),
  base64: (model) => {
    return asJson({ transaction: [Buffer.from(wireBytes(model)).toString('base64'), 'base64'], meta: rpcMeta(model) });
  },
  'dumped update': (model) => asJson({ slot: 1, transaction: geyserInfo(model) }),
};

/** Every place in a JSON value that holds something. */
function places(value: unknown, found: [Record<string, unknown>, string][] = []): [Record<string, unknown>, string][] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, inner] of Object.entries(value)) {
    found.push([value as Record<string, unknown>, key]);
    places(inner, found);
  }
  return found;
}

const JUNK = [
  null,
  undefined,
  true,
  -1,
  1.5,
  2 ** 60,
  '',
  '0',
  'é',
  '1'.repeat(50),
  [],
  [null],
  [-1, 'x'],
  {},
  { data: 7 },
];

describe('malformed JSON', () => {
  for (const [name, encode] of Object.entries(ENCODINGS)) {
    it(`throws MalformedWire and nothing else, whatever is put wherever (${name})`, () => {
      fc.assert(
        fc.property(modelTransaction, fc.nat(), fc.constantFrom(...JUNK), (model, place, junk) => {
          const json = encode(model);
          const all = places(json);
          const [holder, key] = all[place % all.length]!;
          holder[key] = junk;
          try {
            const { transactions } = readRpcTransaction(json, { note() {} });
            for (const transaction of transactions) {
              plainTransaction(transaction);
              for (const { programIndex, accounts } of transaction.instructions) {
                for (const index of [programIndex, ...Array.from(accounts)]) transaction.keys.at(index);
              }
            }
          } catch (error) {
            if (!(error instanceof MalformedWire)) throw error;
          }
        }),
        { numRuns: extent(120, 400) },
      );
    });
  }
});

describe('numbers and lists beyond what the chain allows', () => {
  const [model] = fc.sample(
    modelTransaction.filter((each) => each.tokens.length > 0 && each.tokens[0]!.pre !== undefined),
    { numRuns: 1, seed: 3 },
  );
  const read = (change: (meta: ReturnType<typeof asJson> & Record<string, unknown>) => void) => {
    const json = asJson(rpcTransaction(model!)) as { meta: Record<string, unknown> };
    change(json.meta);
    return readRpcTransaction(json, { note() {} }).transactions;
  };
  const balance = (accountIndex: unknown, decimals: unknown) => {
    return {
      accountIndex,
      mint: 'So11111111111111111111111111111111111111112',
      uiTokenAmount: { amount: '1', decimals },
    };
  };

  it('cost the transaction whose fee is no u64', () => {
    for (const fee of [2 ** 64, 1e30, -5, '18446744073709551616', '']) {
      expect(read((meta) => Object.assign(meta, { fee }))).toEqual([]);
    }
    expect(read((meta) => Object.assign(meta, { fee: '18446744073709551615' }))[0]?.fee).toBe((1n << 64n) - 1n);
  });

  it('are refused among token balances', () => {
    for (const wrong of [balance(256, 6), balance(0, 256), balance('', 6), balance(null, 6), balance(0, ' 6')]) {
      const [transaction] = read((meta) => Object.assign(meta, { preTokenBalances: [wrong], postTokenBalances: [] }));
      expect(() => transaction!.tokenBalances).toThrow(MalformedWire);
    }
  });

  it('are refused among keys', () => {
    const wsol = 'So11111111111111111111111111111111111111112';
    expect(LazyAccountKeys.fromTexts(new Array(256).fill(wsol)).length).toBe(256);
    expect(() => LazyAccountKeys.fromTexts(new Array(257).fill(wsol))).toThrow(MalformedWire);
  });
});

describe('account keys', () => {
  it('refuse an index that is not theirs', () => {
    const texts = LazyAccountKeys.fromTexts(['So11111111111111111111111111111111111111112']);
    const bytes = LazyAccountKeys.fromBytes(new Uint8Array(64), [0, 32]);
    for (const keys of [texts, bytes]) {
      for (const index of [-1, 2, 0.5, Number.NaN]) expect(() => keys.at(index)).toThrow(MalformedWire);
    }
  });

  it('find an address among bytes and texts, or say -1', () => {
    const wsol = 'So11111111111111111111111111111111111111112';
    const keys = LazyAccountKeys.fromBytes(new Uint8Array(33).fill(1, 32), [0, 1], [wsol]);
    const second = keys.at(1);
    expect([keys.indexOf(keys.at(0)), keys.indexOf(second), keys.indexOf(keys.at(2))]).toEqual([0, 1, 2]);
    const fresh = LazyAccountKeys.fromBytes(new Uint8Array(33).fill(1, 32), [0, 1], [wsol]);
    expect(fresh.indexOf(second)).toBe(1);
    expect(LazyAccountKeys.fromTexts([wsol]).indexOf(second)).toBe(-1);
    expect(LazyAccountKeys.fromBytes(new Uint8Array(32), [0]).indexOf(second)).toBe(-1);
  });
});
