import { describe, expect, it } from 'vitest';
import {
  bought,
  moved,
  otherShare,
  share,
  sold,
  swapCall,
  usdc,
  usdt,
  vaultsOf,
} from '../../test/support/equity-moves.ts';
import { hasFixtures, realTransactions } from '../../test/support/fixtures.ts';
import {
  buildBlock,
  type CallSpec,
  someAddress,
  type TokenSpec,
  transfer,
} from '../../test/support/transaction-builder.ts';
import { poolBuy, poolEvent } from '../../test/support/venue-trades.ts';
import { type Address, WSOL_MINT } from '../chain/address.ts';
import { readRpcTransaction } from '../chain/rpc/rpc-json.ts';
import { TOKEN_PROGRAM } from '../chain/well-known.ts';
import { failingJournal } from '../kernel/journal.ts';
import { PUMP_AMM_PROGRAM } from '../programs/pump-amm/ids.ts';
import { deriveFacts } from './derive.ts';
import type { BlockFacts } from './fact.ts';

const [pool, otherPool] = [someAddress(), someAddress()].sort() as [Address, Address];
const [trader, amm, aggregator] = [someAddress(), someAddress(), someAddress()];

const poolCall = (owner: Address): CallSpec => ({ program: amm, accounts: vaultsOf(owner) });

function derive(tokens: readonly TokenSpec[], calls: readonly CallSpec[] = [poolCall(pool)]): BlockFacts {
  return deriveFacts(buildBlock([{ signers: [trader], calls, tokens, fee: 7_000n }]), failingJournal);
}

describe('a swap of an equity', () => {
  it('is read off the balances of a pool that did not sign', () => {
    const tokens = [...bought(trader, 300_000n, 60_000n), ...sold(pool, 300_000n, 60_000n)];
    const { swaps, transfers } = derive(tokens, [swapCall(amm, pool, { trader, shares: 300_000n, dollars: 60_000n })]);
    expect(swaps).toEqual([
      {
        slot: 400_000_000,
        blockIndex: 0,
        ixIndex: 3,
        time: 1_770_000_000,
        signature: new Uint8Array(64).fill(1),
        mint: share,
        venue: 2,
        pool,
        trader,
        isBuy: true,
        quoteMint: usdc,
        quoteDecimals: 6,
        tokenDecimals: 8,
        quoteAmount: 60_000n,
        tokenAmount: 300_000n,
        priceQuote: 60_000n,
        priceToken: 300_000n,
        fee: 0n,
        creatorFee: 0n,
        lpFee: 0n,
        feeInToken: false,
        feeCreator: undefined,
        virtualQuoteReserves: undefined,
        virtualTokenReserves: undefined,
        realQuoteReserves: undefined,
        realTokenReserves: undefined,
        priced: true,
        protocolActor: false,
        bundled: false,
        feePayer: trader,
        router: undefined,
        tip: 0n,
        tipWallet: undefined,
        budget: { cuPrice: 0n, cuLimit: 0, priorityFee: 0n, source: 0 },
        networkFee: 7_000n,
        signatures: 1,
      },
    ]);
    expect(transfers).toEqual([]);
  });

  it('is a sell when the pool got shares', () => {
    const { swaps } = derive([...sold(trader, 5n, 9n), ...bought(pool, 5n, 9n)]);
    expect(swaps).toMatchObject([{ isBuy: false, tokenAmount: 5n, quoteAmount: 9n, trader }]);
  });

  it('keeps the net amounts as its price, however small', () => {
    const { swaps } = derive([...bought(trader, 3n, 2n), ...sold(pool, 3n, 2n)]);
    expect(swaps).toMatchObject([{ priceQuote: 2n, priceToken: 3n }]);
  });

  it('has one row for each pool, in order of pool behind the instructions, and one network fee', () => {
    const tokens = [...sold(otherPool, 1n, 2n), ...sold(pool, 3n, 7n), ...bought(trader, 4n, 9n)];
    const { swaps } = derive(tokens, [poolCall(otherPool), poolCall(pool)]);
    expect(swaps).toMatchObject([
      { pool, ixIndex: 2, tokenAmount: 3n, quoteAmount: 7n, trader, networkFee: 7_000n },
      { pool: otherPool, ixIndex: 3, tokenAmount: 1n, quoteAmount: 2n, trader, networkFee: 0n },
    ]);
  });

  it('belongs to the fee payer when the shares only passed through', () => {
    const { swaps } = derive([...sold(pool, 5n, 9n), ...bought(otherPool, 5n, 10n), moved(trader, usdc, 1n)]);
    expect(swaps.map((swap) => [swap.pool, swap.isBuy, swap.trader])).toEqual([
      [pool, true, trader],
      [otherPool, false, trader],
    ]);
  });

  it('belongs to the customer of a keeper, who pays first, and is told once', () => {
    const customer = someAddress();
    const [, from] = vaultsOf(customer);
    const [, to] = vaultsOf(pool);
    const pay = transfer(from, to, customer, 9n);
    for (const side of [
      [...bought(customer, 5n, 9n), ...sold(pool, 5n, 9n)],
      [...sold(pool, 5n, 9n), ...bought(customer, 5n, 9n)],
    ]) {
      const { swaps } = derive(side, [{ ...poolCall(pool), calls: [pay] }]);
      expect(swaps).toMatchObject([{ pool, trader: customer, isBuy: true, feePayer: trader }]);
    }
  });

  it('names the program above the pool’s own as its router, and none when the pool’s was called directly', () => {
    const tokens = [...bought(trader, 5n, 9n), ...sold(pool, 5n, 9n)];
    expect(derive(tokens).swaps[0]!.router).toBeUndefined();
    const routed = { program: aggregator, accounts: vaultsOf(pool), calls: [poolCall(pool)] };
    expect(derive(tokens, [routed]).swaps[0]!.router).toBe(aggregator);
  });

  it('is bundled like every other: another transaction on the share right beside it', () => {
    const spec = { calls: [poolCall(pool)], tokens: [...bought(trader, 5n, 9n), ...sold(pool, 5n, 9n)] };
    const idle = { signers: [someAddress()], calls: [{ program: amm }] };
    const one = { signers: [trader], ...spec };
    const { swaps } = deriveFacts(buildBlock([one, one, idle, one]), failingJournal);
    expect(swaps.map(({ bundled }) => bundled)).toEqual([true, true, false]);
  });

  it('is told beside what else a transaction with the AMM holds, and is no unexplained delta there', () => {
    const call = { program: PUMP_AMM_PROGRAM, data: new Uint8Array(8) };
    const [keeper, coin] = [someAddress(), someAddress()];
    const { swaps, unexplained } = deriveFacts(
      buildBlock([
        {
          signers: [trader],
          calls: [call, poolCall(pool)],
          tokens: [...bought(trader, 5n, 9n), ...sold(pool, 5n, 9n), moved(keeper, coin, 3n)],
        },
      ]),
      failingJournal,
    );
    expect(swaps).toMatchObject([{ venue: 2, ixIndex: 2 }]);
    expect(unexplained).toMatchObject([{ mint: coin, owner: keeper, delta: 3n, ixIndex: 3 }]);
  });

  it('is told once in a pool of the AMM, by its event', () => {
    const event = poolEvent({ pool, user: trader });
    const tokens = [...bought(trader, 50_000_000n, 1_003_500n), ...sold(pool, 50_000_000n, 1_002_000n)];
    const { swaps, unexplained } = derive(tokens, [poolBuy(event, share, usdc)]);
    expect(swaps).toMatchObject([{ venue: 1, pool, trader, mint: share }]);
    expect(unexplained).toEqual([]);
  });

  it('leaves the places behind it to sends of other tokens', () => {
    const coin = someAddress();
    const receiver = someAddress();
    const { swaps, transfers } = derive([
      ...bought(trader, 5n, 9n),
      ...sold(pool, 5n, 9n),
      moved(trader, coin, -1_000n),
      moved(receiver, coin, 1_000n),
    ]);
    expect(swaps.map(({ ixIndex }) => ixIndex)).toEqual([1]);
    expect(transfers).toMatchObject([{ mint: coin, from: trader, to: receiver, ixIndex: 2 }]);
  });
});

describe('a swap of an equity is a price', () => {
  const size = { shares: 300_000n, dollars: 60_000n };
  const tokens = (shares = size.shares, dollars = size.dollars) => [
    ...bought(trader, shares, dollars),
    ...sold(pool, shares, dollars),
  ];
  const swap = swapCall(amm, pool, { trader, ...size });
  const pricedOf = (moves: readonly TokenSpec[], calls: readonly CallSpec[]) =>
    derive(moves, calls).swaps.map(({ priced }) => priced);

  it('when a program gave and got all of it in one call, whoever calls that', () => {
    expect(pricedOf(tokens(), [swap])).toEqual([true]);
    expect(pricedOf(tokens(), [{ program: aggregator, accounts: swap.accounts!, calls: [swap] }])).toEqual([true]);
    const sale = swapCall(amm, pool, { trader, shares: -300_000n, dollars: -60_000n });
    expect(pricedOf(tokens(-300_000n, -60_000n), [sale])).toEqual([true]);
  });

  it.each([
    [10_000n, 10_000n, true],
    [9_999n, 10_000n, false],
    [10_000n, 9_999n, false],
    [1n, 100_000_000n, false],
  ])('of %i raw shares for %i raw dollars: %s', (shares, dollars, priced) => {
    expect(pricedOf(tokens(shares, dollars), [swapCall(amm, pool, { trader, shares, dollars })])).toEqual([priced]);
  });

  const [shareVault, moneyVault] = vaultsOf(pool);
  const [ownShares, ownMoney] = vaultsOf(trader);
  const pay = transfer(ownMoney, moneyVault, trader, size.dollars);
  const give = (authority: Address) => transfer(shareVault, ownShares, authority, size.shares);
  const within = (...calls: readonly CallSpec[]): CallSpec => ({ program: amm, accounts: vaultsOf(pool), calls });
  const batch = { program: TOKEN_PROGRAM, data: Uint8Array.of(255) };
  const more = tokens(300_000n, 90_000_000n);
  const rest = transfer(ownMoney, moneyVault, trader, 90_000_000n - size.dollars);
  const none: readonly (readonly [string, readonly TokenSpec[], readonly CallSpec[]])[] = [
    ['of two transfers that no program made', tokens(), [pay, give(trader)]],
    ['of two transfers beside a call that has both accounts', tokens(), [within(), pay, give(trader)]],
    ['of shares that a delegate gave', tokens(), [within(pay, give(trader))]],
    ['of shares that nobody is known to have given', tokens(), [poolCall(pool)]],
    ['with dollars that were a gift', more, [swap, rest]],
    ['with dollars that were added as liquidity', more, [swap, within(rest)]],
    ['of a batch of a token program', tokens(), [{ ...within(), ...batch }, pay]],
  ];
  it.each(none)('and none %s', (_, moves, calls) => {
    expect(pricedOf(moves, calls)).toEqual([false]);
  });
});

describe('no swap of an equity', () => {
  const none: readonly (readonly [string, readonly TokenSpec[]])[] = [
    ['is liquidity, which moves both the same way', [...moves(pool, 5n, 9n), ...moves(trader, -5n, -9n)]],
    ['is liquidity of one side', [moved(pool, share, 5n), moved(trader, share, -5n)]],
    ['is against SOL', [moved(pool, share, 5n), moved(pool, WSOL_MINT, -9n), moved(trader, share, -5n)]],
    ['is of a mint that the registry does not list', notListed()],
    ['is guessed where an owner moved two stablecoins', [...sold(pool, 5n, 9n), moved(pool, usdt, 4n)]],
    ['is guessed where an owner moved two equities', [...sold(pool, 5n, 9n), moved(pool, otherShare, -4n)]],
  ];
  it.each(none)('%s', (_, tokens) => {
    expect(derive(tokens).swaps).toEqual([]);
  });

  it('is what two who signed exchange: the shares are sent', () => {
    const seller = someAddress();
    const tokens = [...bought(trader, 5n, 9n), ...sold(seller, 5n, 9n)];
    const block = buildBlock([{ signers: [trader, seller], calls: [poolCall(seller)], tokens }]);
    const { swaps, transfers } = deriveFacts(block, failingJournal);
    expect(swaps).toEqual([]);
    expect(transfers).toMatchObject([{ mint: share, from: seller, to: trader, amount: 5n }]);
  });

  it('comes of a reverted transaction', () => {
    const error = { kind: 'AccountInUse', instructionIndex: undefined, instructionError: undefined };
    const spec = { signers: [trader], calls: [poolCall(pool)], tokens: sold(pool, 5n, 9n) };
    const block = buildBlock([{ ...spec, error: { ...error, customCode: undefined } }]);
    expect(deriveFacts(block, failingJournal).swaps).toEqual([]);
  });
});

describe.skipIf(!hasFixtures)('equities in real transactions', () => {
  const factsOf = (json: unknown) => deriveFacts(readRpcTransaction(json, failingJournal), failingJournal);

  it('give one swap through a router, and none for a removal of liquidity', () => {
    const facts = new Map(realTransactions('equities').map(({ name, json }) => [name.slice(0, 5), factsOf(json)]));
    expect(facts.get('crclx')!.swaps).toMatchObject([
      {
        venue: 2,
        mint: 'XsueG8BtpquVJX9LVLLEGuViXUungE6WmK5YZ3p3bd1',
        pool: 'GYqHjuDzTiw7i52Xv1qohDE6eJr6eSZpsrBVikGZyaFV',
        trader: '31k2metxvXzW3rrmhe6xvrmGfY4s4fFVaaWf7qCzup15',
        isBuy: true,
        quoteMint: usdc,
        quoteAmount: 30_098_851n,
        tokenAmount: 32_539_102n,
        ixIndex: 19,
        priced: true,
        router: 'routeUGWgWzqBWFcrCfv8tritsqukccJPu3q5GPP3xS',
      },
    ]);
    expect(facts.get('nvdax')!.swaps).toEqual([]);
  });

  it('are in exactly two of those without a launchpad: one bought, one sold', () => {
    const found = realTransactions('transactions-other').flatMap(({ json }) => factsOf(json).swaps);
    expect(found.map((swap) => [swap.venue, swap.isBuy, swap.tokenAmount, swap.quoteAmount, swap.priced])).toEqual([
      [2, false, 10_000_000n, 38_036_476n, true],
      [2, true, 32_539_102n, 30_098_851n, true],
    ]);
  });
});

function moves(owner: Address, shares: bigint, dollars: bigint): TokenSpec[] {
  return [moved(owner, share, shares), moved(owner, usdc, dollars)];
}

function notListed(): TokenSpec[] {
  const coin = someAddress();
  return [moved(pool, coin, -5n), moved(pool, usdc, 9n), moved(trader, coin, 5n), moved(trader, usdc, -9n)];
}
