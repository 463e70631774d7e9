import { createDuty, type Duty, type DutyOptions } from './duty.ts';

/** Pauses after what failed, doubled each time from the first to the second. */
const PAUSES = {
  rule: { baseMs: 2_000, maxMs: 120_000 },
  slot: { baseMs: 2_000, maxMs: 120_000 },
  current: { baseMs: 2_000, maxMs: 120_000 },
  // Nodes know it for as long as the epoch before it lasts.
  next: { baseMs: 10_000, maxMs: 600_000 },
  // They may have forgotten it for good.
  previous: { baseMs: 10_000, maxMs: 3_600_000 },
  validators: { baseMs: 10_000, maxMs: 600_000 },
  // Public nodes may refuse it for good: votes tell the rest.
  gossip: { baseMs: 10_000, maxMs: 600_000 },
  names: { baseMs: 60_000, maxMs: 6 * 3_600_000 },
  tips: { baseMs: 60_000, maxMs: 3_600_000 },
  schedules: { baseMs: 2_000, maxMs: 120_000 },
  rows: { baseMs: 2_000, maxMs: 120_000 },
} as const;

/** What is written goes by one name in logs. */
const NAMES: { readonly [duty in DutyName]?: string } = { schedules: 'store', rows: 'store' };

export type DutyName = keyof typeof PAUSES;

/** All that has to be done to know who leads, each by itself: what one node refuses holds up nothing else. */
export type Duties = Readonly<Record<DutyName, Duty>>;

export function createDuties(deps: Pick<DutyOptions, 'clock' | 'log' | 'signal'>): Duties {
  const duties = Object.entries(PAUSES).map(([key, pauses]) => {
    const name = NAMES[key as DutyName] ?? key;
    return [key, createDuty({ name, ...pauses, ...deps })] as const;
  });
  return Object.fromEntries(duties) as Record<DutyName, Duty>;
}
