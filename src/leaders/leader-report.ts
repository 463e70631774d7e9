import type { EpochSpan } from '../chain/epochs.ts';
import { type Alarm, createAlarms } from '../kernel/alarms.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { Duties, DutyName } from './duties.ts';

/** How it is with what is known of leaders. What cannot be told is absent. */
export interface LeaderFigures {
  /**
   * Whether the schedules of these epochs are in memory: 1 or 0. Of the previous and the next one once the current one is
   * known; the first epoch has none before it.
   */
  readonly schedules: Partial<Record<'previous' | 'current' | 'next', number>>;
  /** Milliseconds since a node told these the last time. */
  readonly ageMs: Partial<Record<(typeof AGED)[number], number>>;
  /** Questions that failed since the start, by what was asked for. */
  readonly failed: Readonly<Record<string, number>>;
}

export interface LeaderReportDeps {
  /** False where nobody can be asked: then nothing is missing. */
  readonly hasNode: boolean;
  readonly duties: Duties;
  /** The epoch that it is, once its schedule is known. */
  readonly current: () => EpochSpan | undefined;
  /** Whether the schedule of a slot is in memory. */
  readonly knows: (slot: number) => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What monitoring is told of leaders. */
export interface LeaderReport {
  readonly figures: LeaderFigures;
  alarms(): readonly Alarm[];
  /** To be called every second or so: alarms begin and end with it. */
  look(): void;
}

const AGED = ['validators', 'gossip', 'names', 'tips'] as const;
/** A start reads a schedule in seconds, and a node that restarts is back within minutes. */
const MISSING_ALARM_MS = 180_000;

export function createLeaderReport({ hasNode, duties, current, knows, clock, log }: LeaderReportDeps): LeaderReport {
  const alarms = createAlarms({ clock, log });
  let knownAt = clock.elapsed();
  return {
    get figures() {
      const now = clock.elapsed();
      const epoch = current();
      const next = epoch === undefined ? {} : { next: Number(knows(epoch.firstSlot + epoch.slots)) };
      const isFirst = epoch === undefined || epoch.firstSlot === 0;
      const previous = isFirst ? {} : { previous: Number(knows(epoch.firstSlot - 1)) };
      const ageMs: Partial<Record<DutyName, number>> = {};
      for (const name of AGED) {
        const { doneAt } = duties[name];
        if (doneAt !== undefined) ageMs[name] = now - doneAt;
      }
      const failed: Record<string, number> = {};
      for (const { name, failed: count } of Object.values(duties)) failed[name] = (failed[name] ?? 0) + count;
      return { schedules: { ...previous, current: Number(epoch !== undefined), ...next }, ageMs, failed };
    },
    alarms: () => alarms.list(),
    look() {
      if (!hasNode || current() !== undefined) knownAt = clock.elapsed();
      const missingMs = clock.elapsed() - knownAt;
      // The schedule is asked for once the node has told how epochs lie and which slot it is.
      const failed = duties.rule.failed + duties.slot.failed + duties.current.failed;
      const minutes = Math.floor(missingMs / 60_000);
      const message = `the schedule of the current epoch has been missing for ${minutes} min; ${failed} tries to read it failed`;
      alarms.set('leaders_unknown', missingMs >= MISSING_ALARM_MS ? message : undefined);
    },
  };
}
