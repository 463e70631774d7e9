import type { Clock } from '../../kernel/clock.ts';
import type { RangeStep } from '../../sources/rpc-range.ts';
import { missingRanges, type SlotRange } from '../../store/clickhouse/coverage.ts';
import type { IngestStore } from '../ingest-store.ts';
import { NO_ROOM } from '../live/fitting-rows.ts';
import type { IngestStats } from '../report/stats.ts';
import type { Holes } from './holes.ts';
import type { LateBlocks } from './late-blocks.ts';

/** Reads the blocks of some slots, in order. */
export type RangeReader = (range: SlotRange, signal: AbortSignal) => AsyncIterable<RangeStep>;

/** The reader for the blocks of holes, or the reason why there is none. */
export type LateSource = { readonly read: RangeReader } | { readonly missing: string };

export interface HoleFillerOptions {
  readonly from: LateSource;
  readonly holes: Holes;
  readonly late: LateBlocks;
  readonly store: Pick<IngestStore, 'coverage'>;
  readonly stats: Pick<IngestStats, 'holes' | 'alarm'>;
  readonly clock: Clock;
  /** True while live blocks wait for the store: they come first. */
  readonly busy: () => boolean;
}

/** Fills holes while live blocks flow, and says what it cannot get. */
export interface HoleFiller {
  /** True while the blocks of a hole are being read. */
  readonly filling: boolean;
  /** Until the signal aborts. What was read and not written by then is still a hole. */
  run(signal: AbortSignal): Promise<void>;
}

/** Milliseconds between two looks for new holes in the store. */
const LOOK_EVERY_MS = 1_000;
/** Milliseconds that a chunk waits, at a time, for live blocks to go first. */
const YIELD_MS = 200;

export function createHoleFiller(options: HoleFillerOptions): HoleFiller {
  const { from, holes, late, store, stats, clock, busy } = options;
  let filling = false;

  function look(): void {
    const now = clock.now();
    holes.update(store.coverage, now);
    const figures = holes.figures(now);
    const nowhere = 'missing' in from ? from.missing : undefined;
    stats.holes({
      ...figures,
      filling,
      unavailableSlots: nowhere === undefined ? figures.unavailableSlots : figures.slots,
    });
    stats.alarm('holes', holes.trouble(now, nowhere));
  }

  async function fill(range: SlotRange, read: RangeReader, signal: AbortSignal): Promise<void> {
    for await (const step of readToTheEnd(read, range, signal)) {
      await take(step);
      while (busy() && !signal.aborted) await clock.sleep(YIELD_MS, signal);
    }
    if (signal.aborted) {
      late.drop();
      return;
    }
    await late.flush();
    // Slots that nobody spoke of are put off too: asking again at once would only be asking for ever.
    for (const rest of missingRanges(store.coverage, range).flatMap((each) => holes.unanswered(each, clock.now()))) {
      holes.unavailable(rest, 'the node does not say anything of them', clock.now());
    }
  }

  async function take(step: RangeStep): Promise<void> {
    if (step.kind === 'block') {
      const { slot } = step.block;
      if (!(await late.add(step.block))) holes.unavailable({ first: slot, last: slot }, NO_ROOM, clock.now());
    } else if (step.kind === 'skipped') await late.skipped(step);
    else holes.unavailable(step, step.reason, clock.now());
  }

  return {
    get filling() {
      return filling;
    },
    async run(signal) {
      while (!signal.aborted) {
        look();
        const range = 'read' in from && !busy() ? holes.next(clock.now()) : undefined;
        if (range === undefined || !('read' in from)) {
          filling = false;
          await clock.sleep(LOOK_EVERY_MS, signal);
          continue;
        }
        filling = true;
        look();
        await fill(range, from.read, signal);
      }
      filling = false;
    },
  };
}

/** A node that refuses is one more that has not got the slots: live blocks go on without it. */
async function* readToTheEnd(read: RangeReader, range: SlotRange, signal: AbortSignal): AsyncGenerator<RangeStep> {
  try {
    yield* read(range, signal);
  } catch (error) {
    yield { kind: 'unavailable', ...range, reason: error instanceof Error ? error.message : String(error) };
  }
}
