import { BodyCache } from '../../books/body-cache.ts';
import { ApiError } from '../../contract/errors.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Logger } from '../../kernel/log.ts';
import type { EpochSchedule } from '../../leaders/epoch-schedule.ts';
import type { KnownLeaders } from '../../leaders/known-leaders.ts';
import { createNewestPace } from '../../leaders/newest-pace.ts';
import type { Leaders } from '../../leaders/schedules.ts';
import { isOfEpoch } from '../../leaders/segments.ts';
import type { SlotEconomics } from '../../leaders/slot-figures.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { readForService } from '../../store/reads/reader.ts';
import { readBlockTimes } from '../../token/block-times.ts';
import type { DistributedBy } from './contract-limits.ts';
import { distributionBody } from './distribution-body.ts';
import { scheduleBody } from './schedule-body.ts';

/** Who leads which slots, out of memory. */
export interface LeaderAnswers {
  /**
   * So many slots before and behind the newest one. Waits for nothing but the first read of how long slots were.
   *
   * @throws {ApiError} `warming_up` while the schedule of its epoch is not there.
   */
  schedule(past: number, future: number): Buffer | Promise<Buffer>;
  /** All slots of the newest one's epoch by what their leaders have in common. Throws as {@link schedule}. */
  distribution(by: DistributedBy): Buffer;
}

export interface ClosableLeaderAnswers extends LeaderAnswers {
  /** Reads how long the newest slots were, beside everything else. */
  warm(): void;
  /** Stops following the feed. */
  close(): void;
}

export interface LeaderAnswersDeps {
  readonly client: StoreClient;
  readonly feed: Feed;
  readonly log: Logger;
  readonly leaders: Pick<Leaders, 'scheduleAt'>;
  readonly economics: SlotEconomics;
  readonly known: KnownLeaders;
}

export function createLeaderAnswers(deps: LeaderAnswersDeps): ClosableLeaderAnswers {
  const { client, feed, log, leaders, known, economics } = deps;
  const pace = createNewestPace({ feed, readTimes: (mark, limit) => readBlockTimes(client, mark, limit) });
  /** Answers that hold until the next block, and until validators or figures are told anew. */
  const schedules = new BodyCache(() => {});
  let told: EpochSchedule | undefined;
  let figuresVersion = economics.version;
  /** The first read of the pace, while it is under way. */
  let warming: Promise<void> | undefined;
  const distributions = new WeakMap<EpochSchedule, Map<DistributedBy, Buffer>>();
  const forget = () => schedules.clear();
  const unsubscribe = feed.subscribe({ batch: forget, withdrawn: forget, changed: forget });

  function current(): { readonly slot: number; readonly schedule: EpochSchedule } {
    const slot = Math.max(feed.headSlot, feed.committedSlot);
    const schedule = slot === 0 ? undefined : leaders.scheduleAt(slot);
    if (schedule === undefined || !isOfEpoch(schedule, slot)) {
      throw new ApiError('warming_up', { message: 'the leader schedule of the epoch is not there yet', slot });
    }
    return { slot, schedule };
  }

  function scheduleNow(past: number, future: number): Buffer {
    const { slot, schedule } = current();
    // Figures of before the start are read behind the first answers.
    if (schedule !== told || economics.version !== figuresVersion) forget();
    told = schedule;
    figuresVersion = economics.version;
    const key = { name: `${past} ${future}`, stamp: slot };
    const kept = schedules.get(key);
    if (kept !== undefined) return kept;
    const asked = { currentSlot: slot, past, future };
    const body = stampBody(scheduleBody({ ...deps, pace, known }, schedule, asked), slot);
    schedules.set(key, body, schedules.version);
    return body;
  }

  return {
    schedule: (past, future) =>
      warming === undefined ? scheduleNow(past, future) : warming.then(() => scheduleNow(past, future)),
    distribution(by) {
      const { schedule } = current();
      const bodies = distributions.get(schedule) ?? new Map<DistributedBy, Buffer>();
      distributions.set(schedule, bodies);
      const body = bodies.get(by) ?? distributionBody(schedule, by, known);
      bodies.set(by, body);
      return body;
    },
    warm() {
      warming = readForService(pace.warm)
        .catch((error: unknown) => {
          log.warn({ err: String(error) }, 'how long slots were before the start is not known; new blocks tell');
        })
        .finally(() => {
          warming = undefined;
        });
    },
    close() {
      unsubscribe();
      pace.close();
    },
  };
}
