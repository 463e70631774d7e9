import { describe, expect, it } from 'vitest';
import {
  buildBlock,
  type CallSpec,
  eventCall,
  someAddress,
  type TransactionSpec,
  venueCall,
} from '../../test/support/transaction-builder.ts';
import { curveBuy, poolBuy, poolEvent, poolSell, sellEvent, tradeEvent } from '../../test/support/venue-trades.ts';
import { type Address, WSOL_MINT, ZERO_ADDRESS } from '../chain/address.ts';
import { failingJournal } from '../kernel/journal.ts';
import { canonicalPoolAddress } from '../programs/pump/addresses.ts';
import { MAYHEM_SOL_VAULT } from '../programs/pump/ids.ts';
import { deriveFacts } from './derive.ts';
import type { Swap } from './fact.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;

function swapsOf(...transactions: TransactionSpec[]): readonly Swap[] {
  return deriveFacts(buildBlock(transactions), failingJournal).swaps;
}

describe('a trade on the curve', () => {
  it('in another currency uses the fields of the quote', () => {
    const user = someAddress();
    const event = tradeEvent({
      user,
      solAmount: 0n,
      virtualSolReserves: 0n,
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
      quoteMint: USDC,
      quoteAmount: 5_000_000n,
      virtualQuoteReserves: 4_297_000_000n,
      realQuoteReserves: 5_000_000n,
    });
    const [swap] = swapsOf({ signers: [user], calls: [curveBuy(event)] });
    expect(swap).toMatchObject({
      quoteMint: USDC,
      quoteDecimals: 6,
      quoteAmount: 5_000_000n,
      priceQuote: 5_000_000n,
      virtualQuoteReserves: 4_297_000_000n,
      realQuoteReserves: 5_000_000n,
    });
  });

  it('counts neither cashback nor the reward of holders as a fee of its own', () => {
    const user = someAddress();
    const { creator, ...told } = tradeEvent({ user, fee: 9_500n, creatorFee: 3_000n });
    const event = {
      ...told,
      creator,
      ...{ trackVolume: true, totalUnclaimedTokens: 0n, totalClaimedTokens: 0n, currentSolVolume: 0n },
      ...{
        lastUpdateTimestamp: 0n,
        ixName: 'buy_v3',
        mayhemMode: false,
        cashbackFeeBasisPoints: 50n,
        cashback: 5_000n,
      },
      ...{ buybackFeeBasisPoints: 10n, buybackFee: 1_000n, shareholders: [], quoteMint: ZERO_ADDRESS },
      ...{ quoteAmount: 1_000_000n, virtualQuoteReserves: 30_001_000_000n, realQuoteReserves: 1_000_000n },
      ...{ holderRewardsBps: 30n, holderRewards: 3_000n, creatorFeeUnclaimed: 0n },
    };
    const [swap] = swapsOf({ signers: [user], calls: [curveBuy(event)] });
    expect(swap).toMatchObject({ quoteAmount: 1_000_000n, fee: 9_500n, creatorFee: 3_000n, lpFee: 0n });
  });

  it('too small to show a price takes that of the reserves', () => {
    const user = someAddress();
    const [swap] = swapsOf({ signers: [user], calls: [curveBuy(tradeEvent({ user, solAmount: 9_999n }))] });
    expect([swap!.priceQuote, swap!.priceToken]).toEqual([30_001_000_000n, 1_072_965_000_000_000n]);
    expect([swap!.quoteAmount, swap!.tokenAmount]).toEqual([9_999n, 35_000_000_000n]);
  });

  it('by the mayhem agent is a row of a protocol actor', () => {
    const event = tradeEvent({ user: MAYHEM_SOL_VAULT });
    const [swap] = swapsOf({ signers: [someAddress()], calls: [curveBuy(event)] });
    expect(swap).toMatchObject({ protocolActor: true, trader: MAYHEM_SOL_VAULT });
  });

  it('tells the whole fee of its transaction on the first row alone', () => {
    const user = someAddress();
    const events = [tradeEvent({ user }), tradeEvent({ user })];
    const swaps = swapsOf({ signers: [user], calls: events.map(curveBuy), fee: 7_777n });
    expect(swaps.map((swap) => swap.networkFee)).toEqual([7_777n, 0n]);
  });

  it('names the program that called the venue as router, and a direct call none', () => {
    const user = someAddress();
    const router = someAddress();
    const direct = curveBuy(tradeEvent({ user }));
    const swaps = swapsOf({
      signers: [user],
      calls: [direct, { program: router, calls: [curveBuy(tradeEvent({ user }))] }],
    });
    expect(swaps.map((swap) => swap.router)).toEqual([undefined, router]);
  });
});

describe('a trade in a pool', () => {
  const user = someAddress();
  const token = someAddress();

  it.each([
    ['the first', {}],
    ['the other', { quoteAmountIn: 1_003_500n, userQuoteAmountIn: 1_000_000n }],
  ])('has the same net amount when the event has it in %s field', (_, amounts) => {
    const [swap] = swapsOf({ signers: [user], calls: [poolBuy(poolEvent({ user, ...amounts }), token, WSOL_MINT)] });
    expect(swap).toMatchObject({ quoteAmount: 1_000_000n, tokenAmount: 50_000_000n, lpFee: 2_000n });
    expect(swap).toMatchObject({ fee: 500n, creatorFee: 1_000n });
  });

  it('tells the reserves after it, the pricing ones with the virtual part', () => {
    const virtual = { virtualQuoteReserves: 17_000_000_000n, canBoost: true };
    const known = { buybackFeeBasisPoints: 0n, buybackFee: 0n, cashbackFeeBasisPoints: 0n, cashback: 0n };
    const bought = poolEvent({
      user,
      trackVolume: false,
      totalUnclaimedTokens: 0n,
      totalClaimedTokens: 0n,
      currentSolVolume: 0n,
      lastUpdateTimestamp: 0n,
      minBaseAmountOut: 0n,
      ixName: 'buy',
      ...known,
      ...virtual,
    });
    const sold = sellEvent({ user, ...known, ...virtual });
    const swaps = swapsOf({
      signers: [user],
      calls: [poolBuy(bought, token, WSOL_MINT), poolSell(sold, token, WSOL_MINT)],
    });
    expect(swaps[0]).toMatchObject({
      realTokenReserves: 199_999_950_000_000n,
      realQuoteReserves: 85_001_002_000n,
      virtualQuoteReserves: 102_001_002_000n,
    });
    expect(swaps[1]).toMatchObject({
      realTokenReserves: 200_000_050_000_000n,
      realQuoteReserves: 84_999_002_000n,
      virtualQuoteReserves: 101_999_002_000n,
    });
  });

  it('keeps fees in the vault, not in the price, where no recipient is named', () => {
    const event = poolEvent({ user, protocolFeeRecipient: ZERO_ADDRESS });
    const [swap] = swapsOf({ signers: [user], calls: [poolBuy(event, token, WSOL_MINT)] });
    expect(swap!.realQuoteReserves! - swap!.virtualQuoteReserves!).toBe(1_500n);
  });

  it('of wSOL against the token flips the side and keeps the fees in the token', () => {
    const event = poolEvent({ user, coinCreatorFee: 0n, userQuoteAmountIn: 1_002_500n });
    const [swap] = swapsOf({ signers: [user], calls: [poolBuy(event, WSOL_MINT, token)] });
    expect(swap).toMatchObject({
      mint: token,
      quoteMint: undefined,
      isBuy: false,
      quoteAmount: 50_000_000n,
      tokenAmount: 1_002_500n,
      priceQuote: 50_000_000n,
      priceToken: 1_000_000n,
      fee: 500n,
      priced: false,
    });
  });

  it('of two unlisted tokens takes the base for the token', () => {
    const other = someAddress();
    const [swap] = swapsOf({ signers: [user], calls: [poolBuy(poolEvent({ user }), token, other)] });
    expect(swap).toMatchObject({ mint: token, quoteMint: other, quoteDecimals: undefined });
  });

  it.each([
    [USDC, WSOL_MINT],
    [WSOL_MINT, USDC],
  ])('of two currencies takes SOL for the quote', (base, quote) => {
    const [swap] = swapsOf({ signers: [user], calls: [poolBuy(poolEvent({ user }), base, quote)] });
    expect(swap).toMatchObject({ mint: USDC, quoteMint: undefined });
  });

  it('of a listed coin against a stablecoin takes the coin for the token', () => {
    const coin = 'pumpCmXqMfrsAkQ5r49WcJnRayYRqmXz6ae8H7H9Dfn' as Address;
    const [swap] = swapsOf({ signers: [user], calls: [poolBuy(poolEvent({ user }), USDC, coin)] });
    expect(swap).toMatchObject({ mint: coin, quoteMint: USDC, isBuy: false });
  });

  it('has no fee creator where the event names the zero key', () => {
    const event = poolEvent({ user, coinCreator: ZERO_ADDRESS, coinCreatorFee: 0n });
    expect(swapsOf({ signers: [user], calls: [poolBuy(event, token, WSOL_MINT)] })[0]!.feeCreator).toBeUndefined();
  });

  it('sets the price only where the coin graduated to', () => {
    const canonical = poolEvent({ user, pool: canonicalPoolAddress(token, undefined) });
    const other = poolEvent({ user });
    const swaps = swapsOf({
      signers: [user],
      calls: [canonical, other].map((event) => poolBuy(event, token, WSOL_MINT)),
    });
    expect(swaps.map((swap) => swap.priced)).toEqual([true, false]);
  });

  it('carries no compute budget', () => {
    const [swap] = swapsOf({
      signers: [user],
      calls: [poolBuy(poolEvent({ user }), token, WSOL_MINT)],
      config: { priorityFee: 100n, computeUnitLimit: 1_000 },
    });
    expect(swap!.budget).toEqual({ cuPrice: 0n, cuLimit: 0, priorityFee: 0n, source: 0 });
  });
});

describe('a boosted pool that buys and burns', () => {
  it('is a row of the protocol, told by the event behind the buy; without it somebody traded', () => {
    const token = someAddress();
    const pool = canonicalPoolAddress(token, undefined);
    const bought = poolEvent({ user: pool, pool });
    const burnt = eventCall('pump_amm', 'BoostBuyAndBurnEvent', {
      ...{ timestamp: 1_770_000_000n, mint: token, bondingCurve: someAddress(), pool, authority: someAddress() },
      ...{ quoteAmountInRequested: 1_000_000n, quoteAmountInUsed: 1_000_000n, baseAmountBurned: 50_000_000n },
      ...{ virtualQuoteReserves: 0n, realQuoteReservesAfter: 85_001_002_000n, baseReservesAfter: 199_999_950_000_000n },
      boostVaultRemaining: 0n,
    });
    const byProtocol = (...behind: CallSpec[]) => {
      const args = { quoteAmountIn: 1_000_000n, minBaseAmountBurned: 1n };
      const accounts = { pool, baseMint: token, quoteMint: WSOL_MINT };
      const events = [eventCall('pump_amm', 'BuyEvent', bought), ...behind];
      const calls = [venueCall('pump_amm', 'boost_buy_and_burn', args, accounts, events)];
      return swapsOf({ signers: [someAddress()], calls });
    };
    expect(byProtocol(burnt)).toMatchObject([{ mint: token, pool, priced: true, protocolActor: true, isBuy: true }]);
    expect(byProtocol()).toMatchObject([{ mint: token, protocolActor: false }]);
  });
});

describe('the neighbours of a swap', () => {
  const buy = (): TransactionSpec => {
    const user = someAddress();
    return { signers: [user], calls: [curveBuy(tradeEvent({ mint: neighbour, user }))] };
  };
  const neighbour = someAddress();

  it('are known of a whole block alone', () => {
    const bundled = (whole: boolean) =>
      deriveFacts(buildBlock([buy(), buy()], { whole }), failingJournal).swaps.map((swap) => swap.bundled);
    expect(bundled(true)).toEqual([true, true]);
    expect(bundled(false)).toEqual([undefined, undefined]);
  });
});

describe('every hop of a multi-hop swap', () => {
  it('is a row with the mints that its own accounts name', () => {
    const user = someAddress();
    const [first, second] = [someAddress(), someAddress()];
    const events = [poolEvent({ user }), sellEvent({ user })] as const;
    const hop = (event: { pool: Address }, base: Address, quote: Address) => [
      base,
      quote,
      event.pool,
      someAddress(),
      someAddress(),
    ];
    const call = venueCall('pump_amm', 'multi_hop_swap', { amountIn: 1n, minAmountOut: 1n }, { user });
    const swaps = swapsOf({
      signers: [user],
      calls: [
        {
          ...call,
          accounts: [...call.accounts!, ...hop(events[0], first, WSOL_MINT), ...hop(events[1], second, first)],
          calls: [eventCall('pump_amm', 'BuyEvent', events[0]), eventCall('pump_amm', 'SellEvent', events[1])],
        },
      ],
    });
    expect(swaps).toMatchObject([
      { mint: first, quoteMint: undefined, isBuy: true, pool: events[0].pool, router: undefined },
      { mint: second, quoteMint: first, isBuy: false, pool: events[1].pool, router: undefined },
    ]);
  });
});
