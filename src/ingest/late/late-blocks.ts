import type { Address } from '../../chain/address.ts';
import type { Block } from '../../chain/block.ts';
import { deriveFacts } from '../../facts/derive.ts';
import type { BlockFacts } from '../../facts/fact.ts';
import { FACT_KINDS } from '../../facts/fact-lists.ts';
import type { Movement } from '../../facts/movements.ts';
import type { SlotSpan } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { SlotRange } from '../../store/clickhouse/coverage.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import { type StaleMint, withStale } from '../../store/clickhouse/write/stale-positions.ts';
import type { BatchSink, IngestStore } from '../ingest-store.ts';
import { fitRows } from '../live/fitting-rows.ts';
import { sizeOf } from '../live/flush-size.ts';
import type { TradedMints } from '../live/traded-mints.ts';
import type { IngestStats } from '../report/stats.ts';
import { ofAnySlot, ofSlot, type StaleMints } from './stale-mints.ts';

export interface LateBlocksOptions {
  readonly store: Pick<IngestStore, 'flush' | 'committedSlot'>;
  readonly stale: StaleMints;
  readonly tradedMints: TradedMints;
  readonly sink: Pick<BatchSink, 'changed'>;
  readonly stats: Pick<IngestStats, 'derived' | 'flushed' | 'journal'>;
  readonly clock: Clock;
  readonly limits?: Partial<LateBlocksLimits>;
  /** Derives the facts of a block in place of the rules alone. */
  readonly derive?: typeof deriveFacts;
}

export interface LateBlocksLimits {
  /** Blocks written together. */
  readonly maxBlocks: number;
  /** Bytes of rows written together. */
  readonly maxBytes: number;
}

/**
 * Blocks that come after newer ones: a hole that is filled, or history. Their
 * facts go straight to the store, past feed and positions, in big batches. Each
 * batch says which mints have to be folded again, so no crash can forget that.
 */
export interface LateBlocks {
  /** A whole block, older than what the store ends with. Now and then waits for the store. False when no table has room for it. */
  add(block: Block): Promise<boolean>;
  /** Slots in which there was no block. */
  skipped(range: SlotRange): Promise<void>;
  /** Resolves when the store has everything. */
  flush(): Promise<void>;
  /** Lets go of what is not written: its slots are still missing. */
  drop(): void;
}

/** Live flushes wait behind one of late blocks: a second at most. */
const DEFAULT_LIMITS: LateBlocksLimits = { maxBlocks: 64, maxBytes: 8 * 1024 ** 2 };

export function createLateBlocks({
  store,
  stale,
  tradedMints,
  sink,
  stats,
  clock,
  limits,
  derive = deriveFacts,
}: LateBlocksOptions): LateBlocks {
  const { maxBlocks, maxBytes } = { ...DEFAULT_LIMITS, ...limits };
  let batches: RowBatch[] = [];
  let marks: StaleMint[] = [];
  let mints = new Set<Address>();
  /** Mints of movements here that nobody had traded yet. */
  let passedOver = new Set<Address>();
  let bytes = 0;

  function takeAll() {
    const taken = { batches, marks, mints, passedOver };
    batches = [];
    marks = [];
    mints = new Set();
    passedOver = new Set();
    bytes = 0;
    return taken;
  }

  async function flush(): Promise<void> {
    if (batches.length === 0) return;
    const taken = takeAll();
    const startedAt = clock.elapsed();
    // Whoever traded such a mint meanwhile may have had it folded again without these movements.
    const traded = [...taken.passedOver].filter((mint) => tradedMints.quotesOf(mint).length > 0);
    const last = taken.batches.at(-1)!;
    const marked = stale.mark(traded, ofAnySlot(last.lastSlot));
    taken.marks.push(...marked);
    taken.batches[taken.batches.length - 1] = withStale(last, marked);
    await store.flush(taken.batches);
    const ms = clock.elapsed() - startedAt;
    stats.flushed({ ...sizeOf(taken.batches), committedSlot: store.committedSlot, ms, late: true });
    stale.stored(taken.marks);
    sink.changed([...taken.mints], spanOf(taken.batches));
  }

  async function take(batch: RowBatch): Promise<void> {
    batches.push(batch);
    for (const table of batch.tables.values()) bytes += table.bytes.length;
    if (batches.length >= maxBlocks || bytes >= maxBytes) await flush();
  }

  return {
    async add(block) {
      const fitting = fitRows(derive(block, stats.journal), stats.journal);
      if (fitting === undefined) return false;
      const { facts, movements, batch } = fitting;
      stats.derived(block, facts);
      await tradedMints.load(facts.swaps, movements);
      const firstTraded = tradedMints.tradeForGood(facts.swaps);
      const moved = tradedMints.ofTraded(movements);
      const folded = new Set(moved);
      for (const movement of movements) if (!folded.has(movement)) passedOver.add(movement.mint);
      const marked = [
        ...stale.mark(foldedMints(facts, moved), ofSlot(facts.slot)),
        // What was passed over of them may be of any slot.
        ...stale.mark(firstTraded, ofAnySlot(facts.slot)),
      ];
      marks.push(...marked);
      for (const mint of mintsOf(facts)) mints.add(mint);
      await take(withStale(batch, marked));
      return true;
    },
    skipped({ first, last }) {
      return take({ firstSlot: first, lastSlot: last, closesSlots: true, tables: new Map() });
    },
    flush,
    drop: () => stale.forget(takeAll().marks),
  };
}

function spanOf(batches: readonly RowBatch[]): SlotSpan {
  return {
    first: Math.min(...batches.map(({ firstSlot }) => firstSlot)),
    last: Math.max(...batches.map(({ lastSlot }) => lastSlot)),
  };
}

/** Mints whose positions or holdings a block moves. */
export function foldedMints({ swaps }: BlockFacts, movements: readonly Movement[]): Address[] {
  const traded = swaps.filter(({ protocolActor }) => !protocolActor);
  return [...traded, ...movements].map(({ mint }) => mint);
}

/** Every mint that a block's facts are about. */
export function mintsOf(facts: BlockFacts): ReadonlySet<Address> {
  const mints = new Set<Address>();
  for (const kind of FACT_KINDS) {
    for (const fact of facts[kind]) if ('mint' in fact && fact.mint !== undefined) mints.add(fact.mint);
  }
  return mints;
}
