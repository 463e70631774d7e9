import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  b,
  buy,
  c,
  d,
  deriveTrade,
  dev,
  edges,
  left,
  market,
  mint,
  moved,
  PART,
  TOKENS,
} from '../../test/support/moves-in-trades.ts';
import { burn, someAddress } from '../../test/support/transaction-builder.ts';
import { curveBuy, curveSell, poolBuy, poolEvent, tradeEvent } from '../../test/support/venue-trades.ts';
import { type Address, WSOL_MINT } from '../chain/address.ts';
import { INCINERATOR } from '../chain/well-known.ts';
import { bondingCurveAddress } from '../programs/pump/addresses.ts';

describe('tokens handed on in a transaction that trades', () => {
  it('are hidden sends of a buy that is split, and the trade stays the buyer’s', () => {
    const facts = deriveTrade([moved(dev, TOKENS - 30n), moved(b, 10n), moved(c, 20n)]);
    expect(edges(facts)).toEqual([
      [dev, b, 10n, true],
      [dev, c, 20n, true],
    ]);
    expect(facts.swaps).toMatchObject([{ trader: dev, tokenAmount: TOKENS }]);
    expect(left(facts)).toEqual([]);
  });

  it('are hidden sends of a buy that is sent on as a whole, with what the buyer held before', () => {
    expect(edges(deriveTrade([moved(dev, -7n), moved(b, TOKENS + 7n)]))).toEqual([[dev, b, TOKENS + 7n, true]]);
  });

  it('are hidden sends to a seller who sells what others gave', () => {
    const calls = [curveBuy(tradeEvent({ mint, user: dev, isBuy: false }))];
    expect(edges(deriveTrade([moved(b, -TOKENS)], { calls }))).toEqual([[b, dev, TOKENS, true]]);
  });

  it('are told of every other mint that moved beside the trade', () => {
    const other = someAddress();
    const facts = deriveTrade([moved(dev, TOKENS), moved(dev, -9n, other), moved(b, 9n, other)]);
    expect(facts.transfers).toMatchObject([{ mint: other, from: dev, to: b, amount: 9n, hidden: true }]);
  });

  it('are one possible pairing where several gave to several', () => {
    const facts = deriveTrade([moved(dev, TOKENS - 5n), moved(b, -2n), moved(c, 4n), moved(d, 3n)]);
    expect(facts.transfers.map(({ ambiguous }) => ambiguous)).toEqual([true, true, true]);
  });

  it('are burns where the incinerator gets them', () => {
    const facts = deriveTrade([moved(dev, TOKENS - 6n), moved(INCINERATOR, 6n)]);
    expect(facts.burns).toMatchObject([{ owner: dev, amount: 6n }]);
    expect([facts.transfers, facts.unexplained]).toEqual([[], []]);
  });

  it('come first behind the instructions, and what nobody explains behind them', () => {
    const facts = deriveTrade([moved(dev, TOKENS - PART), moved(c, PART), moved(b, 8n, someAddress())]);
    expect(facts.transfers.map(({ ixIndex }) => ixIndex)).toEqual([2]);
    expect(facts.unexplained.map(({ ixIndex }) => ixIndex)).toEqual([3]);
  });

  it('are neither what the trader burnt nor what the curve gave', () => {
    const account = someAddress();
    const tokens = [{ ...moved(dev, TOKENS - 5n), account }, moved(bondingCurveAddress(mint), -TOKENS)];
    const facts = deriveTrade(tokens, { calls: [buy, burn(account, mint, dev, 5n)] });
    expect([facts.transfers, facts.unexplained]).toEqual([[], []]);
  });

  it('are no legs of a swap of tokenized equities, whose venue tells only a part', () => {
    const equity = 'XsDoVfqeBukxuZHWhdvWHBhgEHjGNst4MLodqsJHzoB' as Address;
    const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
    const pool = [moved(market, -50n, equity), moved(market, 900n, usdc), moved(dev, -900n, usdc)];
    const facts = deriveTrade([moved(dev, TOKENS), ...pool, moved(dev, 45n, equity), moved(b, 5n, equity)]);
    expect(facts.swaps).toHaveLength(2);
    expect(facts.transfers).toEqual([]);
  });
});

describe('a platform’s share of a trade', () => {
  it('is told like whatever else somebody hands on, and leaves nothing unexplained', () => {
    const share = TOKENS / 100n;
    const facts = deriveTrade([moved(dev, TOKENS - share), moved(b, share)]);
    expect(edges(facts)).toEqual([[dev, b, share, true]]);
    expect(left(facts)).toEqual([]);
  });

  it('covers no crumb, and is made larger by no round trip', () => {
    expect(edges(deriveTrade([moved(dev, TOKENS - 1n), moved(b, 1n)]))).toEqual([[dev, b, 1n, true]]);
    const back = curveSell(tradeEvent({ mint, user: dev, isBuy: false }));
    const trips = Array.from({ length: 9 }, () => [buy, back]).flat();
    expect(edges(deriveTrade([moved(dev, TOKENS - PART), moved(b, PART)], { calls: [...trips, buy] }))).toEqual([
      [dev, b, PART, true],
    ]);
  });

  it('is told beside what goes to a referrer', () => {
    const share = TOKENS / 100n;
    const facts = deriveTrade([moved(dev, TOKENS - share), moved(b, share - 9n), moved(c, 9n)]);
    expect(edges(facts)).toEqual([
      [dev, b, share - 9n, true],
      [dev, c, 9n, true],
    ]);
  });
});

describe('balances of a transaction that trades', () => {
  it('are the trades, the moves and what nobody explains, each counted once', () => {
    const amounts = fc.bigInt({ min: -90n, max: 90n }).map((parts) => parts * PART);
    const deltas = fc.array(amounts, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(deltas, amounts, (list, own) => {
        const owners = list.map(() => someAddress());
        const tokens = [moved(dev, TOKENS + own), ...list.map((delta, place) => moved(owners[place]!, delta))];
        const facts = deriveTrade(tokens);
        const told = new Map<Address, bigint>([[dev, TOKENS]]);
        const add = (owner: Address, amount: bigint) => told.set(owner, (told.get(owner) ?? 0n) + amount);
        for (const { from, to, amount } of facts.transfers) {
          add(from, -amount);
          add(to, amount);
        }
        for (const { owner, delta } of facts.unexplained) add(owner, delta);
        expect(told.get(dev)).toBe(TOKENS + own);
        expect(owners.map((owner) => told.get(owner) ?? 0n)).toEqual(list);
        // What is left has one sign: nothing of it could be paired.
        expect(new Set(facts.unexplained.map(({ delta }) => delta > 0n)).size).toBeLessThan(2);
      }),
      { numRuns: 60 },
    );
  });

  it('are right where a pool keeps its fee in the token', () => {
    const quoted = poolBuy(poolEvent({ user: dev }), mint, WSOL_MINT);
    const facts = deriveTrade([moved(dev, 41_000_000n), moved(b, 9_000_000n)], { calls: [quoted] });
    expect(edges(facts)).toEqual([[dev, b, 9_000_000n, true]]);
  });
});
