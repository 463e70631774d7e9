import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildBlock,
  burn,
  someAddress,
  type TokenSpec,
  type TransactionSpec,
} from '../../test/support/transaction-builder.ts';
import { type Address, WSOL_MINT } from '../chain/address.ts';
import { INCINERATOR } from '../chain/well-known.ts';
import { failingJournal } from '../kernel/journal.ts';
import { PUMP_AMM_PROGRAM } from '../programs/pump-amm/ids.ts';
import { deriveFacts } from './derive.ts';
import type { BlockFacts } from './fact.ts';

const mint = someAddress();
const [a, b, c, d] = [someAddress(), someAddress(), someAddress(), someAddress()].sort() as [
  Address,
  Address,
  Address,
  Address,
];

function derive(tokens: readonly TokenSpec[], over: Partial<TransactionSpec> = {}): BlockFacts {
  return deriveFacts(
    buildBlock([{ signers: [a], calls: [{ program: someAddress() }], tokens, ...over }]),
    failingJournal,
  );
}

const moved = (owner: Address, delta: bigint): TokenSpec => ({ mint, owner, pre: 1_000n, post: 1_000n + delta });

function edges(tokens: readonly TokenSpec[]): unknown[] {
  return derive(tokens).transfers.map(({ from, to, amount, ambiguous }) => [from, to, amount, ambiguous]);
}

describe('sends', () => {
  it('are one edge from one sender to one receiver', () => {
    expect(edges([moved(a, -5n), moved(b, 5n)])).toEqual([[a, b, 5n, false]]);
  });

  it('are exact from one to many and from many to one', () => {
    expect(edges([moved(b, 3n), moved(a, -5n), moved(c, 2n)])).toEqual([
      [a, b, 3n, false],
      [a, c, 2n, false],
    ]);
    expect(edges([moved(b, -3n), moved(a, 5n), moved(c, -2n)])).toEqual([
      [b, a, 3n, false],
      [c, a, 2n, false],
    ]);
  });

  it('are one possible pairing, marked ambiguous, from many to many', () => {
    expect(edges([moved(a, -5n), moved(b, -2n), moved(c, 4n), moved(d, 3n)])).toEqual([
      [a, c, 4n, true],
      [a, d, 1n, true],
      [b, d, 2n, true],
    ]);
  });

  it('come to every owner’s balance change, and never name an owner twice as both sides', () => {
    const deltas = fc.array(fc.bigInt({ min: -50n, max: 50n }), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(deltas, (list) => {
        const owners = list.map(() => someAddress());
        const rest = someAddress();
        const total = list.reduce((sum, delta) => sum + delta, 0n);
        const tokens = [...list.map((delta, i) => moved(owners[i]!, delta)), moved(rest, -total)];
        const { transfers } = derive(tokens);
        [...list, -total].forEach((delta, i) => {
          const owner = [...owners, rest][i]!;
          const net = transfers.reduce(
            (sum, { from, to, amount }) => sum + (to === owner ? amount : 0n) - (from === owner ? amount : 0n),
            0n,
          );
          expect(net).toBe(delta);
        });
        expect(transfers.every(({ amount }) => amount > 0n)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('follow owners, not accounts: between two accounts of one wallet nothing is sent', () => {
    expect(edges([moved(a, -5n), moved(a, 5n)])).toEqual([]);
  });

  it('see an account that changed hands', () => {
    expect(edges([{ mint, owner: a, newOwner: b, pre: 9n, post: 9n }])).toEqual([[a, b, 9n, false]]);
  });

  it('tell what arrived when a transfer fee was withheld', () => {
    expect(edges([moved(a, -100n), moved(b, 97n)])).toEqual([[a, b, 97n, false]]);
  });

  it('stand behind the instructions of their transaction, in order of owner', () => {
    const { transfers } = derive([moved(a, -5n), moved(c, 2n), moved(b, 3n)]);
    expect(transfers.map(({ to, ixIndex }) => [to, ixIndex])).toEqual([
      [b, 1],
      [c, 2],
    ]);
  });

  it('are never told of money or of collectibles', () => {
    const money = [moved(a, -5n), moved(b, 5n)].map((token) => ({ ...token, mint: WSOL_MINT }));
    const collectible = [
      { ...moved(a, -1n), decimals: 0 },
      { ...moved(b, 1n), decimals: 0 },
    ];
    expect(edges([...money, ...collectible])).toEqual([]);
  });

  it('are sends all the same where a venue is named among the accounts and never called', () => {
    const calls = [{ program: someAddress(), accounts: [PUMP_AMM_PROGRAM] }];
    expect(derive([moved(a, -5n), moved(b, 5n)], { calls }).transfers).toMatchObject([{ to: b, hidden: false }]);
  });

  it('are hidden where any instruction calls a venue, if only to do nothing', () => {
    const idle = { program: PUMP_AMM_PROGRAM };
    for (const calls of [[idle], [{ program: someAddress(), calls: [{ program: someAddress(), calls: [idle] }] }]]) {
      expect(derive([moved(a, -5n), moved(b, 5n)], { calls }).transfers).toMatchObject([
        { from: a, to: b, amount: 5n, hidden: true },
      ]);
    }
  });

  it('are hidden where a venue is named and nobody recorded what was called', () => {
    const calls = [{ program: someAddress(), accounts: [PUMP_AMM_PROGRAM] }];
    const { transfers } = derive([moved(a, -5n), moved(b, 5n)], { calls, hasInnerInstructions: false });
    expect(transfers).toMatchObject([{ hidden: true }]);
  });

  it('did not happen in a reverted transaction', () => {
    const error = {
      kind: 'AccountInUse',
      instructionIndex: undefined,
      instructionError: undefined,
      customCode: undefined,
    };
    expect(derive([moved(a, -5n), moved(b, 5n)], { error }).transfers).toEqual([]);
  });
});

describe('burns', () => {
  const account = someAddress();

  it('are told apart from sends when an instruction confirms them', () => {
    const tokens = [{ ...moved(a, -7n), account }, moved(b, 2n)];
    const { burns, transfers } = derive(tokens, { calls: [burn(account, mint, a, 5n)] });
    expect(burns).toMatchObject([{ owner: a, amount: 5n, mint, decimals: 6, ixIndex: 0 }]);
    expect(transfers).toMatchObject([{ from: a, to: b, amount: 2n }]);
  });

  it('are no part of what others send', () => {
    const tokens = [{ ...moved(a, -5n), account }, moved(b, 2n), moved(c, -2n)];
    const { transfers } = derive(tokens, { calls: [burn(account, mint, a, 5n)] });
    expect(transfers).toMatchObject([{ from: c, to: b, amount: 2n, ambiguous: false }]);
  });

  it('of a single indivisible unit are of a receipt, not of a token', () => {
    const tokens = [
      { ...moved(a, -1n), decimals: 0, account },
      { ...moved(b, 5n), mint: someAddress() },
    ];
    expect(derive(tokens, { calls: [burn(account, mint, a, 1n)] }).burns).toEqual([]);
  });

  it('are sends to the incinerator', () => {
    const { burns, transfers } = derive([moved(a, -7n), moved(INCINERATOR, 7n)]);
    expect([burns.map(({ owner, amount }) => [owner, amount]), transfers]).toEqual([[[a, 7n]], []]);
  });

  it('are not guessed from a balance that shrank', () => {
    const { burns, transfers } = derive([moved(a, -7n)]);
    expect([burns, transfers]).toEqual([[], []]);
  });
});
