import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasFixtures } from '../../../test/support/fixtures.ts';
import { loggedEvents } from '../../../test/support/real-events.ts';
import { failingJournal } from '../../kernel/journal.ts';
import { decodeEvent } from '../decode.ts';
import { FLAT_POOL_FEES, feeTierOf, SOL_FEE_TIERS, USDC_FEE_TIERS } from '../pump-fees/fee-tiers.ts';
import type { BuyEvent, SellEvent } from './events.ts';
import type { PoolFees, PoolReserves, PoolTrade } from './pool.ts';
import { buyBase, buyWithQuote, effectiveQuote, marketCap, sellBase } from './pool.ts';

/** Buys of May 2025, without a creator, and of September 2026, with virtual reserves, as mainnet logged them. */
const BUY_2025 =
  'Z/RSHyz1d3fxkRVoAAAAAABuTrMIAAAAgIQwegAAAABA6pGiLQAAAICEMHoAAAAATHDJ5tUZAACLRBdEuQAAAGz8eD4AAAAAFAAAAAAAAABp/B8AAAAAAAUAAAAAAAAAG/8HAAAAAADV+Jg+AAAAAPD3oD4AAAAAyK5dZpE/8XA6S8JQJ60bYGG3DPyeAfGcGTNzeOLpUIDOMCXdFC2VW97lmgVQtUoqsVc5c5mvXV1YDve8Y4VkxApJdxS6TX44jI+mdPdPi3hE0UPdg7c6ZQo74SRpkUzJQC3IpWVUivX4tEYJzQRnVby3nTZKHvHy2bLlnEk9h5KDhHQpLmdalLQ27LCpmIlCMoqD3cYjOAKWEmfFzWEXy6JjF6U7oP1oxMlT7DDw4JuOc2h1HLKBVIbK4+mdCvnd';
const BUY_2026 =
  'Z/RSHyz1d3eoQrVqAAAAAO6adAgAAAAAzGUHAAAAAAAAAAAAAAAAAMxlBwAAAAAAKD9w8zRDAAB95VhiMwAAANz6BgAAAAAAFAAAAAAAAACTAwAAAAAAAAUAAAAAAAAA5QAAAAAAAABv/gYAAAAAAIUOBwAAAAAAphG1vqznPqG6YtdwLHpcqixcBpxVVfD8MYNRG7XdnOO33W0u7YDrYCYY2U2djqB6VOh0fDyABVVPviqAk1A2QZ8iz1rvHV/pdwyH8V8RIE3SjQ6z9HgnAi+jo5nVo1tidsMbqWiot9tAjSa3cnjysaZiV12UvfNCURquQSDTheaDhHQpLmdalLQ27LCpmIlCMoqD3cYjOAKWEmfFzWEXy6JjF6U7oP1oxMlT7DDw4JuOc2h1HLKBVIbK4+mdCvndCwBMJEFh1T8GDN/N1anVS/SHjJyzYqaOg5CqWLoQXtpVAAAAAAAAADEPAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA7pp0CAAAAAADAAAAYnV5AAAAAAAAAAAAAAAAAAAAAIgTAAAAAAAAcgAAAAAAAADIQR4YBAAAAAAAAAAAAAAAAee6gZnzjAMAAAAAAAAAAAAAAAAAAAAAAA==';

function buyEvent(base64: string): BuyEvent {
  return decodeEvent('pump_amm', Buffer.from(base64, 'base64'), 0, 0, 0, failingJournal)?.data as BuyEvent;
}

function reservesOf(event: BuyEvent | SellEvent): PoolReserves {
  return {
    base: event.poolBaseTokenReserves,
    quote: event.poolQuoteTokenReserves,
    virtualQuote: event.virtualQuoteReserves ?? 0n,
  };
}

/** A cashback coin gives the creator's share to the trader, at a rate of its own. */
function feesOf(event: BuyEvent | SellEvent): PoolFees {
  return {
    lpBps: event.lpFeeBasisPoints,
    protocolBps: event.protocolFeeBasisPoints,
    creatorBps: (event.coinCreatorFeeBasisPoints ?? 0n) + (event.cashbackFeeBasisPoints ?? 0n),
  };
}

function expectBuyReproduced(event: BuyEvent): void {
  const exactQuote = event.ixName?.startsWith('buy_exact_quote_in') === true;
  const net = exactQuote ? event.userQuoteAmountIn : event.quoteAmountIn;
  const gross = exactQuote ? event.quoteAmountIn : event.userQuoteAmountIn;
  const reserves = reservesOf(event);
  const trade = exactQuote
    ? buyWithQuote(reserves, gross, feesOf(event))
    : buyBase(reserves, event.baseAmountOut, feesOf(event));
  expect(trade).toEqual<PoolTrade>({
    baseAmount: event.baseAmountOut,
    quoteAmount: net,
    lpFee: event.lpFee,
    protocolFee: event.protocolFee,
    creatorFee: (event.coinCreatorFee ?? 0n) + (event.cashback ?? 0n),
    userQuote: gross,
    after: {
      ...reserves,
      base: reserves.base - event.baseAmountOut,
      quote: reserves.quote + event.quoteAmountInWithLpFee,
    },
  });
}

function expectSellReproduced(event: SellEvent): void {
  const reserves = reservesOf(event);
  expect(sellBase(reserves, event.baseAmountIn, feesOf(event))).toEqual<PoolTrade>({
    baseAmount: event.baseAmountIn,
    quoteAmount: event.quoteAmountOut,
    lpFee: event.lpFee,
    protocolFee: event.protocolFee,
    creatorFee: (event.coinCreatorFee ?? 0n) + (event.cashback ?? 0n),
    userQuote: event.userQuoteAmountOut,
    after: {
      ...reserves,
      base: reserves.base + event.baseAmountIn,
      quote: reserves.quote - event.quoteAmountOutWithoutLpFee,
    },
  });
}

describe('pool arithmetic', () => {
  test('reproduces mainnet buys to the unit, with and without virtual reserves', () => {
    expectBuyReproduced(buyEvent(BUY_2025));
    expectBuyReproduced(buyEvent(BUY_2026));
  });

  test.skipIf(!hasFixtures)(
    'reproduces every real buy and sell: exact base, exact quote, cashback, inverted, boost',
    () => {
      const events = loggedEvents().map(({ event }) => event);
      const buys = events.filter((event) => event.name === 'BuyEvent');
      const sells = events.filter((event) => event.name === 'SellEvent');
      expect(buys.length).toBeGreaterThan(6);
      expect(sells.length).toBeGreaterThan(8);
      for (const buy of buys) expectBuyReproduced(buy.data);
      for (const sell of sells) expectSellReproduced(sell.data);
    },
  );

  const reserves = fc.record({
    base: fc.bigInt({ min: 1_000_000n, max: 10n ** 15n }),
    quote: fc.bigInt({ min: 1_000_000n, max: 10n ** 13n }),
    virtualQuote: fc.bigInt({ min: -500_000n, max: 10n ** 11n }),
  });

  test('a round trip never pays, and the fees stay in the pool or leave it as booked', () => {
    fc.assert(
      fc.property(reserves, fc.bigInt({ min: 10n, max: 10n ** 12n }), (pool, spendable) => {
        const bought = buyWithQuote(pool, spendable, FLAT_POOL_FEES);
        expect(bought.userQuote).toBeLessThanOrEqual(spendable);
        expect(bought.baseAmount).toBeLessThan(pool.base);
        const sold = sellBase(bought.after, bought.baseAmount, FLAT_POOL_FEES);
        expect(sold.userQuote).toBeLessThanOrEqual(bought.userQuote);
        expect(sold.after.base).toBe(pool.base);
        expect(effectiveQuote(sold.after)).toBeGreaterThanOrEqual(effectiveQuote(pool));
      }),
    );
  });

  test('what the pool or its vault does not hold cannot be traded', () => {
    const pool = { base: 1_000n, quote: 10n, virtualQuote: 1_000_000n };
    expect(() => buyBase(pool, 1_000n, FLAT_POOL_FEES)).toThrow(RangeError);
    expect(() => sellBase(pool, 1_000n, FLAT_POOL_FEES)).toThrow(RangeError);
  });
});

describe('fee tiers', () => {
  test('follow the market cap of the coin', () => {
    const rates = (marketCapInSol: bigint) => {
      const { lpBps, protocolBps, creatorBps } = feeTierOf(SOL_FEE_TIERS, marketCapInSol * 1_000_000_000n);
      return [lpBps, protocolBps, creatorBps];
    };
    expect(rates(0n)).toEqual([2n, 93n, 30n]);
    expect(rates(419n)).toEqual([2n, 93n, 30n]);
    expect(rates(420n)).toEqual([20n, 5n, 95n]);
    expect(rates(34_380n)).toEqual([20n, 5n, 45n]);
    expect(rates(1_000_000n)).toEqual([20n, 5n, 5n]);
    expect(feeTierOf(USDC_FEE_TIERS, 2_000_000_000_000n).creatorBps).toBe(70n);
  });

  test('give a real trade the rates it was charged', () => {
    const event = buyEvent(BUY_2026);
    const tier = feeTierOf(SOL_FEE_TIERS, marketCap(reservesOf(event), event.baseSupply!));
    expect(tier).toMatchObject(feesOf(event));
  });
});
