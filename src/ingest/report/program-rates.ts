import type { BlockFacts } from '../../facts/fact.ts';

/** Programs whose events become facts. Bounded, because they become the values of a label. */
export const RATED_PROGRAMS = ['pump', 'pump_amm', 'equities', 'token', 'system'] as const;
export type RatedProgram = (typeof RATED_PROGRAMS)[number];

/** The rate at which a program's events become facts. */
export interface ProgramRate {
  /** Facts per block lately; undefined until enough blocks have come to tell. */
  readonly recent: number | undefined;
  /** Facts per block in the time before that. */
  readonly usual: number | undefined;
  /** It has fallen to nothing, or far under what is usual. */
  readonly dropped: boolean;
}

/**
 * Tells when a program goes silent while blocks keep coming: its layouts or its
 * way of publishing events have changed, and nothing else would say so. Time is
 * counted in blocks, so that a source that stands still is no drop.
 */
export interface ProgramRates {
  /** Takes the facts of the next live block in. */
  add(facts: BlockFacts): void;
  rates(): Readonly<Record<RatedProgram, ProgramRate>>;
}

/** Blocks counted together: ten seconds at the pace of the chain. */
const BUCKET_BLOCKS = 25;
/** Buckets remembered: an hour. */
const MAX_BUCKETS = 360;
/** Buckets before the recent ones without which nothing is called usual: five minutes. */
const MIN_USUAL_BUCKETS = 30;
/** Recent buckets at least, half a minute. */
const MIN_RECENT_BUCKETS = 3;
/** So many facts must be usual for a recent span before their absence says anything. */
const MIN_EXPECTED = 40;
/** Below this share of what is usual it is a drop; above the other it is over. */
const DROP_SHARE = 0.1;
const RECOVERED_SHARE = 0.3;

export function createProgramRates(): ProgramRates {
  const meters = RATED_PROGRAMS.map((program) => ({ program, meter: createMeter() }));
  let blocks = 0;
  return {
    add(facts) {
      const counts = countByProgram(facts);
      blocks += 1;
      const closes = blocks % BUCKET_BLOCKS === 0;
      for (const { program, meter } of meters) meter.add(counts[program], closes);
    },
    rates: () =>
      Object.fromEntries(meters.map(({ program, meter }) => [program, meter.rate()])) as Record<
        RatedProgram,
        ProgramRate
      >,
  };
}

/** Attempts are left out: they come of instructions, and go on when events are no longer understood. */
function countByProgram(facts: BlockFacts): Record<RatedProgram, number> {
  const counts = {
    pump: facts.created.length + facts.completed.length,
    pump_amm: facts.pools.length + facts.liquidity.length,
    equities: 0,
    token: facts.transfers.length + facts.burns.length,
    system: facts.fundings.length,
  };
  for (const { venue } of facts.swaps) counts[venue === 0 ? 'pump' : venue === 1 ? 'pump_amm' : 'equities'] += 1;
  return counts;
}

function createMeter() {
  /** Whole buckets, oldest first. */
  const buckets: number[] = [];
  let open = 0;
  /** The usual rate before a drop: counts during the drop must not become the new usual. */
  let before: { readonly usual: number; readonly length: number } | undefined;
  let rate: ProgramRate = { recent: undefined, usual: undefined, dropped: false };

  function review(): void {
    const recentLength = before?.length ?? recentBuckets(buckets);
    if (recentLength === undefined) {
      rate = { recent: undefined, usual: undefined, dropped: false };
      return;
    }
    const recent = mean(buckets.slice(-recentLength));
    const usual = before?.usual ?? mean(buckets.slice(0, -recentLength));
    const dropped = recent < usual * (before === undefined ? DROP_SHARE : RECOVERED_SHARE);
    if (dropped) before ??= { usual, length: recentLength };
    else if (before !== undefined) {
      before = undefined;
      // Counts during the drop say nothing of what is usual.
      buckets.splice(0, buckets.length - recentLength);
    }
    rate = { recent: recent / BUCKET_BLOCKS, usual: usual / BUCKET_BLOCKS, dropped };
  }

  return {
    add(count: number, closes: boolean): void {
      open += count;
      if (!closes) return;
      buckets.push(open);
      open = 0;
      if (buckets.length > MAX_BUCKETS) buckets.shift();
      review();
    },
    rate: () => rate,
  };
}

/**
 * The number of newest buckets that suffice to tell something: the rarer the events, the more. Undefined when all are
 * too few.
 */
function recentBuckets(buckets: readonly number[]): number | undefined {
  for (let length = MIN_RECENT_BUCKETS; buckets.length - length >= Math.max(length, MIN_USUAL_BUCKETS); length += 1) {
    if (mean(buckets.slice(0, -length)) * length >= MIN_EXPECTED) return length;
  }
  return undefined;
}

function mean(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0) / counts.length;
}
