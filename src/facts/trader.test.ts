import { describe, expect, it } from 'vitest';
import { buildBlock, eventCall, someAddress, type TransactionSpec } from '../../test/support/transaction-builder.ts';
import { curveBuy, poolBuy, poolEvent, poolSell, sellEvent, tradeEvent } from '../../test/support/venue-trades.ts';
import { WSOL_MINT } from '../chain/address.ts';
import { failingJournal } from '../kernel/journal.ts';
import { bondingCurveAddress } from '../programs/pump/addresses.ts';
import { deriveFacts } from './derive.ts';
import type { BlockFacts } from './fact.ts';

const mint = someAddress();
const wallet = someAddress();
const authority = someAddress();
const router = someAddress();
const TOKENS = 35_000_000_000n;

function derive(spec: TransactionSpec): BlockFacts {
  return deriveFacts(buildBlock([spec]), failingJournal);
}

const gained = (owner: typeof mint, amount: bigint) => ({ mint, owner, pre: 100n, post: 100n + amount });

describe('the trader', () => {
  it('is the user who signed, whoever else moved tokens', () => {
    const other = someAddress();
    const calls = [curveBuy(tradeEvent({ mint, user: wallet }))];
    expect(derive({ signers: [wallet], calls, tokens: [gained(other, TOKENS)] }).swaps[0]!.trader).toBe(wallet);
  });

  it('is a user that did not sign when the tokens are its own', () => {
    const calls = [{ program: router, calls: [curveBuy(tradeEvent({ mint, user: authority }))] }];
    const facts = derive({ signers: [wallet], calls, tokens: [gained(authority, TOKENS)] });
    expect(facts.swaps[0]!.trader).toBe(authority);
    expect(facts.unexplained).toEqual([]);
  });

  it('is the owner whose tokens moved when the user is a router that passed them on', () => {
    const calls = [{ program: router, calls: [curveBuy(tradeEvent({ mint, user: authority }))] }];
    const facts = derive({ signers: [wallet], calls, tokens: [gained(authority, 0n), gained(wallet, TOKENS)] });
    expect(facts.swaps[0]!.trader).toBe(wallet);
    expect(facts.unexplained).toEqual([]);
  });

  it('is the owner of all legs of the router together', () => {
    const buy = curveBuy(tradeEvent({ mint, user: authority }));
    const facts = derive({
      signers: [wallet],
      calls: [{ program: router, calls: [buy, buy] }],
      tokens: [gained(wallet, 2n * TOKENS)],
    });
    expect(facts.swaps.map((swap) => swap.trader)).toEqual([wallet, wallet]);
  });

  it('of a buy that completes the curve behind a router is the owner of both its parts', () => {
    const trade = curveBuy(tradeEvent({ mint, user: authority }));
    const rest = eventCall('pump', 'PostCompleteBuyEvent', {
      user: authority,
      mint,
      bondingCurve: bondingCurveAddress(mint),
      quoteMint: WSOL_MINT,
      timestamp: 1_770_000_000n,
      baseOut: 7_000_000n,
      quoteIn: 3_000_000n,
      feeBasisPoints: 95n,
      fee: 28_500n,
      creatorFeeBasisPoints: 30n,
      creatorFee: 9_000n,
      buybackFee: 0n,
      poolBaseReservesBefore: 206_900_000_000_000n,
      poolQuoteReservesBefore: 85_000_000_000n,
      poolBaseReservesAfter: 206_899_993_000_000n,
      poolQuoteReservesAfter: 85_003_000_000n,
    });
    const calls = [{ program: router, calls: [{ ...trade, calls: [...trade.calls!, rest] }] }];
    const facts = derive({ signers: [wallet], calls, tokens: [gained(wallet, TOKENS + 7_000_000n)] });
    expect(facts.swaps.map(({ venue, trader }) => [venue, trader])).toEqual([
      [0, wallet],
      [1, wallet],
    ]);
    expect(facts.unexplained).toEqual([]);
  });

  it('is the signer who got most when the router kept a share, which is told apart', () => {
    const treasury = someAddress();
    const calls = [{ program: router, calls: [curveBuy(tradeEvent({ mint, user: authority }))] }];
    const facts = derive({ signers: [wallet], calls, tokens: [gained(treasury, 50n), gained(wallet, TOKENS - 50n)] });
    expect(facts.swaps[0]!.trader).toBe(wallet);
    expect(facts.transfers).toMatchObject([{ from: wallet, to: treasury, amount: 50n, hidden: true }]);
    expect(facts.unexplained).toEqual([]);
  });

  it('stays the router on a coin that it bought and sold again', () => {
    const calls = [
      {
        program: router,
        calls: [
          poolBuy(poolEvent({ user: authority }), mint, WSOL_MINT),
          poolSell(sellEvent({ user: authority }), mint, WSOL_MINT),
        ],
      },
    ];
    const bystander = gained(someAddress(), 50_000_000n);
    const facts = derive({ signers: [wallet], calls, tokens: [bystander] });
    expect(facts.swaps.map((swap) => swap.trader)).toEqual([authority, authority]);
    expect(facts.unexplained).toMatchObject([{ owner: bystander.owner }]);
  });

  it('is each of two wallets that trade in one transaction', () => {
    const second = someAddress();
    const calls = [
      poolSell(sellEvent({ user: wallet }), mint, WSOL_MINT),
      poolBuy(poolEvent({ user: second }), mint, WSOL_MINT),
    ];
    const facts = derive({ signers: [wallet, second], calls });
    expect(facts.swaps.map(({ trader, isBuy, feePayer }) => [trader, isBuy, feePayer])).toEqual([
      [wallet, false, wallet],
      [second, true, wallet],
    ]);
  });
});
