import type { Alarm } from '../kernel/alarms.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { LeaderFigures } from './leader-report.ts';

export interface ReportedLeaders {
  readonly figures: LeaderFigures;
  alarms(): readonly Alarm[];
}

/** Adds metrics of who leads, and of what slots paid: `unknownSlots` of the newest ones are without figures. */
export function addLeaderMetrics(metrics: Metrics, leaders: ReportedLeaders, unknownSlots: () => number): void {
  metrics.gauge({
    name: 'mintscope_leaders_schedule_known',
    help: '1 when it is known who leads the epoch, 0 when not.',
    label: 'epoch',
    read: () => leaders.figures.schedules,
  });
  metrics.gauge({
    name: 'mintscope_leaders_read_age_ms',
    help: 'Since a node told this of validators the last time.',
    label: 'of',
    read: () => leaders.figures.ageMs,
  });
  metrics.counter({
    name: 'mintscope_leaders_failures_total',
    help: 'Questions about leaders that failed.',
    label: 'of',
    read: () => leaders.figures.failed,
  });
  metrics.gauge({
    name: 'mintscope_leaders_unknown_slots',
    help: 'Of the newest slots those of which it is not known what they paid.',
    read: unknownSlots,
  });
  metrics.gauge({
    name: 'mintscope_leaders_alarm',
    help: '1 for each alarm that lasts.',
    label: 'code',
    read: () => Object.fromEntries(leaders.alarms().map(({ code }) => [code, 1])),
  });
}
