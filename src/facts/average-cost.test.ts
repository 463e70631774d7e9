import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { someAddress } from '../../test/support/transaction-builder.ts';
import { magnitude } from './amounts.ts';
import { foldSwap, type PositionState, type PositionSwap } from './average-cost.ts';
import { walletKey } from './holding.ts';
import { foldWallets, type WalletState } from './wallet-fold.ts';

const mint = someAddress();
const trader = someAddress();

function swap(isBuy: boolean, tokenAmount: bigint, quoteAmount: bigint, ixIndex = 0): PositionSwap {
  return {
    mint,
    quoteMint: undefined,
    trader,
    slot: 1,
    blockIndex: 0,
    ixIndex,
    time: 1_770_000_000 + ixIndex,
    isBuy,
    quoteAmount,
    tokenAmount,
    protocolActor: false,
  };
}

function fold(swaps: readonly PositionSwap[]): PositionState {
  let state: PositionState | undefined;
  for (const next of swaps) state = foldSwap(state, next);
  return state!;
}

interface Rational {
  readonly n: bigint;
  readonly d: bigint;
}

const whole = (n: bigint): Rational => ({ n, d: 1n });
const minus = (a: Rational, b: Rational): Rational => ({ n: a.n * b.d - b.n * a.d, d: a.d * b.d });
const plus = (a: Rational, b: Rational): Rational => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
const times = (a: Rational, n: bigint, d: bigint): Rational => ({ n: a.n * n, d: a.d * d });
const isWithin = (a: bigint, b: Rational, units: number): boolean =>
  magnitude(a * b.d - b.n) <= BigInt(units) * magnitude(b.d);

/** The running average without any rounding. */
function exactFold(swaps: readonly PositionSwap[]): { basis: Rational; realized: Rational; tokens: bigint } {
  let basis = whole(0n);
  let realized = whole(0n);
  let tokens = 0n;
  for (const { isBuy, tokenAmount, quoteAmount } of swaps) {
    if (isBuy) {
      basis = plus(basis, whole(quoteAmount));
      tokens += tokenAmount;
      continue;
    }
    const known = tokenAmount < tokens ? tokenAmount : tokens;
    const cost = known === tokens ? basis : times(basis, known, tokens);
    realized = plus(realized, minus(times(whole(quoteAmount), known, tokenAmount), cost));
    basis = minus(basis, cost);
    tokens -= known;
  }
  return { basis, realized, tokens };
}

const amounts = fc.bigInt({ min: 1n, max: 1_000_000n });
const trades = fc
  .array(fc.tuple(fc.boolean(), amounts, amounts), { minLength: 1, maxLength: 12 })
  .map((list) => list.map(([isBuy, tokens, quote], i) => swap(isBuy, tokens, quote, i)));

describe('the running average', () => {
  it('gives the profit of the textbook example', () => {
    const state = fold([
      swap(true, 100n, 100n),
      swap(true, 100n, 300n),
      swap(false, 50n, 200n),
      swap(false, 100n, 500n),
    ]);
    expect(state).toMatchObject({
      realizedPnl: 400n,
      basis: 100n,
      basisTokens: 50n,
      tokenBalance: 50n,
      pnlKnown: true,
    });
  });

  it('follows an exact rational fold within a unit or two for each sell', () => {
    fc.assert(
      fc.property(trades, (list) => {
        const state = fold(list);
        const exact = exactFold(list);
        expect(state.basisTokens).toBe(exact.tokens);
        expect(isWithin(state.basis, exact.basis, state.sells)).toBe(true);
        expect(isWithin(state.realizedPnl, exact.realized, 2 * state.sells)).toBe(true);
      }),
    );
  });

  it('loses and makes no quote unit while every basis is known', () => {
    fc.assert(
      fc.property(trades, (list) => {
        const state = fold(list);
        if (state.pnlKnown) expect(state.realizedPnl).toBe(state.quoteReceived - (state.quoteInvested - state.basis));
      }),
    );
  });

  it('counts what was traded, whatever is known of costs', () => {
    fc.assert(
      fc.property(trades, (list) => {
        const state = fold(list);
        const sum = (isBuy: boolean, key: 'tokenAmount' | 'quoteAmount') =>
          list.filter((one) => one.isBuy === isBuy).reduce((total, one) => total + one[key], 0n);
        expect(state.tokenBalance).toBe(sum(true, 'tokenAmount') - sum(false, 'tokenAmount'));
        expect([state.quoteInvested, state.quoteReceived]).toEqual([
          sum(true, 'quoteAmount'),
          sum(false, 'quoteAmount'),
        ]);
        expect(state.buys + state.sells).toBe(list.length);
      }),
    );
  });

  it('starts over at a zero balance: an old loss is not spread over new tokens', () => {
    const state = fold([swap(true, 3n, 10n), swap(false, 3n, 1n), swap(true, 2n, 6n)]);
    expect(state).toMatchObject({ basis: 6n, basisTokens: 2n, realizedPnl: -9n });
  });

  it('leaves no rounding behind when all is sold', () => {
    const state = fold([swap(true, 3n, 10n), swap(false, 1n, 5n), swap(false, 1n, 5n), swap(false, 1n, 5n)]);
    expect(state).toMatchObject({ basis: 0n, basisTokens: 0n, realizedPnl: 5n });
  });

  it('counts no profit for tokens whose cost is unknown', () => {
    const state = fold([swap(true, 10n, 100n), swap(false, 40n, 800n)]);
    // A quarter of what was sold had a cost of 100 and brought 200.
    expect(state).toMatchObject({ realizedPnl: 100n, pnlKnown: false, tokenBalance: -30n, basisTokens: 0n });
  });

  it('stays within 64 bits, and does not say that it knows a profit of which a bound has cut something off', () => {
    const most = 2n ** 64n - 1n;
    const bought = fold([swap(true, most, most), swap(true, most, most)]);
    expect(bought).toMatchObject({ basis: most, basisTokens: most, tokenBalance: 2n ** 63n - 1n, pnlKnown: false });
    const sold = fold([swap(true, 2n, 1n), swap(false, 1n, most), swap(false, 1n, most)]);
    expect(sold).toMatchObject({ realizedPnl: 2n ** 63n - 1n, pnlKnown: false });
    const sound = fold([swap(true, 2n, 1n), swap(false, 2n, 2n ** 62n)]);
    expect(sound).toMatchObject({ realizedPnl: 2n ** 62n - 1n, pnlKnown: true });
  });

  it('gives nothing for a sale of nothing', () => {
    expect(fold([swap(true, 10n, 100n), swap(false, 0n, 0n)])).toMatchObject({ basis: 100n, realizedPnl: 0n });
    expect(fold([swap(false, 0n, 0n)])).toMatchObject({ basis: 0n, pnlKnown: true });
  });
});

describe('folding swaps into positions', () => {
  it('keeps one position for each mint, quote and trader', () => {
    const wallets = new Map<string, WalletState>();
    const first = swap(true, 1n, 2n);
    const other = { ...swap(true, 5n, 7n, 1), quoteMint: someAddress() };
    const key = walletKey({ mint: first.mint, wallet: first.trader });
    expect([...foldWallets(wallets, [first, other], [])]).toEqual([key]);
    const positions = wallets.get(key)?.positions;
    expect(positions?.map(({ quoteMint, quoteInvested }) => [quoteMint, quoteInvested])).toEqual([
      [undefined, 2n],
      [other.quoteMint, 7n],
    ]);
  });

  it('changes nothing when it sees a swap again', () => {
    const wallets = new Map<string, WalletState>();
    const swaps = [swap(true, 10n, 20n, 1), swap(false, 5n, 20n, 2)];
    foldWallets(wallets, swaps, []);
    const before = new Map(wallets);
    expect(foldWallets(wallets, swaps, []).size).toBe(0);
    expect(wallets).toEqual(before);
  });

  it('has no position for protocol actors', () => {
    const wallets = new Map<string, WalletState>();
    foldWallets(wallets, [{ ...swap(true, 1n, 1n), protocolActor: true }], []);
    expect(wallets.size).toBe(0);
  });

  it('remembers its first swap and its last', () => {
    const state = fold([swap(true, 1n, 1n, 3), swap(true, 1n, 1n, 9)]);
    expect(state).toMatchObject({ firstTime: 1_770_000_003, lastTime: 1_770_000_009, firstSlot: 1, ixIndex: 9 });
  });
});
