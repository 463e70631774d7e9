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
import { someAddress } from '../../test/support/transaction-builder.ts';
import { curveBuy, poolBuy, poolEvent, tradeEvent } from '../../test/support/venue-trades.ts';
import type { Address } from '../chain/address.ts';
import { bondingCurveAddress, creatorVaultAddress } from '../programs/pump/addresses.ts';
import type { TradeEvent } from '../programs/pump/events.ts';
import { coinCreatorVaultAuthorityAddress } from '../programs/pump-amm/addresses.ts';

describe('coins that a swap beside the hand-out is quoted in', () => {
  const junk = someAddress();
  const event = poolEvent({ user: dev });
  const junkSwap = poolBuy(event, junk, mint);
  const paid = event.quoteAmountIn + event.lpFee + event.protocolFee + (event.coinCreatorFee ?? 0n);

  it('are handed on all the same', () => {
    const tokens = [moved(dev, TOKENS - paid - 3n * PART), moved(b, PART), moved(c, PART), moved(d, PART)];
    const facts = deriveTrade([...tokens, moved(dev, 50_000_000n, junk)], { calls: [buy, junkSwap] });
    expect(edges(facts)).toEqual([b, c, d].map((to) => [dev, to, PART, true]));
    expect(left(facts)).toEqual([]);
  });

  it('are not where nothing moved but the price and its fees', () => {
    const fees = [
      moved(event.protocolFeeRecipient, event.protocolFee),
      moved(coinCreatorVaultAuthorityAddress(event.coinCreator!), event.coinCreatorFee!),
    ];
    const tokens = [moved(dev, TOKENS - paid), ...fees, moved(dev, 50_000_000n, junk)];
    const facts = deriveTrade(tokens, { calls: [buy, junkSwap] });
    expect([facts.transfers, facts.unexplained]).toEqual([[], []]);
    // A receiver that the source names no owner of is known by the amount.
    const unnamed = deriveTrade([moved(dev, TOKENS - paid), moved(b, event.protocolFee)], { calls: [buy, junkSwap] });
    expect(unnamed.transfers).toEqual([]);
  });

  it('hide no crumb as a fee that has its receiver, nor one of another amount', () => {
    const fee = moved(event.protocolFeeRecipient, event.protocolFee);
    const tokens = [moved(dev, TOKENS - paid - event.protocolFee - 2n), fee, moved(b, event.protocolFee), moved(c, 2n)];
    expect(edges(deriveTrade(tokens, { calls: [buy, junkSwap] }))).toEqual([
      [dev, b, event.protocolFee, true],
      [dev, c, 2n, true],
    ]);
  });

  it('hide nothing behind what a pool’s own maker charges for its liquidity', () => {
    const greedy = poolEvent({
      ...{ user: dev, lpFee: 3n * PART, quoteAmountInWithLpFee: 1_000_000n + 3n * PART },
      userQuoteAmountIn: 1_001_500n + 3n * PART,
    });
    const spent = 1_001_500n + 3n * PART;
    const tokens = [moved(dev, TOKENS - spent - 2n * PART), moved(b, PART), moved(c, PART)];
    const facts = deriveTrade(tokens, { calls: [buy, poolBuy(greedy, junk, mint)] });
    expect(edges(facts)).toEqual([b, c].map((to) => [dev, to, PART, true]));
  });

  it('are handed by nobody who only passes them on in a route', () => {
    const authority = market;
    const bought = poolEvent({ user: authority });
    const route = (tokenAmount: bigint) => [
      curveBuy(tradeEvent({ mint, user: authority, tokenAmount })),
      poolBuy(bought, junk, mint),
    ];
    const got = moved(dev, 50_000_000n, junk);
    expect(deriveTrade([moved(authority, 0n), got], { calls: route(paid) }).transfers).toEqual([]);
    // Dust of the coin stays with the router.
    expect(deriveTrade([moved(authority, 7n), got], { calls: route(paid + 7n) }).transfers).toEqual([]);
    // Who is handed some of a holder's own beside it gets them all.
    const beside = [moved(authority, 0n), got, moved(dev, -PART), moved(b, PART)];
    const given = deriveTrade(beside, { calls: route(paid) }).transfers.filter(({ to }) => to === b);
    expect(given.reduce((sum, { amount }) => sum + amount, 0n)).toBe(PART);
  });

  it('are handed on by a buyer whose own balance comes out even', () => {
    const tokens = [moved(dev, 0n), moved(b, TOKENS - paid), moved(dev, 50_000_000n, junk)];
    expect(edges(deriveTrade(tokens, { calls: [buy, junkSwap] }))).toEqual([[dev, b, TOKENS - paid, true]]);
  });

  it('are no hand-out to a curve that is paid in them, nor to where its fees go', () => {
    const trade = tradeEvent({ mint: junk, user: dev, solAmount: 0n, ...coinQuoted(mint, 1_000_000n) });
    const taken = [
      moved(bondingCurveAddress(junk), 1_000_000n),
      moved(trade.feeRecipient!, trade.fee!),
      moved(creatorVaultAddress(trade.creator!), trade.creatorFee!),
    ];
    const spent = 1_000_000n + trade.fee! + trade.creatorFee!;
    const tokens = [moved(dev, -spent - PART), ...taken, moved(b, PART), moved(dev, TOKENS, junk)];
    const facts = deriveTrade(tokens, { calls: [curveBuy(trade)] });
    expect(edges(facts)).toEqual([[dev, b, PART, true]]);
  });
});

/** The newest fields of a trade on a curve that is quoted in a coin. */
function coinQuoted(quoteMint: Address, quoteAmount: bigint): Partial<TradeEvent> {
  return {
    trackVolume: false,
    totalUnclaimedTokens: 0n,
    totalClaimedTokens: 0n,
    currentSolVolume: 0n,
    lastUpdateTimestamp: 0n,
    ixName: 'buy_v2',
    mayhemMode: false,
    cashbackFeeBasisPoints: 0n,
    cashback: 0n,
    buybackFeeBasisPoints: 0n,
    buybackFee: 0n,
    shareholders: [],
    quoteMint,
    quoteAmount,
    virtualQuoteReserves: 30_001_000_000n,
    realQuoteReserves: 1_000_000n,
  };
}
