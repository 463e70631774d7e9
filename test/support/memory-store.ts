import type { Address } from '../../src/chain/address.ts';
import { compareChainPlaces } from '../../src/chain/place.ts';
import { type PositionState, type PositionSwap, positionKey } from '../../src/facts/average-cost.ts';
import { compareMints } from '../../src/facts/fold-mints.ts';
import { type HoldingState, walletKey } from '../../src/facts/holding.ts';
import { compareMovements, type Movement, movementsOf } from '../../src/facts/movements.ts';
import type { IngestStore } from '../../src/ingest/ingest-store.ts';
import { addRange, type Coverage, coversRange, newestSlot } from '../../src/store/clickhouse/coverage.ts';
import { toPositionSwap } from '../../src/store/clickhouse/read/position-swaps.ts';
import { fromHoldingRow } from '../../src/store/clickhouse/schema/holding-rows.ts';
import { fromPositionRow } from '../../src/store/clickhouse/schema/position-rows.ts';
import { STALE_POSITIONS } from '../../src/store/clickhouse/schema/position-tables.ts';
import type { RowBatch } from '../../src/store/clickhouse/schema/row-batch.ts';
import { decodeRows } from '../../src/store/clickhouse/schema/row-codec.ts';
import {
  BURNS,
  type FactTableName,
  HOLDINGS,
  POSITIONS,
  SWAPS,
  type SwapRow,
  TRANSFERS,
  UNEXPLAINED_DELTAS,
} from '../../src/store/clickhouse/schema/tables.ts';
import type { StaleMint } from '../../src/store/clickhouse/write/stale-positions.ts';

/** A store in memory with the rules of the real one, as far as ingest depends on them. */
export interface MemoryStore extends IngestStore {
  readonly positions: ReadonlyMap<string, PositionState>;
  readonly holdings: ReadonlyMap<string, HoldingState>;
  readonly swaps: readonly PositionSwap[];
  readonly movements: readonly Movement[];
  /** Slots of the blocks flushed, in the order in which they came. */
  readonly slots: readonly number[];
  /** Drops swaps as retention does: those before the slot. */
  dropBefore(slot: number): void;
  /** The same of movements. */
  dropMovesBefore(slot: number): void;
  /** Drops these movements, as retention of one kind does. */
  dropMoves(isDropped: (movement: Movement) => boolean): void;
}

export interface MemoryStoreOptions {
  /** Awaited before everything that is asked of it. */
  readonly before?: () => Promise<void> | void;
}

export function createMemoryStore({ before = () => {} }: MemoryStoreOptions = {}): MemoryStore {
  const positions = new Map<string, PositionState>();
  const holdings = new Map<string, HoldingState>();
  const marks = new Map<Address, { done: number; newest: StaleMint }>();
  const partialSlots = new Set<number>();
  const slots: number[] = [];
  let swaps: (PositionSwap & { readonly partial: boolean })[] = [];
  let movements: (Movement & { readonly partial: boolean })[] = [];
  let line: Promise<void> = Promise.resolve();
  let coverage: Coverage = [];
  let newestPartial = 0;
  let newestMark = 0;
  let keptSince = 0;

  /** Writes come one after the other, as those of the real writer do. */
  function inLine(step: () => Promise<void> | void): Promise<void> {
    const turn = line.then(step);
    line = turn.catch(() => {});
    return turn;
  }

  function put(tables: RowBatch['tables']): void {
    const rowsOf = (name: FactTableName) => tables.get(name)?.bytes ?? new Uint8Array(0);
    for (const row of decodeRows<typeof SWAPS>(SWAPS, rowsOf('swaps'))) swaps.push(toSwap(row));
    for (const row of decodeRows<typeof POSITIONS>(POSITIONS, rowsOf('positions'))) {
      const state = fromPositionRow(row);
      const known = positions.get(positionKey(state));
      // The newest place wins, and of equal ones the row written last.
      if (known === undefined || compareChainPlaces(state, known) >= 0) positions.set(positionKey(state), state);
    }
    movements.push(...movementsIn(rowsOf));
    for (const row of decodeRows<typeof HOLDINGS>(HOLDINGS, rowsOf('holdings'))) {
      const state = fromHoldingRow(row);
      const known = holdings.get(walletKey(state));
      if (known === undefined || compareChainPlaces(state, known) >= 0) holdings.set(walletKey(state), state);
    }
    for (const row of decodeRows<typeof STALE_POSITIONS>(STALE_POSITIONS, rowsOf('stale_positions'))) {
      const { mint, mark, slot, first_slot: firstSlot, holdings_only: holdingsOnly } = row;
      newestMark = Math.max(newestMark, mark);
      const newest = { mint, mark, slot, firstSlot, holdingsOnly };
      const known = marks.get(mint) ?? { done: 0, newest };
      // The newest mark is kept alone.
      if (row.done) marks.set(mint, { ...known, done: Math.max(known.done, mark) });
      else marks.set(mint, { ...known, newest: mark >= known.newest.mark ? newest : known.newest });
    }
  }

  function dropMoves(isDropped: (movement: Movement) => boolean): void {
    for (const movement of movements) if (isDropped(movement)) keptSince = Math.max(keptSince, movement.time + 1);
    movements = movements.filter((movement) => !isDropped(movement));
  }

  return {
    positions,
    holdings,
    slots,
    get movements() {
      return movements;
    },
    get swaps() {
      return swaps;
    },
    get coverage() {
      return coverage;
    },
    get committedSlot() {
      return Math.max(newestSlot(coverage), newestPartial);
    },
    get wholeSlot() {
      return newestSlot(coverage);
    },
    async flush(batches) {
      await inLine(before);
      for (const { firstSlot, lastSlot, closesSlots, tables } of batches) {
        if (coversRange(coverage, { first: lastSlot, last: lastSlot })) continue;
        if (!closesSlots || tables.has('blocks')) slots.push(lastSlot);
        if (closesSlots) {
          if (partialSlots.delete(lastSlot)) {
            swaps = swaps.filter((swap) => !(swap.partial && swap.slot === lastSlot));
            movements = movements.filter((move) => !(move.partial && move.slot === lastSlot));
          }
          coverage = addRange(coverage, { first: firstSlot, last: lastSlot });
        } else {
          partialSlots.add(lastSlot);
          newestPartial = Math.max(newestPartial, lastSlot);
        }
        put(tables);
      }
    },
    async amend(tables) {
      await inLine(before);
      put(tables);
    },
    async readPositions(keys) {
      await before();
      const found = keys.flatMap((key) => positions.get(positionKey(key)) ?? []);
      await before();
      return found;
    },
    async readHoldings(keys) {
      await before();
      return keys.flatMap((key) => holdings.get(walletKey(key)) ?? []);
    },
    async readQuotes(mints) {
      await before();
      const found = new Map<Address, (Address | undefined)[]>();
      for (const { mint, quoteMint } of swaps) {
        const quotes = found.get(mint) ?? [];
        if (mints.includes(mint) && !quotes.includes(quoteMint)) found.set(mint, [...quotes, quoteMint]);
      }
      return found;
    },
    async readMoved(mints) {
      await before();
      return new Set(movements.map(({ mint }) => mint).filter((mint) => mints.includes(mint)));
    },
    hasPartial: (slot) => partialSlots.has(slot),
    withoutStored: (block) => Promise.resolve(block),
    async readStale() {
      const stale = [...marks.values()].filter(({ done, newest }) => newest.mark > done);
      return { newestMark, mints: stale.map(({ newest }) => newest) };
    },
    readHoldingsStep: async () => undefined,
    async noteHoldingsStep() {},
    async noteHoldingsFolded() {},
    async readKeptSince() {
      return keptSince;
    },
    async *swapsOf(mints) {
      const wanted = new Set(mints);
      const found = swaps.filter(({ mint }) => wanted.has(mint));
      await before();
      yield found.sort((a, b) => compareMints(a.mint, b.mint) || compareChainPlaces(a, b));
    },
    async *positionsOf(mints) {
      const wanted = new Set(mints);
      await before();
      yield [...positions.values()].filter(({ mint }) => wanted.has(mint));
    },
    async *movementsOf(mints) {
      const wanted = new Set(mints);
      const found = movements.filter(({ mint }) => wanted.has(mint));
      yield found.sort((a, b) => compareMints(a.mint, b.mint) || compareMovements(a, b));
    },
    async *holdingsOf(mints) {
      const wanted = new Set(mints);
      await before();
      yield [...holdings.values()].filter(({ mint }) => wanted.has(mint));
    },
    async removeHoldings(states) {
      for (const state of states) {
        const known = holdings.get(walletKey(state));
        if (known !== undefined && compareChainPlaces(known, state) === 0) holdings.delete(walletKey(state));
      }
    },
    async removePositions(states) {
      for (const state of states) {
        const known = positions.get(positionKey(state));
        if (known !== undefined && compareChainPlaces(known, state) === 0) positions.delete(positionKey(state));
      }
    },
    dropBefore(slot) {
      swaps = swaps.filter((swap) => swap.slot >= slot);
    },
    dropMovesBefore: (slot) => dropMoves((movement) => movement.slot < slot),
    dropMoves,
  };
}

function toSwap(row: SwapRow): PositionSwap & { readonly partial: boolean } {
  return { ...toPositionSwap(row), partial: row.partial };
}

/** Movements of rows: sends, burns and unexplained deltas. */
function movementsIn(rowsOf: (name: FactTableName) => Uint8Array): (Movement & { readonly partial: boolean })[] {
  const at = (row: { slot: number; block_index: number; ix_index: number; time: number; mint: Address }) => {
    const { slot, block_index: blockIndex, ix_index: ixIndex, time, mint } = row;
    return { slot, blockIndex, ixIndex, time, mint };
  };
  const none = { transfers: [], burns: [], liquidity: [], pools: [], unexplained: [] };
  const transfers = decodeRows<typeof TRANSFERS>(TRANSFERS, rowsOf('transfers'));
  const burns = decodeRows<typeof BURNS>(BURNS, rowsOf('burns'));
  const deltas = decodeRows<typeof UNEXPLAINED_DELTAS>(UNEXPLAINED_DELTAS, rowsOf('unexplained_deltas'));
  const marked = (partial: boolean, found: Movement[]) => found.map((movement) => ({ ...movement, partial }));
  return [
    ...transfers.flatMap((row) => {
      const { amount, hidden, sender: from, receiver: to, partial } = row;
      return marked(partial, movementsOf({ ...none, transfers: [{ ...at(row), from, to, amount, hidden }] }));
    }),
    ...burns.flatMap((row) => {
      const { amount, owner, partial } = row;
      return marked(partial, movementsOf({ ...none, burns: [{ ...at(row), owner, amount }] }));
    }),
    ...deltas.flatMap((row) => {
      const { delta, owner, partial } = row;
      return marked(partial, movementsOf({ ...none, unexplained: [{ ...at(row), owner, delta }] }));
    }),
  ];
}
