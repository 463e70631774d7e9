import { describe, expect, it } from 'vitest';
import type { Swap } from '../../src/facts/fact.ts';
import { f1, precision, recall, ScoreBoard, scoreOf } from './claim.ts';
import { adjacentRuns, slotRuns } from './claims/neighbours.ts';

const set = (...words: string[]) => new Set(words);

describe('scores of claims', () => {
  it('count what is right, wrong and missed', () => {
    const score = scoreOf(set('a', 'b', 'c'), set('b', 'c', 'd', 'e'));
    expect(score).toEqual({ right: 2, wrong: 1, missed: 2 });
    expect(precision(score)).toBeCloseTo(2 / 3);
    expect(recall(score)).toBe(0.5);
    expect(f1(score)).toBeCloseTo(4 / 7);
  });

  it('say nothing of what was never claimed or never true', () => {
    expect(precision(scoreOf(set(), set('a')))).toBeUndefined();
    expect(recall(scoreOf(set('a'), set()))).toBeUndefined();
  });

  it('add up by claim and by truth', () => {
    const board = new ScoreBoard();
    const ours = { right: 1, wrong: 2, missed: 3 };
    board.add({ name: 'x', by: 'rule', ours });
    board.add({ name: 'x', by: 'intent', ours });
    board.add({ name: 'x', by: 'rule', ours, naive: ours });
    expect(board.scores()).toEqual([
      { name: 'x', by: 'rule', ours: { right: 2, wrong: 4, missed: 6 }, naive: ours },
      { name: 'x', by: 'intent', ours },
    ]);
  });
});

describe('the truth about neighbours', () => {
  const swap = (slot: number, blockIndex: number, trader: string, isBuy = true, protocolActor = false) =>
    ({ slot, blockIndex, trader, isBuy, protocolActor }) as Swap;

  it('joins places that follow each other, counts legs of one transaction once, and ends with the slot', () => {
    const swaps = [swap(1, 3, 'a'), swap(1, 4, 'b'), swap(1, 4, 'b', false), swap(1, 6, 'c'), swap(2, 0, 'd')];
    expect(adjacentRuns(swaps)).toEqual([
      { slot: 1, start: 3, size: 2, buyers: ['a', 'b'] },
      { slot: 1, start: 6, size: 1, buyers: ['c'] },
      { slot: 2, start: 0, size: 1, buyers: ['d'] },
    ]);
    expect(slotRuns(swaps).map(({ size }) => size)).toEqual([3, 1]);
  });

  it('counts a protocol actor as a neighbour and not as a buyer', () => {
    expect(adjacentRuns([swap(1, 0, 'agent', true, true), swap(1, 1, 'a')])).toEqual([
      { slot: 1, start: 0, size: 2, buyers: ['a'] },
    ]);
  });
});
