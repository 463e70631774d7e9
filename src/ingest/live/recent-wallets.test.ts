import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldPositions } from '../../../test/support/fold-positions.ts';
import type { Address } from '../../chain/address.ts';
import type { PositionState, PositionSwap } from '../../facts/average-cost.ts';
import { type HoldingState, walletKey } from '../../facts/holding.ts';
import type { Movement } from '../../facts/movements.ts';
import { foldWallets, type WalletState } from '../../facts/wallet-fold.ts';
import { fromPositionRow, toPositionRow } from '../../store/clickhouse/schema/position-rows.ts';
import { createRecentWallets } from './recent-wallets.ts';

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
  return trades.map((each, place) => ({ ...each, ...placeOf(place) }));
}

function placeOf(place: number) {
  return { slot: 100 + Math.floor(place / 3), blockIndex: place % 3, ixIndex: 0, time: 1_700_000_000 + place };
}

const movement = fc.record({
  mint: fc.constantFrom(...MINTS),
  wallet: fc.constantFrom(...TRADERS),
  kind: fc.constantFrom('sent' as const, 'unexplained' as const),
  delta: fc.bigInt(-1_000_000n, -1n),
});

/** Swaps and movements of a place each, one transaction after the other. */
type Step = { readonly swap?: PositionSwap; readonly movement?: Movement };

function batchesOf(steps: readonly Step[], perBatch: number) {
  return Array.from({ length: Math.ceil(steps.length / perBatch) }, (_, at) => {
    const group = steps.slice(at * perBatch, (at + 1) * perBatch);
    return {
      swaps: group.flatMap((step) => step.swap ?? []),
      movements: group.flatMap((step) => step.movement ?? []),
    };
  });
}

/** Recent wallets, run as ingest runs them: batches, a store that has what was committed, a memory of `capacity`. */
function runThroughStore(steps: readonly Step[], capacity: number, perBatch: number, lag: number, births = false) {
  const recentWallets = createRecentWallets({ capacity });
  const stored = new Map<string, WalletState>();
  const inFlight: { batch: number; states: readonly WalletState[] }[] = [];
  const seen = new Set<Address>();
  let reads = 0;
  const write = (states: readonly WalletState[]) => {
    for (const state of states) stored.set(walletKey(state), state);
  };
  for (const [place, group] of batchesOf(steps, perBatch).entries()) {
    const batch = place + 1;
    const mints = [...group.swaps, ...group.movements].map(({ mint }) => mint);
    if (births) for (const mint of mints) if (!seen.has(mint)) recentWallets.born(mint);
    for (const mint of mints) seen.add(mint);
    const missing = recentWallets.missing(group);
    reads += missing.length;
    const found = missing.flatMap((key) => stored.get(walletKey(key)) ?? []);
    // While the store is read, it also takes what was on its way.
    while (inFlight.length > lag) {
      const written = inFlight.shift()!;
      write(written.states);
      recentWallets.committed(written.batch);
    }
    recentWallets.restore(found);
    const { positions, holdings } = recentWallets.fold(group, batch);
    inFlight.push({ batch, states: joined(stored, inFlight, positions, holdings) });
  }
  recentWallets.missing({ swaps: [], movements: [] });
  for (const { states } of inFlight) write(states);
  return { stored, reads, recentWallets };
}

/** Wallets with the rows that a batch changed, on top of those that are stored or on their way. */
function joined(
  stored: ReadonlyMap<string, WalletState>,
  inFlight: readonly { readonly states: readonly WalletState[] }[],
  positions: readonly PositionState[],
  holdings: readonly HoldingState[],
): WalletState[] {
  const known = new Map(stored);
  for (const { states } of inFlight) for (const state of states) known.set(walletKey(state), state);
  const changed = new Map<string, WalletState>();
  const of = (key: { mint: Address; wallet: Address }): WalletState =>
    changed.get(walletKey(key)) ?? known.get(walletKey(key)) ?? { ...key, positions: [], holding: undefined };
  for (const position of positions) {
    const state = of({ mint: position.mint, wallet: position.trader });
    const others = state.positions.filter(({ quoteMint }) => quoteMint !== position.quoteMint);
    const rows = [...others, position].sort((a, b) => a.firstSlot - b.firstSlot || a.firstTime - b.firstTime);
    changed.set(walletKey(state), { ...state, positions: rows });
  }
  for (const { mint, wallet, ...holding } of holdings) {
    const state = of({ mint, wallet });
    changed.set(walletKey(state), { ...state, holding: { mint, wallet, ...holding } });
  }
  return [...changed.values()];
}

describe('recent wallets', () => {
  it('gives what one fold in order gives, however little it remembers and however late the store is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 3, arbitrary: trade }, movement), { maxLength: 60 }),
        fc.integer({ min: 0, max: 8 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 0, max: 3 }),
        fc.boolean(),
        (drawn, capacity, perBatch, lag, births) => {
          const steps = drawn.map((each, place): Step => {
            const at = { ...placeOf(place) };
            return 'wallet' in each ? { movement: { ...each, ...at } } : { swap: { ...each, ...at } };
          });
          const expected = new Map<string, WalletState>();
          for (const { swaps, movements } of batchesOf(steps, steps.length || 1)) {
            foldWallets(expected, swaps, movements);
          }
          const { stored } = runThroughStore(steps, capacity, perBatch, lag, births);
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
    expect(
      runThroughStore(
        swaps.map((swap) => ({ swap })),
        10,
        5,
        0,
      ).recentWallets.size,
    ).toBe(10);
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
    const recentWallets = createRecentWallets({ capacity: 1 });
    recentWallets.born(MINTS[0]!);
    expect(recentWallets.missing({ swaps: [buy('a', 1)], movements: [] })).toEqual([]);
    recentWallets.fold({ swaps: [buy('a', 1), buy('b', 2)], movements: [] }, 1);
    expect(recentWallets.missing({ swaps: [buy('c', 3)], movements: [] })).toEqual([]);
    recentWallets.committed(1);
    expect(recentWallets.missing({ swaps: [buy('c', 3)], movements: [] })).toHaveLength(1);
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
    const recentWallets = createRecentWallets({ capacity: 10 });
    recentWallets.fold({ swaps: [second], movements: [] }, 1);
    const late = recentWallets.fold({ swaps: [first], movements: [] }, 2);
    expect(late.positions).toEqual([]);
    expect([...late.dirty]).toEqual([MINTS[0]]);
    expect([...recentWallets.fold({ swaps: [second], movements: [] }, 3).dirty]).toEqual([]);
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
