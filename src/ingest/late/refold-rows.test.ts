import { expect, it } from 'vitest';
import { address } from '../../../test/support/token-world-rows.ts';
import { foldWallets, type WalletState } from '../../facts/wallet-fold.ts';
import { refoldTables } from './refold-rows.ts';

it('says that a mint is done in a flush of its own, behind all of its positions and holdings', () => {
  const states = new Map<string, WalletState>();
  const mint = address(11);
  const trade = { mint, quoteMint: undefined, slot: 1, blockIndex: 0, ixIndex: 0, time: 1, protocolActor: false };
  const wallet = address(21);
  const swap = { ...trade, trader: wallet, isBuy: true, quoteAmount: 1n, tokenAmount: 1n };
  foldWallets(states, [swap], [{ ...trade, slot: 2, wallet, kind: 'sent', delta: -1n }]);
  const flushes = refoldTables(
    [...states.values()],
    [{ mint, mark: 1, slot: 1, firstSlot: 1, holdingsOnly: false }],
    [],
  );
  expect(flushes.map((tables) => [...tables.keys()])).toEqual([['positions'], ['holdings'], ['stale_positions']]);
  expect(refoldTables([], [], []).map((tables) => [...tables.keys()])).toEqual([['stale_positions']]);
});
