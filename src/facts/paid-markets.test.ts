import { describe, expect, it } from 'vitest';
import {
  b,
  buy,
  deriveTrade,
  dev,
  edges,
  HELD,
  left,
  market,
  mint,
  moved,
  PAID,
  PART,
  someWallet,
  TOKENS,
} from '../../test/support/moves-in-trades.ts';
import { buildBlock, someAddress, type TokenSpec } from '../../test/support/transaction-builder.ts';
import { curveBuy, curveSell, poolBuy, poolEvent, tradeEvent } from '../../test/support/venue-trades.ts';
import { type Address, WSOL_MINT } from '../chain/address.ts';
import {
  bondingCurveAddress,
  canonicalPoolAddress,
  creatorVaultAddress,
  userVolumeAccumulatorAddress,
} from '../programs/pump/addresses.ts';
import { coinCreatorVaultAuthorityAddress } from '../programs/pump-amm/addresses.ts';
import { findPaidVaults } from './paid-vaults.ts';
import { TransactionScope } from './transaction-scope.ts';

describe('a market that publishes no event', () => {
  const paid = moved(market, -PAID, WSOL_MINT);

  it('is handed nothing by who buys here and sells there', () => {
    const facts = deriveTrade([moved(market, TOKENS), paid, moved(dev, PAID, WSOL_MINT)]);
    expect(facts.transfers).toEqual([]);
    expect(left(facts)).toEqual(
      expect.arrayContaining([
        [dev, -TOKENS],
        [market, TOKENS],
      ]),
    );
  });

  it('is seen where it pays in lamports, and where its many pools come out even', () => {
    const lamports = [{ account: market, pre: PAID + 100n, post: 100n }];
    expect(deriveTrade([moved(market, TOKENS)], { lamports }).transfers).toEqual([]);
    const even = [paid, moved(market, PAID, WSOL_MINT)];
    expect(deriveTrade([moved(market, TOKENS), ...even]).transfers).toEqual([]);
  });

  it('may own itself', () => {
    const vault = { ...moved(b, TOKENS), account: b };
    expect(deriveTrade([vault, moved(b, -PAID, WSOL_MINT)]).transfers).toEqual([]);
  });

  it('takes nothing away from who is handed the rest', () => {
    const facts = deriveTrade([moved(market, TOKENS - PART), paid, moved(b, PART)]);
    expect(edges(facts)).toEqual([[dev, b, PART, true]]);
    expect(left(facts)).toEqual(
      expect.arrayContaining([
        [dev, PART - TOKENS],
        [market, TOKENS - PART],
      ]),
    );
  });

  it('is nobody who pays nothing, and no wallet however it pays', () => {
    expect(edges(deriveTrade([moved(market, TOKENS)]))).toEqual([[dev, market, TOKENS, true]]);
    expect(edges(deriveTrade([moved(b, TOKENS), moved(b, -PAID, WSOL_MINT)]))).toEqual([[dev, b, TOKENS, true]]);
    const signers = [dev, market];
    expect(edges(deriveTrade([moved(market, TOKENS), paid], { signers }))).toHaveLength(1);
  });
});

describe('what comes back for tokens', () => {
  const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
  const handed = [[dev, market, TOKENS, true]];

  it('pays when it is half of what the transaction itself paid for as many', () => {
    expect(edges(deriveTrade([moved(market, TOKENS), moved(market, 1n - PAID, WSOL_MINT)]))).toEqual(handed);
    const lamports = [{ account: market, pre: PAID, post: 1n }];
    expect(edges(deriveTrade([moved(market, TOKENS)], { lamports }))).toEqual(handed);
  });

  it('pays for no crumb, which the smallest unit would be worth', () => {
    const lamports = [{ account: market, pre: 9n, post: 8n }];
    expect(edges(deriveTrade([moved(dev, TOKENS - 1n), moved(market, 1n)], { lamports }))).toEqual([
      [dev, market, 1n, true],
    ]);
  });

  it('pays in no junk, however much of it', () => {
    expect(edges(deriveTrade([moved(market, TOKENS), moved(market, -HELD, someAddress())]))).toEqual(handed);
  });

  it('pays in another currency by the order of magnitude alone', () => {
    // A SOL's worth, of which half is 2.50 dollars at the least.
    const calls = [curveBuy(tradeEvent({ mint, user: dev, solAmount: 1_000_000_000n }))];
    const paidIn = (dollars: bigint) => deriveTrade([moved(market, TOKENS), moved(market, -dollars, USDC)], { calls });
    expect(paidIn(2_500_000n).transfers).toEqual([]);
    expect(edges(paidIn(2_499_999n))).toEqual(handed);
  });

  it('pays in staked SOL what that is worth at the most, twice as much SOL', () => {
    const staked = 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn' as Address;
    const calls = [curveBuy(tradeEvent({ mint, user: dev, solAmount: 1_000_000_000n }))];
    const paidIn = (units: bigint) => deriveTrade([moved(market, TOKENS), moved(market, -units, staked)], { calls });
    expect(paidIn(250_000_000n).transfers).toEqual([]);
    expect(edges(paidIn(249_999_999n))).toEqual(handed);
  });

  it('pays in the coin that the tokens are quoted in', () => {
    const coin = someAddress();
    const event = poolEvent({ user: dev, pool: canonicalPoolAddress(mint, coin) });
    const calls = [poolBuy(event, mint, coin)];
    const tokensMoved = (amount: bigint) => {
      const { transfers } = deriveTrade([moved(market, 50_000_000n), moved(market, -amount, coin)], { calls });
      return transfers.filter((transfer) => transfer.mint === mint).map(({ from, to }) => [from, to]);
    };
    expect(tokensMoved(500_000n)).toEqual([]);
    expect(tokensMoved(499_999n)).toEqual([[dev, market]]);
  });

  it('pays without a price where a route goes on with it, or came by it', () => {
    const [other, seller] = [someAddress(), dev];
    const bought = [curveBuy(tradeEvent({ mint: other, user: dev }))];
    const sale = (paid: bigint) => [moved(dev, -TOKENS), moved(market, TOKENS), moved(market, -paid, WSOL_MINT)];
    expect(deriveTrade(sale(PAID), { calls: bought }).transfers).toEqual([]);
    expect(edges(deriveTrade(sale(PAID - 1n), { calls: bought }))).toEqual(handed);
    const sold = [curveSell(tradeEvent({ mint: other, user: seller, isBuy: false }))];
    const purchase = [moved(market, -TOKENS), moved(market, PAID, WSOL_MINT)];
    expect(deriveTrade([...purchase, moved(seller, TOKENS)], { calls: sold }).transfers).toEqual([]);
    // A newcomer who is handed the tokens traded nothing.
    expect(edges(deriveTrade([...purchase, moved(b, TOKENS)], { calls: sold }))).toEqual([[market, b, TOKENS, true]]);
  });

  it('pays for nothing by the price of a pool that anybody can make', () => {
    const own = [poolBuy(poolEvent({ user: dev, baseAmountOut: TOKENS }), mint, WSOL_MINT)];
    const given = [moved(market, TOKENS), moved(market, -PAID, WSOL_MINT)];
    expect(edges(deriveTrade(given, { calls: own }))).toEqual(handed);
  });
});

describe('a market with a vault for each side', () => {
  const program = someAddress();
  const [vault, quoteVault, otherVault] = [someWallet(), someWallet(), someWallet()];
  const own = (owner: Address, delta: bigint, of = mint): TokenSpec => ({ ...moved(owner, delta, of), account: owner });
  const swapCall = { program, accounts: [vault, quoteVault, otherVault] };
  const sold = [own(vault, TOKENS), own(quoteVault, -PAID, WSOL_MINT), moved(dev, PAID, WSOL_MINT)];

  it('is handed nothing, though what it pays lies under another owner', () => {
    const facts = deriveTrade(sold, { calls: [buy, swapCall] });
    expect(facts.transfers).toEqual([]);
    expect(new Map(left(facts) as [Address, bigint][])).toEqual(
      new Map([
        [dev, -TOKENS],
        [vault, TOKENS],
      ]),
    );
  });

  it('is none where no call has both, or where the payer is the venue that tells', () => {
    expect(edges(deriveTrade(sold, { calls: [buy, { program, accounts: [vault] }] }))).toEqual([
      [dev, vault, TOKENS, true],
    ]);
    const event = poolEvent({ user: dev, pool: canonicalPoolAddress(mint, undefined) });
    const poolsMoney = { ...moved(event.pool, -PAID, WSOL_MINT), account: quoteVault };
    const outer = { ...swapCall, calls: [poolBuy(event, mint, WSOL_MINT)] };
    expect(edges(deriveTrade([own(vault, 50_000_000n), poolsMoney], { calls: [outer] }))).toEqual([
      [dev, vault, 50_000_000n, true],
    ]);
  });

  it('is none where the payer is a curve, or an address at which fees of the trade wait', () => {
    const event = tradeEvent({ mint, user: dev });
    const outer = { ...swapCall, calls: [curveBuy(event)] };
    const paidBy = (owner: Address) => ({ ...moved(owner, -PAID, WSOL_MINT), account: quoteVault });
    const waiting = [bondingCurveAddress(mint), creatorVaultAddress(event.creator!), userVolumeAccumulatorAddress(dev)];
    for (const owner of [...waiting, coinCreatorVaultAuthorityAddress(event.creator!)]) {
      expect(edges(deriveTrade([own(vault, TOKENS), paidBy(owner)], { calls: [outer] }))).toEqual([
        [dev, vault, TOKENS, true],
      ]);
    }
  });

  it('is none that is paid too little, or by who moved tokens of its own', () => {
    const cheap = [own(vault, TOKENS), own(quoteVault, 1n - PAID, WSOL_MINT)];
    expect(edges(deriveTrade(cheap, { calls: [buy, swapCall] }))).toEqual([[dev, vault, TOKENS, true]]);
    const account = someAddress();
    const call = { program, accounts: [vault, account] };
    const both = [own(vault, PART), moved(market, TOKENS - PART), { ...moved(market, -PAID, WSOL_MINT), account }];
    expect(edges(deriveTrade(both, { calls: [buy, call] }))).toEqual([[dev, vault, PART, true]]);
  });

  it('makes no markets of others to whom the same call hands tokens', () => {
    const tokens = [...sold.slice(1), own(vault, TOKENS - PART), own(otherVault, PART)];
    expect(edges(deriveTrade(tokens, { calls: [buy, swapCall] }))).toEqual([[dev, otherVault, PART, true]]);
  });

  it('is looked for by reading each list of accounts once, however many vaults and payers there are', () => {
    const owners = Array.from({ length: 8 }, someWallet);
    const payers = Array.from({ length: 8 }, someWallet);
    const tokens = [...owners.map((owner) => own(owner, 5n)), ...payers.map((owner) => own(owner, -5n, WSOL_MINT))];
    const accounts = [...owners, ...payers, ...Array.from({ length: 200 }, someAddress)];
    const block = buildBlock([{ signers: [dev], calls: [{ program, accounts }], tokens }]);
    const [transaction] = block.transactions;
    let reads = 0;
    const counted = transaction!.instructions.map((instruction) => ({
      ...instruction,
      accounts: new Proxy(Array.from(instruction.accounts), {
        get: (list, key) => {
          if (key !== 'length') reads += 1;
          return Reflect.get(list, key);
        },
      }),
    }));
    const scope = new TransactionScope(block, { ...transaction!, instructions: counted }, 0);
    const ofMint = owners.map((owner) => ({ owner, mint, delta: 5n }));
    const found = findPaidVaults(scope, ofMint, { swaps: [], venueAccounts: new Set() }, () => true);
    expect(found).toHaveLength(payers.length);
    expect(reads).toBe(accounts.length);
  });
});
