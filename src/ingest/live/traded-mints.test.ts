import { describe, expect, it } from 'vitest';
import { deriveTrades, mintOf, tradeBlock } from '../../../test/support/trade-chain.ts';
import { someAddress } from '../../../test/support/transaction-builder.ts';
import type { PositionSwap } from '../../facts/average-cost.ts';
import { movementsOf } from '../../facts/movements.ts';
import { createTradedMints } from './traded-mints.ts';

const USDC = someAddress();
const mint = mintOf(1);
const trade = { mint: 1, trader: 1, isBuy: true, quote: 5n, tokens: 5n };
const inSol: PositionSwap = deriveTrades(tradeBlock(100, 99, [trade])).swaps[0]!;
const inDollars: PositionSwap = { ...inSol, quoteMint: USDC };
const moves = movementsOf(deriveTrades(tradeBlock(101, 100, [{ ...trade, move: 'burn' }])));

/** Of a store that has nothing yet. */
async function tradedMints() {
  const mints = createTradedMints({ readQuotes: async () => new Map(), readMoved: async () => new Set() });
  await mints.load([inSol], moves);
  return mints;
}

describe('mints that were ever traded', () => {
  it('are what they were before a block that is undone', async () => {
    const mints = await tradedMints();
    const { before } = mints.trade([inSol]);
    const above = mints.trade([inDollars]);
    mints.undo(above.before);
    expect(mints.quotesOf(mint)).toEqual([undefined]);
    mints.undo(before);
    expect(mints.quotesOf(mint)).toEqual([]);
    expect(mints.ofTraded(moves)).toEqual([]);
  });

  it('keep what an older block traded for good meanwhile, in the same quote or in another', async () => {
    const mints = await tradedMints();
    const { before } = mints.trade([inSol]);
    expect([...mints.tradeForGood([inSol, inDollars])]).toEqual([mint]);
    mints.undo(before);
    // A quote that is forgotten would be a position that is never read.
    expect(new Set(mints.quotesOf(mint))).toEqual(new Set([undefined, USDC]));
    expect(mints.ofTraded(moves)).toEqual(moves);
  });

  it('tell once that movements may have been passed over', async () => {
    const mints = await tradedMints();
    expect(mints.ofTraded(moves)).toEqual([]);
    expect([...mints.trade([inSol]).passedOver]).toEqual([mint]);
    expect([...mints.tradeForGood([inSol])]).toEqual([mint]);
    expect([...mints.tradeForGood([inSol, inDollars])]).toEqual([]);
  });
});
