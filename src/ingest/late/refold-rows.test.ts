import { expect, it } from 'vitest';
import { address } from '../../../test/support/token-world-rows.ts';
import { foldPositions, type PositionState } from '../../facts/average-cost.ts';
import { refoldTables } from './refold-rows.ts';

it('says that a mint is done in a flush of its own, behind all of its positions', () => {
  const states = new Map<string, PositionState>();
  const mint = address(11);
  const trade = { mint, quoteMint: undefined, slot: 1, blockIndex: 0, ixIndex: 0, time: 1, protocolActor: false };
  foldPositions(states, [{ ...trade, trader: address(21), isBuy: true, quoteAmount: 1n, tokenAmount: 1n }]);
  const flushes = refoldTables([...states.values()], [{ mint, mark: 1, slot: 1 }]);
  expect(flushes.map((tables) => [...tables.keys()])).toEqual([['positions'], ['stale_positions']]);
  expect(refoldTables([], []).map((tables) => [...tables.keys()])).toEqual([['stale_positions']]);
});
