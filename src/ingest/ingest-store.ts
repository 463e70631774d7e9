import type { Address } from '../chain/address.ts';
import type { Block } from '../chain/block.ts';
import type { PositionKey, PositionState, PositionSwap } from '../facts/average-cost.ts';
import type { HoldingState, WalletKey } from '../facts/holding.ts';
import type { Movement } from '../facts/movements.ts';
import type { SlotSpan } from '../feed/feed.ts';
import type { Coverage } from '../store/clickhouse/coverage.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import type { HoldingsStep } from '../store/clickhouse/write/begin-holdings.ts';
import type { StaleReport } from '../store/clickhouse/write/stale-positions.ts';

/** The part of the store that ingest uses. */
export interface IngestStore {
  /** Newest slot up to which the store answers, 0 when it is empty. */
  readonly committedSlot: number;
  /** Newest slot of a whole block, 0 before the first: a source goes on after it. */
  readonly wholeSlot: number;
  /** Slots that are whole. What is missing below the newest is a hole. */
  readonly coverage: Coverage;
  /** Resolves when the batches are in the store, all of them, once. */
  flush(batches: readonly RowBatch[]): Promise<void>;
  /** Resolves when rows that belong to no slot are in the store, on top of everything that was given to it before. */
  amend(tables: RowBatch['tables']): Promise<void>;
  /** The newest state of those positions that are stored, in any order. */
  readPositions(keys: readonly PositionKey[]): Promise<readonly PositionState[]>;
  /** The same of holdings. */
  readHoldings(keys: readonly WalletKey[]): Promise<readonly HoldingState[]>;
  /** The quotes in which mints were ever traded, undefined = SOL; mints that never were are left out. */
  readQuotes(mints: readonly Address[]): Promise<ReadonlyMap<Address, readonly (Address | undefined)[]>>;
  /** Those of the mints of which there are movements. */
  readMoved(mints: readonly Address[]): Promise<ReadonlySet<Address>>;
  /** True when the store has rows of single transactions of this slot, without their block. */
  hasPartial(slot: number): boolean;
  /**
   * A block of single transactions without those that are stored, by an earlier replay or with their whole block. Where
   * these have their places, the others take the next free ones.
   */
  withoutStored(block: Block): Promise<Block>;
  /** Mints whose positions an earlier run left to be folded again. */
  readStale(): Promise<StaleReport>;
  /** All swaps of these mints in pieces that end with a slot, a mint after the other in the order of bytes, each in order of place. */
  swapsOf(mints: readonly Address[]): AsyncIterable<readonly PositionSwap[]>;
  /** All stored positions of these mints in pieces, in any order. */
  positionsOf(mints: readonly Address[]): AsyncIterable<readonly PositionState[]>;
  /** All movements of these mints that are folded, in the order of their swaps. */
  movementsOf(mints: readonly Address[]): AsyncIterable<readonly Movement[]>;
  /** All stored holdings of these mints in pieces, in any order. */
  holdingsOf(mints: readonly Address[]): AsyncIterable<readonly HoldingState[]>;
  /** Unix seconds from when on every swap and movement that there ever was is there. */
  readKeptSince(): Promise<number>;
  /**
   * The next mints of a store from before its holdings that have to be folded for them; `marked` when all are, and
   * undefined when it is noted that they are folded.
   */
  readHoldingsStep(): Promise<HoldingsStep | 'marked' | undefined>;
  /** Notes that the marks of a step are in the store. */
  noteHoldingsStep(step: HoldingsStep): Promise<void>;
  /** Notes that the mints of all steps are folded: from here on holdings are read for whole. */
  noteHoldingsFolded(): Promise<void>;
  /** Deletes these very states of positions. */
  removePositions(states: readonly PositionState[]): Promise<void>;
  /** Deletes these very states of holdings. */
  removeHoldings(states: readonly HoldingState[]): Promise<void>;
}

/** Receiver of freshly made batches besides the store. */
export interface BatchSink {
  /** In slot order. A promise holds the pipeline back. */
  publish(batch: RowBatch): Promise<void> | void;
  /** The store has the oldest `batches` published ones, and answers up to `slot`. */
  commit(slot: number, batches: number): void;
  /** The newest batch published, of this slot, is not on the chain. */
  withdraw(slot: number): void;
  /** The store has other rows of these mints than what was published tells; of these slots, when facts are among them. */
  changed(mints: readonly Address[], slots?: SlotSpan): void;
}
