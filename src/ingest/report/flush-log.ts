import type { Logger } from '../../kernel/log.ts';
import { type IngestSnapshot, STAGES, type Stage } from './ingest-snapshot.ts';

/** Writing is told by the flush itself. */
const TOLD_STAGES = STAGES.filter((stage) => stage !== 'write');
const NO_TIME: Readonly<Record<Stage, number>> = { derive: 0, fold: 0, publish: 0, write: 0 };

/**
 * One line in the log for each flush, with all that a person needs to see how
 * ingest fares: what was written, what each stage worked for it, and what waits.
 */
export function createFlushLog(log: Logger): (flush: FlushFigures, snapshot: IngestSnapshot) => void {
  let told = NO_TIME;
  return (flush, snapshot) => {
    const spent = TOLD_STAGES.map((stage) => [`${stage}_ms`, Math.round(snapshot.stageMs[stage] - told[stage])]);
    told = snapshot.stageMs;
    const { batches, rows, bytes, firstSlot, lastSlot, ms, late } = flush;
    const { holes, lagMs, outboxBytes, rpc } = snapshot;
    log.info(
      {
        ...(late === true ? { late } : {}),
        first_slot: firstSlot,
        last_slot: lastSlot,
        blocks: batches,
        rows,
        bytes,
        flush_ms: Math.round(ms),
        ...Object.fromEntries(spent),
        head_slot: snapshot.headSlot,
        committed_slot: snapshot.committedSlot,
        lag_slots: snapshot.lagSlots,
        ...(lagMs === undefined ? {} : { lag_ms: Math.round(lagMs) }),
        queued_blocks: snapshot.queuedBlocks,
        held_batches: snapshot.heldBatches,
        unconfirmed_blocks: snapshot.unconfirmedBlocks,
        ...(outboxBytes === undefined ? {} : { outbox_bytes: outboxBytes }),
        ...(rpc === undefined ? {} : { rpc_in_flight: rpc.inFlight, rpc_limit: rpc.limit }),
        holes: holes.count,
        hole_slots: holes.slots,
        stale_mints: snapshot.staleMints,
        positions_held: snapshot.positionsHeld,
        alarms: snapshot.alarms.length,
      },
      'flushed',
    );
  };
}

export interface FlushFigures {
  /** Batches written, a block each. */
  readonly batches: number;
  readonly rows: number;
  /** Bytes of the rows, as they are sent. */
  readonly bytes: number;
  readonly firstSlot: number;
  readonly lastSlot: number;
  readonly committedSlot: number;
  readonly ms: number;
  /** Blocks that came after newer ones. */
  readonly late?: boolean;
}
