import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../chain/address.ts';
import { foldPositions, type PositionState, type PositionSwap, positionKey } from '../../facts/average-cost.ts';
import { fromPositionRow, toPositionRow } from '../../store/clickhouse/schema/position-rows.ts';
import { createRecentPositions } from './recent-positions.ts';

const MINTS = ['mintA', 'mintB', 'mintC'] as Address[];
const TRADERS = ['t1', 't2', 't3', 't4', 't5'] as Address[];

const trade = fc.record({
  mint: fc.constantFrom(...MINTS),
  trader: fc.constantFrom(...TRADERS),
  quoteMint: fc.constantFrom(undefined, 'usdc' as Address),
  isBuy: fc.boolean(),
  quoteAmount: fc.bigInt(1n, 1_000_000n),
  tokenAmount: fc.bigInt(1n, 1_000_000n),
  protocolActor: fc.constantFrom(false, false, false, true),
});

function inOrder(trades: readonly Omit<PositionSwap, 'slot' | 'blockIndex' | 'ixIndex' | 'time'>[]): PositionSwap[] {
  return trades.map((each, place) => ({
    ...each,
    slot: 100 + Math.floor(place / 3),
    blockIndex: place % 3,
    ixIndex: 0,
    time: 1_700_000_000 + place,
  }));
}

/** Recent positions, run as ingest runs them: batches, a store that has what was committed, a memory of `capacity`. */
function runThroughStore(
  swaps: readonly PositionSwap[],
  capacity: number,
  perBatch: number,
  lag: number,
  births = false,
) {
  const recentPositions = createRecentPositions({ capacity });
  const stored = new Map<string, PositionState>();
  const inFlight: { batch: number; states: readonly PositionState[] }[] = [];
  const seen = new Set<Address>();
  let reads = 0;
  for (let start = 0, batch = 1; start < swaps.length; start += perBatch, batch += 1) {
    const group = swaps.slice(start, start + perBatch);
    if (births) for (const { mint } of group) if (!seen.has(mint)) recentPositions.born(mint);
    for (const { mint } of group) seen.add(mint);
    const missing = recentPositions.missing(group);
    reads += missing.length;
    const found = missing.flatMap((key) => stored.get(positionKey(key)) ?? []);
    // While the store is read, it also takes what was on its way.
    while (inFlight.length > lag) {
      const written = inFlight.shift()!;
      for (const state of written.states) stored.set(positionKey(state), state);
      recentPositions.committed(written.batch);
    }
    recentPositions.restore(found);
    inFlight.push({ batch, states: recentPositions.fold(group, batch).changed });
  }
  recentPositions.missing([]);
  for (const { states } of inFlight) for (const state of states) stored.set(positionKey(state), state);
  return { stored, reads, recentPositions };
}

describe('recent positions', () => {
  it('gives what one fold in order gives, however little it remembers and however late the store is', () => {
    fc.assert(
      fc.property(
        fc.array(trade, { maxLength: 60 }),
        fc.integer({ min: 0, max: 8 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 0, max: 3 }),
        fc.boolean(),
        (trades, capacity, perBatch, lag, births) => {
          const swaps = inOrder(trades);
          const expected = new Map<string, PositionState>();
          foldPositions(expected, swaps);
          const { stored } = runThroughStore(swaps, capacity, perBatch, lag, births);
          expect(new Map([...stored].sort())).toEqual(new Map([...expected].sort()));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('stays near its capacity once the store has caught up', () => {
    const swaps = inOrder(
      Array.from({ length: 500 }, (_, i) => ({
        mint: MINTS[0]!,
        trader: `trader${i}` as Address,
        quoteMint: undefined,
        isBuy: true,
        quoteAmount: 1n,
        tokenAmount: 1n,
        protocolActor: false,
      })),
    );
    expect(runThroughStore(swaps, 10, 5, 0).recentPositions.size).toBe(10);
  });

  it('asks the store nothing about a mint born before our eyes, until something of it was put out of memory', () => {
    const buy = (trader: string, slot: number): PositionSwap => ({
      mint: MINTS[0]!,
      trader: trader as Address,
      quoteMint: undefined,
      slot,
      blockIndex: 0,
      ixIndex: 0,
      time: 0,
      isBuy: true,
      quoteAmount: 1n,
      tokenAmount: 1n,
      protocolActor: false,
    });
    const recentPositions = createRecentPositions({ capacity: 1 });
    recentPositions.born(MINTS[0]!);
    expect(recentPositions.missing([buy('a', 1)])).toEqual([]);
    recentPositions.fold([buy('a', 1), buy('b', 2)], 1);
    expect(recentPositions.missing([buy('c', 3)])).toEqual([]);
    recentPositions.committed(1);
    expect(recentPositions.missing([buy('c', 3)])).toHaveLength(1);
  });

  it('tells which mints had a swap older than their position, and leaves the position alone', () => {
    const [first, second] = inOrder([
      {
        mint: MINTS[0]!,
        trader: TRADERS[0]!,
        quoteMint: undefined,
        isBuy: true,
        quoteAmount: 5n,
        tokenAmount: 5n,
        protocolActor: false,
      },
      {
        mint: MINTS[0]!,
        trader: TRADERS[0]!,
        quoteMint: undefined,
        isBuy: true,
        quoteAmount: 7n,
        tokenAmount: 7n,
        protocolActor: false,
      },
    ]) as [PositionSwap, PositionSwap];
    const recentPositions = createRecentPositions({ capacity: 10 });
    recentPositions.fold([second], 1);
    const late = recentPositions.fold([first], 2);
    expect(late.changed).toEqual([]);
    expect([...late.dirty]).toEqual([MINTS[0]]);
    expect([...recentPositions.fold([second], 3).dirty]).toEqual([]);
  });

  it('turns a position into a row and back without a loss', () => {
    const expected = new Map<string, PositionState>();
    foldPositions(
      expected,
      inOrder([
        {
          mint: MINTS[0]!,
          trader: TRADERS[0]!,
          quoteMint: undefined,
          isBuy: true,
          quoteAmount: 5n,
          tokenAmount: 5n,
          protocolActor: false,
        },
        {
          mint: MINTS[1]!,
          trader: TRADERS[0]!,
          quoteMint: TRADERS[1]!,
          isBuy: false,
          quoteAmount: 9n,
          tokenAmount: 9n,
          protocolActor: false,
        },
      ]),
    );
    for (const state of expected.values()) expect(fromPositionRow(toPositionRow(state))).toEqual(state);
  });
});
