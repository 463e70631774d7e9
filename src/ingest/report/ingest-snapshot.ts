import type { FactKind } from '../../facts/fact-lists.ts';
import type { Alarm } from '../../kernel/alarms.ts';
import type { HistogramFigures } from '../../kernel/histogram.ts';
import type { RpcFigures } from '../../sources/json-rpc.ts';
import type { SlotFigures, SlotLacks } from '../../sources/source.ts';
import type { OddityCount } from './oddity-counts.ts';
import type { ProgramRate, RatedProgram } from './program-rates.ts';
import type { RecentRate } from './recent-rates.ts';
import type { CandidateFigures } from './tip-candidates.ts';

/** Figures of ingest. Plain data: it crosses threads and is served as it is. */
export interface IngestSnapshot {
  readonly source: string;
  /** The source came to its end (a replay): nothing more will come, and that is no fault. */
  readonly ended: boolean;
  /** Blocks derived, late ones included. */
  readonly blocks: number;
  /** Of those, blocks that came after newer ones. */
  readonly lateBlocks: number;
  /** Transactions without votes. */
  readonly transactions: number;
  readonly facts: Readonly<Record<FactKind, number>>;
  /** Undefined before a second has passed. */
  readonly rate: RecentRate | undefined;
  readonly programs: Readonly<Record<RatedProgram, ProgramRate>>;
  readonly oddities: readonly OddityCount[];
  /** Who is paid beside trades and is in no list of ours. */
  readonly tipCandidates: CandidateFigures;
  /** Newest slot derived, 0 before the first. */
  readonly headSlot: number;
  /** Block time of it, Unix seconds; 0 when unknown. */
  readonly headTime: number;
  /** Newest slot the store answers for, 0 while it is empty. */
  readonly committedSlot: number;
  /** Slots derived that the store does not have yet. */
  readonly lagSlots: number;
  /** Milliseconds since the newest derived block; undefined while unknown. Block times are whole seconds. */
  readonly lagMs: number | undefined;
  /** Slots that the source could not give, as its parent links tell. */
  readonly missingSlots: number;
  /** Blocks derived that wait to be folded. */
  readonly queuedBlocks: number;
  /** Batches published that wait for the store. */
  readonly heldBatches: number;
  readonly flushes: number;
  readonly rows: number;
  /** Bytes of rows, as they are sent. */
  readonly rowBytes: number;
  /** Of the last flush; undefined before the first. */
  readonly lastFlushMs: number | undefined;
  /** From the outbox to the store's answer, by flush. */
  readonly flushMs: HistogramFigures;
  readonly flushRows: HistogramFigures;
  /** Milliseconds that each stage has worked so far. */
  readonly stageMs: Readonly<Record<Stage, number>>;
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
  /** Bytes on their way to the store, on disk until it has them; undefined when nobody tells. */
  readonly outboxBytes: number | undefined;
  /** Of the fullest disk that is written to. */
  readonly diskFreeBytes: number | undefined;
  readonly rpc: RpcFigures | undefined;
  /** State of the chain at the source, for sources that tell it. */
  readonly slots: SlotFigures | undefined;
  /** Slots that the source did not give, for sources that tell it. */
  readonly lacks: SlotLacks | undefined;
}

/** Stages that a block goes through on its way to the store. */
export const STAGES = ['derive', 'fold', 'publish', 'write'] as const;
export type Stage = (typeof STAGES)[number];

/** Slots between the first and the newest stored one that the store does not have. */
export interface HoleFigures {
  readonly count: number;
  readonly slots: number;
  /** First slot of the oldest; absent without a hole. */
  readonly oldestSlot?: number;
  /** Milliseconds that the oldest hole has been known. */
  readonly oldestAgeMs?: number;
  /** True while the source of late blocks is being asked. */
  readonly filling: boolean;
  /** Slots filled, and found to be beyond reach, since the start. */
  readonly filledSlots: number;
  readonly unavailableSlots: number;
}

export const NO_HOLES: HoleFigures = { count: 0, slots: 0, filling: false, filledSlots: 0, unavailableSlots: 0 };
