import { expect, it } from 'vitest';
import { mintOf, traderOf } from '../../../test/support/trade-chain.ts';
import type { PositionSwap } from '../../facts/average-cost.ts';
import { walletKey } from '../../facts/holding.ts';
import type { Movement } from '../../facts/movements.ts';
import { foldWallets, type WalletState } from '../../facts/wallet-fold.ts';
import { ALL_WALLETS } from '../../facts/wallet-share.ts';
import { createLateSteps } from './late-steps.ts';
import { settleStored } from './stored-states.ts';

const [mint, wallet] = [mintOf(1), traderOf(1)];
const key = walletKey({ mint, wallet });
const at = (slot: number) => ({ mint, slot, blockIndex: 0, ixIndex: 0, time: 1_790_000_000 + slot });
const buy = (slot: number): PositionSwap => {
  const amounts = { quoteAmount: 5n, tokenAmount: 9n };
  return { ...at(slot), ...amounts, trader: wallet, quoteMint: undefined, isBuy: true, protocolActor: false };
};
const burn = (slot: number): Movement => ({ ...at(slot), wallet, kind: 'burnt', delta: -1n });

function fold(swaps: readonly PositionSwap[], movements: readonly Movement[]): Map<string, WalletState> {
  const states = new Map<string, WalletState>();
  foldWallets(states, swaps, movements);
  return states;
}

/** What becomes of a stored wallet of a token whose first swaps were let go, and whose holdings alone are to be folded. */
async function settle(stored: WalletState, movements: readonly Movement[], line: number) {
  const mark = { mint, mark: 1, slot: 0, firstSlot: 0, holdingsOnly: true };
  const store = {
    async *positionsOf() {
      yield stored.positions;
    },
    async *holdingsOf() {
      yield stored.holding === undefined ? [] : [stored.holding];
    },
    readKeptSince: async () => 0,
    async removePositions() {},
    async removeHoldings() {},
  };
  const states = fold([buy(102)], movements);
  const late = createLateSteps([mark], { share: ALL_WALLETS, isOfShare: () => true });
  const known = { mints: new Set([mint]), late, line, isAsked: () => true, maxWallets: 9 };
  await settleStored(store, { states, ...known });
  return states.get(key)?.holding;
}

it('a holding that went on behind the line is cut when something moved its wallet before it began', async () => {
  const stored = fold([buy(100), buy(102)], [burn(104), burn(110)]).get(key)!;
  expect(await settle(stored, [burn(104)], 105)).toBeUndefined();
  expect(await settle(stored, [burn(103)], 105)).toMatchObject({ whole: false, balanceKnown: false, moves: 2 });
});
