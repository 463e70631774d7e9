import type { Block } from '../../chain/block.ts';
import type { BlockFacts } from '../../facts/fact.ts';
import { FACT_KINDS, type FactKind } from '../../facts/fact-lists.ts';
import { strayPayments } from '../../facts/stray-payments.ts';
import { createAlarms } from '../../kernel/alarms.ts';
import type { Clock } from '../../kernel/clock.ts';
import { createHistogram } from '../../kernel/histogram.ts';
import type { Journal } from '../../kernel/journal.ts';
import type { Logger } from '../../kernel/log.ts';
import type { RpcFigures } from '../../sources/json-rpc.ts';
import type { SlotFigures, SlotLacks } from '../../sources/source.ts';
import type { StoreTroubleFigures } from '../../store/clickhouse/write/store-trouble.ts';
import { createFlushLog, type FlushFigures } from './flush-log.ts';
import { createIngestAlarms } from './ingest-alarms.ts';
import { type HoleFigures, type IngestSnapshot, NO_HOLES, STAGES, type Stage } from './ingest-snapshot.ts';
import { createOddityCounts } from './oddity-counts.ts';
import { createProgramRates } from './program-rates.ts';
import { createRecentRates } from './recent-rates.ts';
import { createTipCandidates, type TipCandidates } from './tip-candidates.ts';

export type { HoleFigures, IngestSnapshot } from './ingest-snapshot.ts';

/** Figures that others keep, read when they are asked for. */
export interface WatchedFigures {
  /** What waits in the queues of ingest now: it falls when nothing more comes, too. */
  readonly waiting?: () => Pick<IngestSnapshot, 'queuedBlocks' | 'heldBatches'>;
  readonly rpc?: () => RpcFigures;
  readonly slots?: () => SlotFigures | undefined;
  readonly lacks?: () => SlotLacks | undefined;
  readonly outboxBytes?: () => number;
  readonly diskFreeBytes?: () => number | undefined;
  readonly shortOfDescriptors?: () => boolean;
  readonly storeTrouble?: () => StoreTroubleFigures;
  readonly refusal?: () => string | undefined;
}

export interface IngestStats {
  /** Takes the oddities noted by decoders and derivations: counted, and each kind logged once. */
  readonly journal: Journal;
  derived(block: Block, facts: BlockFacts): void;
  /** A stage worked for so long. */
  spent(stage: Stage, ms: number): void;
  positions(held: number, read: number): void;
  /** Mints whose swaps came out of order: their positions need a new fold. */
  disordered(mints: ReadonlySet<string>): void;
  holes(figures: HoleFigures): void;
  /** Blocks in the feed that are not confirmed now. */
  unconfirmed(blocks: number): void;
  withdrew(blocks: number): void;
  /** Positions of so many mints were folded again. */
  refolded(mints: number, positions: number): void;
  /** Mints whose positions are to be folded again, now. */
  stale(mints: number): void;
  /** Raises an alarm, or clears it when the message is undefined. */
  alarm(code: string, message: string | undefined): void;
  flushed(figures: FlushFigures): void;
  watch(figures: WatchedFigures): void;
  ended(): void;
  /** Begins and ends the alarms that figures and time call for. Called every second or so. */
  review(): void;
  snapshot(): IngestSnapshot;
}

/** Mints named in one line of the log. */
const MAX_NAMED_MINTS = 5;
/** Upper bounds of a flush's duration, milliseconds, and of its rows. */
const FLUSH_MS_BOUNDS = [10, 25, 50, 75, 100, 150, 200, 300, 400, 600, 800, 1_200, 2_000, 5_000, 15_000, 60_000];
const FLUSH_ROWS_BOUNDS = [10, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];

export interface IngestStatsOptions {
  readonly source: string;
  readonly committedSlot: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Who is paid beside trades, as far as it was kept; counted from nothing when it is left out. */
  readonly candidates?: TipCandidates;
}

export function createIngestStats(options: IngestStatsOptions): IngestStats {
  const { source, committedSlot, clock, log, candidates = createTipCandidates() } = options;
  const counts = startingCounts(source, committedSlot);
  const oddities = createOddityCounts(log);
  const programs = createProgramRates();
  const rates = createRecentRates();
  const alarms = createAlarms({ clock, log });
  const elapsed = () => clock.elapsed();
  const ingestAlarms = createIngestAlarms({ alarms, oddities, elapsed });
  const flushMs = createHistogram(FLUSH_MS_BOUNDS);
  const flushRows = createHistogram(FLUSH_ROWS_BOUNDS);
  const logFlush = createFlushLog(log);
  let watched: WatchedFigures = {};
  let wholeSlot = committedSlot;
  /** The store is not behind slots that nobody gave: those of before its time, and those of a hole. */
  let owedFrom = committedSlot;

  function figures(): IngestSnapshot {
    return {
      ...counts,
      facts: { ...counts.facts },
      stageMs: { ...counts.stageMs },
      rate: rates.rate(clock.elapsed(), counts),
      programs: programs.rates(),
      oddities: oddities.list(),
      tipCandidates: candidates.figures,
      flushMs: flushMs.figures(),
      flushRows: flushRows.figures(),
      lagSlots: Math.max(0, wholeSlot - Math.max(counts.committedSlot, owedFrom)),
      lagMs: counts.headTime === 0 ? undefined : Math.max(0, clock.now() - counts.headTime * 1_000),
      ...(watched.waiting?.() ?? NOTHING_WAITS),
      outboxBytes: watched.outboxBytes?.(),
      diskFreeBytes: watched.diskFreeBytes?.(),
      rpc: watched.rpc?.(),
      slots: watched.slots?.(),
      lacks: watched.lacks?.(),
      alarms: alarms.list(),
    };
  }

  function deriveWhole(block: Block, facts: BlockFacts): void {
    const { slot, parentSlot } = block;
    if (slot <= counts.committedSlot) {
      counts.lateBlocks += 1;
      return;
    }
    const missing = Math.max(0, parentSlot - wholeSlot);
    if (missing > 0) owedFrom = Math.max(counts.committedSlot, owedFrom) + missing;
    if (wholeSlot > 0) counts.missingSlots += missing;
    // After a fork slots come again, and lower ones.
    wholeSlot = Math.max(wholeSlot, slot);
    programs.add(facts);
    candidates.add(slot, strayPayments(block, facts.swaps));
    ingestAlarms.sawBlock();
  }

  return {
    journal: oddities.journal,
    derived(block, facts) {
      counts.blocks += 1;
      counts.transactions += block.transactions.length;
      for (const kind of FACT_KINDS) counts.facts[kind] += facts[kind].length;
      counts.headSlot = Math.max(counts.headSlot, block.slot);
      counts.headTime = Math.max(counts.headTime, facts.time);
      if (block.whole) deriveWhole(block, facts);
    },
    spent(stage, ms) {
      counts.stageMs[stage] += ms;
    },
    positions(held, read) {
      counts.positionsHeld = held;
      counts.positionsRead += read;
    },
    disordered(mints) {
      counts.dirtyMints += mints.size;
      log.warn(
        { mints: [...mints].slice(0, MAX_NAMED_MINTS), count: mints.size },
        'swaps came after newer ones: positions need a new fold',
      );
    },
    holes(holes) {
      counts.holes = holes;
    },
    unconfirmed(blocks) {
      counts.unconfirmedBlocks = blocks;
    },
    withdrew(blocks) {
      counts.withdrawnBlocks += blocks;
    },
    refolded(mints, positions) {
      counts.refoldedMints += mints;
      counts.refoldedPositions += positions;
    },
    stale(mints) {
      counts.staleMints = mints;
    },
    alarm: alarms.set,
    flushed(flush) {
      counts.flushes += 1;
      counts.rows += flush.rows;
      counts.rowBytes += flush.bytes;
      counts.committedSlot = Math.max(counts.committedSlot, flush.committedSlot);
      counts.lastFlushMs = flush.ms;
      flushMs.observe(flush.ms);
      flushRows.observe(flush.rows);
      logFlush(flush, figures());
    },
    watch(more) {
      watched = { ...watched, ...more };
    },
    ended() {
      counts.ended = true;
    },
    review() {
      const shortOfDescriptors = watched.shortOfDescriptors?.() ?? false;
      const { storeTrouble, refusal } = watched;
      ingestAlarms.review({
        ...figures(),
        shortOfDescriptors,
        storeTrouble: storeTrouble?.(),
        refusal: refusal?.(),
      });
    },
    snapshot: figures,
  };
}

const NOTHING_WAITS = { queuedBlocks: 0, heldBatches: 0 };

function startingCounts(source: string, committedSlot: number) {
  return {
    source,
    ended: false,
    blocks: 0,
    lateBlocks: 0,
    transactions: 0,
    facts: Object.fromEntries(FACT_KINDS.map((kind) => [kind, 0])) as Record<FactKind, number>,
    headSlot: committedSlot,
    headTime: 0,
    committedSlot,
    missingSlots: 0,
    flushes: 0,
    rows: 0,
    rowBytes: 0,
    lastFlushMs: undefined as number | undefined,
    stageMs: Object.fromEntries(STAGES.map((stage) => [stage, 0])) as Record<Stage, number>,
    positionsHeld: 0,
    positionsRead: 0,
    dirtyMints: 0,
    holes: NO_HOLES,
    unconfirmedBlocks: 0,
    withdrawnBlocks: 0,
    refoldedMints: 0,
    refoldedPositions: 0,
    staleMints: 0,
  };
}
