import { describe, expect, it } from 'vitest';
import {
  buildBlock,
  type CallSpec,
  eventCall,
  someAddress,
  venueCall,
} from '../../test/support/transaction-builder.ts';
import { tradeEvent } from '../../test/support/venue-trades.ts';
import { ZERO_ADDRESS } from '../chain/address.ts';
import { failingJournal } from '../kernel/journal.ts';
import { deriveFacts } from './derive.ts';
import type { BlockFacts } from './fact.ts';

const mint = someAddress();
const user = someAddress();
const timestamp = 1_770_000_000n;

function derive(...calls: CallSpec[]): BlockFacts {
  return deriveFacts(buildBlock([{ signers: [user], calls }]), failingJournal);
}

const published = (event: CallSpec): CallSpec => venueCall('pump', 'set_creator', { creator: user }, {}, [event]);

describe('a creation', () => {
  const first = {
    name: 'Coin',
    symbol: 'COIN',
    uri: 'https://example.org/coin',
    mint,
    bondingCurve: someAddress(),
    user,
  };

  it('of the oldest kind leaves out what its event does not tell', () => {
    const { created } = derive(published(eventCall('pump', 'CreateEvent', first)));
    expect(created).toMatchObject([
      { mint, creator: user, name: 'Coin', supply: 1_000_000_000_000_000n, mayhem: false },
    ]);
    expect([created[0]!.feeCreator, created[0]!.virtualTokenReserves, created[0]!.tokenProgram]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('tells signer and fee creator apart, and the doubled supply of mayhem coins', () => {
    const creator = someAddress();
    const event = {
      ...first,
      creator,
      timestamp,
      virtualTokenReserves: 1_073_000_000_000_000n,
      virtualSolReserves: 30_000_000_000n,
      realTokenReserves: 793_100_000_000_000n,
      tokenTotalSupply: 1_000_000_000_000_000n,
      tokenProgram: someAddress(),
      isMayhemMode: true,
    };
    const { created } = derive(published(eventCall('pump', 'CreateEvent', event)));
    expect(created).toMatchObject([
      {
        creator: user,
        feeCreator: creator,
        mayhem: true,
        supply: 2_000_000_000_000_000n,
        virtualQuoteReserves: 30_000_000_000n,
      },
    ]);
  });

  it('of today tells its product: quote, cashback, rewards of holders, the creator’s share', () => {
    const quoteMint = someAddress();
    const event = {
      ...first,
      ...{ creator: user, timestamp, virtualTokenReserves: 1n, virtualSolReserves: 0n, realTokenReserves: 1n },
      ...{ tokenTotalSupply: 1_000_000_000_000_000n, tokenProgram: someAddress(), isMayhemMode: false },
      ...{ isCashbackEnabled: true, quoteMint, virtualQuoteReserves: 4_300_000_000n, creatorFeeBps: 30n },
      ...{ isHolderReward: true, depth: 2 },
    };
    const { created } = derive(published(eventCall('pump', 'CreateEvent', event)));
    expect(created).toMatchObject([
      {
        ...{ quoteMint, cashback: true, holderReward: true, mayhem: false, creatorFeeBps: 30n, curveDepth: 2 },
        virtualQuoteReserves: 4_300_000_000n,
      },
    ]);
  });
});

describe('a curve that is full', () => {
  const trade = tradeEvent({ mint, user, realTokenReserves: 0n });
  const complete = { user, mint, bondingCurve: someAddress(), timestamp };
  const traded = eventCall('pump', 'TradeEvent', trade);

  it.each([
    ['told before its last trade, as in January 2025', [eventCall('pump', 'CompleteEvent', complete), traded]],
    [
      'told after its last trade, as in October 2026',
      [traded, eventCall('pump', 'CompleteEvent', { ...complete, quoteMint: ZERO_ADDRESS })],
    ],
  ])('%s is one completion and one swap, each at its own place', (_, events) => {
    const args = { amount: trade.tokenAmount, maxSolCost: 1n };
    const { completed, swaps } = derive(venueCall('pump', 'buy', args, { mint, user }, events));
    expect(completed).toMatchObject([{ mint, user, bondingCurve: complete.bondingCurve }]);
    expect(swaps).toMatchObject([{ mint, trader: user, quoteAmount: 1_000_000n, realTokenReserves: 0n }]);
    const [first, second] = events[0] === traded ? [swaps, completed] : [completed, swaps];
    expect([first[0]!.ixIndex, second[0]!.ixIndex]).toEqual([1, 2]);
  });
});
