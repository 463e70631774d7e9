import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildBlock,
  burn,
  someAddress,
  type TokenSpec,
  type TransactionSpec,
} from '../../test/support/transaction-builder.ts';
import { curveBuy, poolBuy, poolEvent, tradeEvent } from '../../test/support/venue-trades.ts';
import { type Address, WSOL_MINT } from '../chain/address.ts';
import { addressBytes } from '../chain/keys/address-table.ts';
import { findProgramAddress, isOnCurve } from '../chain/keys/pda.ts';
import { INCINERATOR } from '../chain/well-known.ts';
import { failingJournal } from '../kernel/journal.ts';
import { bondingCurveAddress } from '../programs/pump/addresses.ts';
import { deriveFacts } from './derive.ts';
import type { BlockFacts } from './fact.ts';

const mint = someAddress();
const TOKENS = 35_000_000_000n;
/** More than a platform's fee is. */
const PART = TOKENS / 10n;
const [dev, b, c, d] = [someWallet(), someWallet(), someWallet(), someWallet()].sort() as [
  Address,
  Address,
  Address,
  Address,
];
const HELD = 10n ** 15n;
const market = findProgramAddress([Uint8Array.of(3)], someAddress()).address;
const buy = curveBuy(tradeEvent({ mint, user: dev }));

/** An address that a key can belong to. */
function someWallet(): Address {
  for (;;) {
    const address = someAddress();
    if (isOnCurve(addressBytes(address))) return address;
  }
}

function derive(tokens: readonly TokenSpec[], over: Partial<TransactionSpec> = {}): BlockFacts {
  return deriveFacts(buildBlock([{ signers: [dev], calls: [buy], tokens, ...over }]), failingJournal);
}

const moved = (owner: Address, delta: bigint, of = mint): TokenSpec => {
  return { mint: of, owner, pre: HELD, post: HELD + delta };
};
const edges = ({ transfers }: BlockFacts) =>
  transfers.map(({ from, to, amount, hidden }) => [from, to, amount, hidden]);
const left = ({ unexplained }: BlockFacts) => unexplained.map(({ owner, delta }) => [owner, delta]);

describe('tokens handed on in a transaction that trades', () => {
  it('are hidden sends of a buy that is split, and the trade stays the buyer’s', () => {
    const facts = derive([moved(dev, TOKENS - 30n), moved(b, 10n), moved(c, 20n)]);
    expect(edges(facts)).toEqual([
      [dev, b, 10n, true],
      [dev, c, 20n, true],
    ]);
    expect(facts.swaps).toMatchObject([{ trader: dev, tokenAmount: TOKENS }]);
    expect(left(facts)).toEqual([]);
  });

  it('are hidden sends of a buy that is sent on as a whole, with what the buyer held before', () => {
    expect(edges(derive([moved(dev, -7n), moved(b, TOKENS + 7n)]))).toEqual([[dev, b, TOKENS + 7n, true]]);
  });

  it('are hidden sends to a seller who sells what others gave', () => {
    const calls = [curveBuy(tradeEvent({ mint, user: dev, isBuy: false }))];
    expect(edges(derive([moved(b, -TOKENS)], { calls }))).toEqual([[b, dev, TOKENS, true]]);
  });

  it('are told of every other mint that moved beside the trade', () => {
    const other = someAddress();
    const facts = derive([moved(dev, TOKENS), moved(dev, -9n, other), moved(b, 9n, other)]);
    expect(facts.transfers).toMatchObject([{ mint: other, from: dev, to: b, amount: 9n, hidden: true }]);
  });

  it('are one possible pairing where several gave to several', () => {
    const facts = derive([moved(dev, TOKENS - 5n), moved(b, -2n), moved(c, 4n), moved(d, 3n)]);
    expect(facts.transfers.map(({ ambiguous }) => ambiguous)).toEqual([true, true, true]);
  });

  it('are burns where the incinerator gets them', () => {
    const facts = derive([moved(dev, TOKENS - 6n), moved(INCINERATOR, 6n)]);
    expect(facts.burns).toMatchObject([{ owner: dev, amount: 6n }]);
    expect([facts.transfers, facts.unexplained]).toEqual([[], []]);
  });

  it('come first behind the instructions, and what nobody explains behind them', () => {
    const facts = derive([moved(dev, TOKENS - PART), moved(c, PART), moved(b, 8n, someAddress())]);
    expect(facts.transfers.map(({ ixIndex }) => ixIndex)).toEqual([2]);
    expect(facts.unexplained.map(({ ixIndex }) => ixIndex)).toEqual([3]);
  });

  it('are neither what the trader burnt nor what the curve gave', () => {
    const account = someAddress();
    const tokens = [{ ...moved(dev, TOKENS - 5n), account }, moved(bondingCurveAddress(mint), -TOKENS)];
    const facts = derive(tokens, { calls: [buy, burn(account, mint, dev, 5n)] });
    expect([facts.transfers, facts.unexplained]).toEqual([[], []]);
  });

  it('are no legs of a swap of tokenized equities, whose venue tells only a part', () => {
    const equity = 'XsDoVfqeBukxuZHWhdvWHBhgEHjGNst4MLodqsJHzoB' as Address;
    const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
    const pool = [moved(market, -50n, equity), moved(market, 900n, usdc), moved(dev, -900n, usdc)];
    const facts = derive([moved(dev, TOKENS), ...pool, moved(dev, 45n, equity), moved(b, 5n, equity)]);
    expect(facts.swaps).toHaveLength(2);
    expect(facts.transfers).toEqual([]);
  });
});

describe('a market that publishes no event', () => {
  it('is handed nothing by who buys here and sells there', () => {
    const facts = derive([moved(market, TOKENS), moved(market, -5n, WSOL_MINT), moved(dev, 5n, WSOL_MINT)]);
    expect(facts.transfers).toEqual([]);
    expect(left(facts)).toEqual(
      expect.arrayContaining([
        [dev, -TOKENS],
        [market, TOKENS],
      ]),
    );
  });

  it('is seen where it pays in lamports, and where its many pools come out even', () => {
    const lamports = [{ account: market, pre: 900n, post: 100n }];
    expect(derive([moved(market, TOKENS)], { lamports }).transfers).toEqual([]);
    const even = [moved(market, -5n, WSOL_MINT), moved(market, 5n, WSOL_MINT)];
    expect(derive([moved(market, TOKENS), ...even]).transfers).toEqual([]);
  });

  it('may own itself', () => {
    const vault = { ...moved(b, TOKENS), account: b };
    expect(derive([vault, moved(b, -5n, WSOL_MINT)]).transfers).toEqual([]);
  });

  it('takes nothing away from who is handed the rest', () => {
    const facts = derive([moved(market, TOKENS - PART), moved(market, -5n, WSOL_MINT), moved(b, PART)]);
    expect(edges(facts)).toEqual([[dev, b, PART, true]]);
    expect(left(facts)).toEqual(
      expect.arrayContaining([
        [dev, PART - TOKENS],
        [market, TOKENS - PART],
      ]),
    );
  });

  it('is nobody who pays nothing, and no wallet however it pays', () => {
    expect(edges(derive([moved(market, TOKENS)]))).toEqual([[dev, market, TOKENS, true]]);
    expect(edges(derive([moved(b, TOKENS), moved(b, -5n, WSOL_MINT)]))).toEqual([[dev, b, TOKENS, true]]);
    const signers = [dev, market];
    expect(edges(derive([moved(market, TOKENS), moved(market, -5n, WSOL_MINT)], { signers }))).toHaveLength(1);
  });
});

describe('a market with a vault for each side', () => {
  const program = someAddress();
  const [vault, quoteVault, otherVault] = [someWallet(), someWallet(), someWallet()];
  const own = (owner: Address, delta: bigint, of = mint): TokenSpec => ({ ...moved(owner, delta, of), account: owner });
  const swapCall = { program, accounts: [vault, quoteVault, otherVault] };
  const sold = [own(vault, TOKENS), own(quoteVault, -5n, WSOL_MINT), moved(dev, 5n, WSOL_MINT)];

  it('is handed nothing, though what it pays lies under another owner', () => {
    const facts = derive(sold, { calls: [buy, swapCall] });
    expect(facts.transfers).toEqual([]);
    expect(new Map(left(facts) as [Address, bigint][])).toEqual(
      new Map([
        [dev, -TOKENS],
        [vault, TOKENS],
      ]),
    );
  });

  it('is none where no call has both, or where the payer is the venue that tells', () => {
    expect(edges(derive(sold, { calls: [buy, { program, accounts: [vault] }] }))).toEqual([[dev, vault, TOKENS, true]]);
    const pool = poolBuy(poolEvent({ user: dev, pool: quoteVault }), mint, WSOL_MINT);
    const paidByVenue = [own(vault, 50_000_000n), own(quoteVault, -5n, WSOL_MINT)];
    const outer = { ...swapCall, calls: [pool] };
    expect(edges(derive(paidByVenue, { calls: [outer] }))).toEqual([[dev, vault, 50_000_000n, true]]);
  });

  it('makes no markets of others to whom the same call hands tokens', () => {
    const tokens = [...sold.slice(1), own(vault, TOKENS - PART), own(otherVault, PART)];
    expect(edges(derive(tokens, { calls: [buy, swapCall] }))).toEqual([[dev, otherVault, PART, true]]);
  });
});

describe('coins that a swap beside the hand-out is quoted in', () => {
  const junk = someAddress();
  const event = poolEvent({ user: dev });
  const junkSwap = poolBuy(event, junk, mint);
  const paid = event.quoteAmountIn + event.lpFee + event.protocolFee + (event.coinCreatorFee ?? 0n);

  it('are handed on all the same', () => {
    const tokens = [moved(dev, TOKENS - paid - 3n * PART), moved(b, PART), moved(c, PART), moved(d, PART)];
    const facts = derive([...tokens, moved(dev, 50_000_000n, junk)], { calls: [buy, junkSwap] });
    expect(edges(facts)).toEqual([b, c, d].map((to) => [dev, to, PART, true]));
    expect(left(facts)).toEqual([]);
  });

  it('are not where nothing moved but the price and its fees', () => {
    const tokens = [moved(dev, TOKENS - paid), moved(b, event.protocolFee), moved(dev, 50_000_000n, junk)];
    const facts = derive(tokens, { calls: [buy, junkSwap] });
    expect([facts.transfers, facts.unexplained]).toEqual([[], []]);
  });

  it('hide no more than their fees, and from no more than two', () => {
    const crumbs = [b, c, d, someWallet()].map((owner) => moved(owner, 1n));
    const facts = derive([moved(dev, TOKENS - paid - PART), ...crumbs, moved(someWallet(), PART - 4n)], {
      calls: [buy, junkSwap],
    });
    expect(facts.transfers).toHaveLength(3);
  });
});

describe('a platform’s share of a trade', () => {
  it('is no hand-out, and stays unexplained on both sides', () => {
    const share = TOKENS / 100n;
    const facts = derive([moved(dev, TOKENS - share), moved(b, share)]);
    expect(facts.transfers).toEqual([]);
    expect(new Map(left(facts) as [Address, bigint][])).toEqual(
      new Map([
        [dev, -share],
        [b, share],
      ]),
    );
  });

  it('is a hand-out where it goes to several, is more than a fee, or is of somebody who did not trade', () => {
    const crumb = TOKENS / 1_000n;
    expect(derive([moved(dev, TOKENS - 2n * crumb), moved(b, crumb), moved(c, crumb)]).transfers).toHaveLength(2);
    const more = (TOKENS * 3n) / 100n;
    expect(edges(derive([moved(dev, TOKENS - more), moved(b, more)]))).toEqual([[dev, b, more, true]]);
    expect(edges(derive([moved(dev, TOKENS), moved(c, -crumb), moved(b, crumb)]))).toEqual([[c, b, crumb, true]]);
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
        const facts = derive(tokens);
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
    const facts = derive([moved(dev, 41_000_000n), moved(b, 9_000_000n)], { calls: [quoted] });
    expect(edges(facts)).toEqual([[dev, b, 9_000_000n, true]]);
  });
});
