import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { someAddress } from '../../test/support/transaction-builder.ts';
import type { Address } from '../chain/address.ts';
import { magnitude } from './amounts.ts';
import type { PositionSwap } from './average-cost.ts';
import { cutHolding, type HoldingState, walletKey } from './holding.ts';
import { isBalanceKnown } from './known-balance.ts';
import { compareMovements, type Movement, type MovementKind, movementsOf } from './movements.ts';
import { foldWallets, type WalletState } from './wallet-fold.ts';

const mint = someAddress();
const wallet = someAddress();
const USDC = someAddress();

type Leg =
  | {
      readonly is: 'swap';
      readonly isBuy: boolean;
      readonly tokens: bigint;
      readonly quote: bigint;
      readonly in?: Address;
    }
  | { readonly is: MovementKind; readonly delta: bigint };

const buy = (tokens: bigint, quote: bigint): Leg => ({ is: 'swap', isBuy: true, tokens, quote });
const sell = (tokens: bigint, quote: bigint): Leg => ({ is: 'swap', isBuy: false, tokens, quote });
const move = (is: MovementKind, delta: bigint): Leg => ({ is, delta });

/** Swaps and movements of one wallet: each inner list is a transaction. */
function place(transactions: readonly (readonly Leg[])[], firstSlot = 10) {
  const swaps: PositionSwap[] = [];
  const movements: Movement[] = [];
  transactions.forEach((legs, index) => {
    const slot = firstSlot + Math.floor(index / 2);
    legs.forEach((leg, ixIndex) => {
      const at = { mint, slot, blockIndex: index % 2, ixIndex, time: 1_770_000_000 + index };
      if (leg.is !== 'swap') movements.push({ ...at, wallet, kind: leg.is, delta: leg.delta });
      else {
        const { isBuy, tokens: tokenAmount, quote: quoteAmount } = leg;
        swaps.push({ ...at, trader: wallet, quoteMint: leg.in, isBuy, tokenAmount, quoteAmount, protocolActor: false });
      }
    });
  });
  return { swaps, movements: movements.sort(compareMovements) };
}

function fold(...transactions: (readonly Leg[])[]): WalletState {
  const wallets = new Map<string, WalletState>();
  const { swaps, movements } = place(transactions);
  foldWallets(wallets, swaps, movements);
  return wallets.get(walletKey({ mint, wallet }))!;
}

const holdingOf = (...transactions: (readonly Leg[])[]): HoldingState => fold(...transactions).holding!;

describe('a holding', () => {
  it('begins with the first movement: trades alone are told by positions', () => {
    expect(fold([buy(10n, 100n)], [sell(4n, 80n)]).holding).toBeUndefined();
    expect(holdingOf([buy(10n, 100n)], [sell(4n, 80n)], [move('sent', -1n)])).toMatchObject({
      estimate: 6n,
      balance: 5n,
      sent: 1n,
      basis: 50n,
      basisTokens: 5n,
      realizedPnl: 40n,
      pnlKnown: true,
      moves: 1,
    });
  });

  it('gives no profit to who sent all away, bought again dearer and sold at cost', () => {
    const { holding, positions } = fold(
      [buy(100n, 100n)],
      [move('sent', -100n)],
      [buy(100n, 600n)],
      [sell(100n, 600n)],
    );
    // The trades alone take half of the cheap tokens to be among those that were sold.
    expect(positions[0]!.realizedPnl).toBe(250n);
    expect(holding).toMatchObject({ balance: 0n, realizedPnl: 0n, pnlKnown: true, basis: 0n, balanceKnown: true });
  });

  it('holds unexplained deltas in the estimate, and sends, burns and liquidity in the balance alone', () => {
    const moves: Leg[] = [move('received', 5n), move('burnt', -2n), move('provided', -20n), move('withdrawn', 10n)];
    expect(holdingOf([buy(100n, 100n)], [move('unexplained', 7n)], moves)).toMatchObject({
      estimate: 107n,
      balance: 100n,
      received: 5n,
      burnt: 2n,
      provided: 10n,
      unexplained: 7n,
    });
  });

  it('holds hidden transfers in both, as the trades of a transaction tell them', () => {
    expect(holdingOf([buy(9n, 9n), move('handed', -6n)])).toMatchObject({ estimate: 3n, balance: 3n, sent: 6n });
  });

  it('tells nothing of who sold what it was not seen to get, also when it bought again', () => {
    const cut = fold([buy(10n, 10n)], [sell(15n, 30n)], [buy(20n, 20n)]);
    expect(isBalanceKnown(cut.positions)).toBe(false);
    const { estimateKnown, balanceKnown, pnlKnown } = holdingOf(
      [buy(10n, 10n)],
      [sell(15n, 30n)],
      [buy(20n, 20n)],
      [move('unexplained', 1n)],
    );
    expect([estimateKnown, balanceKnown, pnlKnown]).toEqual([false, false, false]);
  });

  it('knows the balance of who sold what it was sent, and not the estimate', () => {
    const holding = holdingOf([move('received', 10n)], [sell(10n, 30n)]);
    expect(holding).toMatchObject({ balance: 0n, balanceKnown: true, estimateKnown: false, pnlKnown: false });
  });

  it('takes a transaction as a whole: what it sells may be seen to arrive behind its last instruction', () => {
    const holding = holdingOf([sell(10n, 30n), move('unexplained', 10n)], [buy(5n, 5n)]);
    expect(holding).toMatchObject({ estimate: 5n, estimateKnown: true, balanceKnown: true, pnlKnown: false });
    const arbitrage = holdingOf([buy(10n, 30n), move('unexplained', -10n)]);
    expect(arbitrage).toMatchObject({ estimate: 0n, estimateKnown: true, realizedPnl: 0n, pnlKnown: true, basis: 0n });
  });

  it('has no profit that is known over several quotes', () => {
    const inDollars: Leg = { is: 'swap', isBuy: false, tokens: 4n, quote: 9n, in: USDC };
    const before = holdingOf([buy(10n, 10n)], [inDollars], [move('sent', -1n)]);
    const behind = holdingOf([buy(10n, 10n)], [move('sent', -1n)], [inDollars]);
    for (const { balance, pnlKnown, quotes } of [before, behind])
      expect([balance, pnlKnown, quotes]).toEqual([5n, false, 2]);
  });

  it('that was cut off is not known, whatever comes behind', () => {
    const cut = cutHolding(holdingOf([buy(10n, 10n)], [move('sent', -1n)]));
    const wallets = new Map([[walletKey(cut), { mint, wallet, positions: [], holding: cut }]]);
    const { swaps, movements } = place([[buy(5n, 5n)], [move('received', 50n)]], 100);
    foldWallets(wallets, swaps, movements);
    expect(wallets.get(walletKey(cut))!.holding).toMatchObject({
      whole: false,
      estimateKnown: false,
      balanceKnown: false,
    });
  });

  it('stays at the bounds of its columns, and is not known there', () => {
    const huge = 2n ** 63n;
    const holding = holdingOf([move('received', huge)], [move('received', huge)], [move('unexplained', huge - 1n)]);
    expect(holding).toMatchObject({
      balance: 2n ** 63n - 1n,
      balanceKnown: false,
      received: 2n ** 64n - 1n,
      estimate: huge - 1n,
    });
    expect(holding.estimateKnown).toBe(true);
  });
});

/** Movements and trades as somebody keeps them who writes every lot into a book, with fractions and no rounding. */
interface Book {
  /** Tokens with what each lot cost; without a cost when it came for nothing that is known. */
  lots: { tokens: number; cost: number | undefined }[];
  realized: number;
  pnlKnown: boolean;
  balanceKnown: boolean;
  estimate: number;
  estimateKnown: boolean;
}

function keepBook(transactions: readonly (readonly Leg[])[]): Book {
  const book: Book = { lots: [], realized: 0, pnlKnown: true, balanceKnown: true, estimate: 0, estimateKnown: true };
  const total = () => book.lots.reduce((sum, { tokens }) => sum + tokens, 0);
  const takeOut = (tokens: number): { known: number; cost: number } => {
    const priced = book.lots.filter((lot) => lot.cost !== undefined);
    const pricedTokens = priced.reduce((sum, lot) => sum + lot.tokens, 0);
    const known = Math.min(tokens, pricedTokens);
    let cost = 0;
    for (const lot of priced) {
      const share = pricedTokens === 0 ? 0 : known / pricedTokens;
      cost += lot.cost! * share;
      lot.cost = lot.cost! * (1 - share);
      lot.tokens *= 1 - share;
    }
    let rest = tokens - known;
    for (const lot of book.lots.filter(({ cost: its }) => its === undefined)) {
      const taken = Math.min(lot.tokens, rest);
      lot.tokens -= taken;
      rest -= taken;
    }
    if (rest > 0) book.balanceKnown = false;
    return { known, cost };
  };
  const arrives = (leg: Leg) => leg.is !== 'swap' && leg.delta > 0n;
  for (const legs of transactions) {
    const ordered = [
      ...legs.filter(arrives),
      ...legs.filter(({ is }) => is === 'swap'),
      ...legs.filter((leg) => leg.is !== 'swap' && !arrives(leg)),
    ];
    for (const leg of ordered) {
      if (leg.is === 'swap') {
        const tokens = Number(leg.tokens);
        if (leg.isBuy) book.lots.push({ tokens, cost: Number(leg.quote) });
        else {
          const { known, cost } = takeOut(tokens);
          book.realized += (Number(leg.quote) * known) / tokens - cost;
          if (known < tokens) book.pnlKnown = false;
        }
        book.estimate += leg.isBuy ? tokens : -tokens;
      } else {
        const delta = Number(leg.delta);
        if (delta > 0) book.lots.push({ tokens: delta, cost: undefined });
        else takeOut(-delta);
        if (leg.is === 'unexplained') book.estimate += delta;
      }
      if (book.estimate < 0) book.estimateKnown = false;
      if (!book.balanceKnown) book.pnlKnown = false;
      if (Math.round(total()) === 0) book.lots = [];
    }
  }
  return book;
}

const amount = fc.bigInt({ min: 1n, max: 1_000n });
const leg: fc.Arbitrary<Leg> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(amount, amount).map(([tokens, quote]) => buy(tokens, quote)) },
  { weight: 3, arbitrary: fc.tuple(amount, amount).map(([tokens, quote]) => sell(tokens, quote)) },
  fc
    .tuple(fc.constantFrom('received' as const, 'withdrawn' as const, 'unexplained' as const), amount)
    .map(([is, delta]) => move(is, delta)),
  fc
    .tuple(fc.constantFrom('sent' as const, 'burnt' as const, 'provided' as const, 'unexplained' as const), amount)
    .map(([is, delta]) => move(is, -delta)),
);
const history = fc.array(fc.array(leg, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 });

describe('the fold of everything', () => {
  it('agrees with a book of lots, to a unit for every rounding', () => {
    fc.assert(
      fc.property(history, (transactions) => {
        const { holding } = fold(...transactions);
        if (holding === undefined) return;
        const book = keepBook(transactions);
        expect([holding.balanceKnown, holding.estimateKnown]).toEqual([book.balanceKnown, book.estimateKnown]);
        expect(holding.pnlKnown).toBe(book.pnlKnown);
        if (holding.estimateKnown) expect(Number(holding.estimate)).toBe(book.estimate);
        if (!holding.balanceKnown) return;
        const kept = book.lots.reduce((sum, { tokens }) => sum + tokens, 0);
        expect(Number(holding.balance)).toBeCloseTo(kept, 3);
        const priced = book.lots.filter(({ cost }) => cost !== undefined);
        expect(Number(holding.basisTokens)).toBeCloseTo(
          priced.reduce((sum, { tokens }) => sum + tokens, 0),
          3,
        );
        const roundings = BigInt(transactions.flat().length);
        expect(magnitude(holding.realizedPnl - BigInt(Math.round(book.realized))) <= roundings).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is the same in one piece, in blocks, and with pieces given twice', () => {
    fc.assert(
      fc.property(history, fc.nat(6), (transactions, cut) => {
        const { swaps, movements } = place(transactions);
        const expected = new Map<string, WalletState>();
        foldWallets(expected, swaps, movements);
        const wallets = new Map<string, WalletState>();
        const upTo = (slot: number) => [swaps, movements].map((list) => list.filter((each) => each.slot < slot));
        const [earlySwaps, earlyMovements] = upTo(10 + cut) as [PositionSwap[], Movement[]];
        foldWallets(wallets, earlySwaps, earlyMovements);
        foldWallets(wallets, earlySwaps, earlyMovements);
        foldWallets(wallets, swaps, movements);
        expect(wallets).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe('movements of a block', () => {
  const at = { mint, slot: 5, blockIndex: 1, time: 7 };
  const other = someAddress();
  const none = { transfers: [], burns: [], liquidity: [], pools: [], unexplained: [] };

  it('have both sides of a send, and the making of a pool that is no migration', () => {
    const pool = { ...at, ixIndex: 3, creator: wallet, tokenAmount: 4n };
    const found = movementsOf({
      ...none,
      transfers: [{ ...at, ixIndex: 9, from: wallet, to: other, amount: 6n, hidden: false }],
      pools: [
        { ...pool, canonical: false },
        { ...pool, canonical: true },
      ],
    });
    expect(found.map(({ wallet: who, kind, delta }) => [who, kind, delta])).toEqual([
      [other, 'received', 6n],
      [wallet, 'provided', -4n],
      [wallet, 'sent', -6n],
    ]);
  });
});
