import type { Block } from '../chain/block.ts';
import type { BlockFacts } from '../facts/fact.ts';
import { FACT_KINDS, type FactKind } from '../facts/fact-lists.ts';
import { type Alarm, createAlarms } from '../kernel/alarms.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';

/** What ingest tells of itself. Plain data: it crosses threads and is served as it is. */
export interface IngestSnapshot {
  readonly source: string;
  /** The source came to its end (a replay): nothing more will come, and that is no fault. */
  readonly ended: boolean;
  readonly blocks: number;
  /** Transactions without votes. */
  readonly transactions: number;
  readonly facts: Readonly<Record<FactKind, number>>;
  /** Oddities in the data by `code:subject`. */
  readonly oddities: Readonly<Record<string, number>>;
  /** Newest slot derived, 0 before the first. */
  readonly headSlot: number;
  /** Block time of it, Unix seconds; 0 when unknown. */
  readonly headTime: number;
  /** Newest slot the store answers for. */
  readonly committedSlot: number;
  /** Slots derived that the store does not have yet. */
  readonly lagSlots: number;
  /** How old the newest derived block is, milliseconds; undefined while unknown. Block times are whole seconds. */
  readonly lagMs: number | undefined;
  /** Slots that the source could not give, as its parent links tell. */
  readonly missingSlots: number;
  /** Blocks derived that wait to be folded. */
  readonly queuedBlocks: number;
  /** Batches published that wait for the store. */
  readonly heldBatches: number;
  readonly flushes: number;
  readonly rows: number;
  /** Of the last flush; undefined before the first. */
  readonly lastFlushMs: number | undefined;
  /** Positions in memory, and how many were read from the store. */
  readonly positionsHeld: number;
  readonly positionsRead: number;
  /** Swaps' mints whose order was broken: their positions need a new fold. */
  readonly dirtyMints: number;
  readonly holes: HoleFigures;
  /** Blocks in the feed that are not confirmed yet. */
  readonly unconfirmedBlocks: number;
  /** Blocks that were in the feed and turned out not to be on the chain. */
  readonly withdrawnBlocks: number;
  /** Mints whose positions were folded again, and whose are still to be. */
  readonly refoldedMints: number;
  readonly refoldedPositions: number;
  readonly staleMints: number;
  readonly alarms: readonly Alarm[];
}

/** Slots between the first and the newest stored one that the store does not have. */
export interface HoleFigures {
  readonly count: number;
  readonly slots: number;
  /** First slot of the oldest; absent without a hole. */
  readonly oldestSlot?: number;
  /** How long that one has been known, milliseconds. */
  readonly oldestAgeMs?: number;
  /** Whether the source of late blocks is being asked. */
  readonly filling: boolean;
  /** Slots filled, and found to be beyond reach, since the start. */
  readonly filledSlots: number;
  readonly unavailableSlots: number;
}

export const NO_HOLES: HoleFigures = { count: 0, slots: 0, filling: false, filledSlots: 0, unavailableSlots: 0 };

export interface FlushFigures {
  readonly batches: number;
  readonly rows: number;
  readonly lastSlot: number;
  readonly committedSlot: number;
  readonly ms: number;
}

export interface IngestStats {
  /** Where the decoders and derivations note oddities: counted, and each kind logged once. */
  readonly journal: Journal;
  derived(block: Block, facts: BlockFacts): void;
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
  waiting(queuedBlocks: number, heldBatches: number): void;
  flushed(figures: FlushFigures): void;
  ended(): void;
  snapshot(): IngestSnapshot;
}

/** Kinds of oddities told apart; the rest are counted together. */
const MAX_ODDITY_KINDS = 256;
/** Mints named in one line of the log. */
const MAX_NAMED_MINTS = 5;
const SUMMARY_MS = 10_000;

export interface IngestStatsOptions {
  readonly source: string;
  readonly committedSlot: number;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createIngestStats({ source, committedSlot, clock, log }: IngestStatsOptions): IngestStats {
  const counts = {
    source,
    ended: false,
    blocks: 0,
    transactions: 0,
    facts: Object.fromEntries(FACT_KINDS.map((kind) => [kind, 0])) as Record<FactKind, number>,
    headSlot: committedSlot,
    headTime: 0,
    committedSlot,
    missingSlots: 0,
    queuedBlocks: 0,
    heldBatches: 0,
    flushes: 0,
    rows: 0,
    lastFlushMs: undefined as number | undefined,
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
  const alarms = createAlarms({ clock, log });
  const oddities = new Map<string, number>();
  let wholeSlot = committedSlot;
  let summaryAt = clock.elapsed() + SUMMARY_MS;
  let summaryBlocks = 0;

  function snapshot(): IngestSnapshot {
    return {
      ...counts,
      facts: { ...counts.facts },
      oddities: Object.fromEntries(oddities),
      alarms: alarms.list(),
      lagSlots: Math.max(0, wholeSlot - counts.committedSlot),
      lagMs: counts.headTime === 0 ? undefined : Math.max(0, clock.now() - counts.headTime * 1_000),
    };
  }

  function summarise(): void {
    if (clock.elapsed() < summaryAt) return;
    const { facts, lagMs, lagSlots, headSlot, lastFlushMs, heldBatches, queuedBlocks } = snapshot();
    const blocks = counts.blocks - summaryBlocks;
    log.info(
      {
        source,
        blocks,
        head_slot: headSlot,
        lag_slots: lagSlots,
        lag_ms: lagMs,
        swaps: facts.swaps,
        held_batches: heldBatches,
        queued_blocks: queuedBlocks,
        last_flush_ms: lastFlushMs,
      },
      'ingest goes on',
    );
    summaryAt = clock.elapsed() + SUMMARY_MS;
    summaryBlocks = counts.blocks;
  }

  return {
    journal: {
      note(oddity) {
        const name = `${oddity.code}:${oddity.subject}`;
        const key = oddities.has(name) || oddities.size < MAX_ODDITY_KINDS ? name : 'other';
        const seen = oddities.get(key) ?? 0;
        oddities.set(key, seen + 1);
        if (seen === 0)
          log.warn({ code: oddity.code, subject: oddity.subject, ...oddity.detail }, 'odd data, seen first');
      },
    },
    derived(block, facts) {
      counts.blocks += 1;
      counts.transactions += block.transactions.length;
      for (const kind of FACT_KINDS) counts.facts[kind] += facts[kind].length;
      counts.headSlot = Math.max(counts.headSlot, block.slot);
      counts.headTime = Math.max(counts.headTime, facts.time);
      if (!block.whole) return;
      if (wholeSlot > 0 && block.parentSlot > wholeSlot) counts.missingSlots += block.parentSlot - wholeSlot;
      wholeSlot = Math.max(wholeSlot, block.slot);
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
    holes(figures) {
      counts.holes = figures;
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
    waiting(queuedBlocks, heldBatches) {
      counts.queuedBlocks = queuedBlocks;
      counts.heldBatches = heldBatches;
    },
    flushed({ batches, rows, lastSlot, committedSlot: answeredSlot, ms }) {
      counts.flushes += 1;
      counts.rows += rows;
      counts.committedSlot = Math.max(counts.committedSlot, answeredSlot);
      counts.lastFlushMs = ms;
      log.debug(
        {
          batches,
          rows,
          last_slot: lastSlot,
          committed_slot: counts.committedSlot,
          flush_ms: Math.round(ms),
          held_batches: counts.heldBatches,
          queued_blocks: counts.queuedBlocks,
          positions_held: counts.positionsHeld,
        },
        'flushed',
      );
      summarise();
    },
    ended() {
      counts.ended = true;
    },
    snapshot,
  };
}
