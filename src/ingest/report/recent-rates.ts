import { FACT_KINDS, type FactKind } from '../../facts/fact-lists.ts';

/** Per second, over the last minute. */
export interface RecentRate {
  readonly blocks: number;
  readonly facts: Readonly<Record<FactKind, number>>;
}

export interface RateTotals {
  readonly blocks: number;
  readonly facts: Readonly<Record<FactKind, number>>;
}

/** Turns totals that only grow into rates. Bounded: it remembers one sample a second, for a minute. */
export interface RecentRates {
  /** Undefined before a second has passed. `elapsed` is in milliseconds. */
  rate(elapsed: number, totals: RateTotals): RecentRate | undefined;
}

const SPAN_MS = 60_000;
const STEP_MS = 1_000;

export function createRecentRates(): RecentRates {
  const samples: { readonly at: number; readonly totals: RateTotals }[] = [];
  return {
    rate(elapsed, totals) {
      const newest = samples.at(-1);
      if (newest === undefined || elapsed - newest.at >= STEP_MS) {
        samples.push({ at: elapsed, totals: { blocks: totals.blocks, facts: { ...totals.facts } } });
      }
      // The one that lies a whole span back stays, to measure from.
      while (samples.length > 1 && samples[1]!.at <= elapsed - SPAN_MS) samples.shift();
      const [oldest] = samples;
      if (oldest === undefined || elapsed - oldest.at < STEP_MS) return undefined;
      const seconds = (elapsed - oldest.at) / 1_000;
      const perSecond = (now: number, then: number) => (now - then) / seconds;
      const facts = FACT_KINDS.map((kind) => [kind, perSecond(totals.facts[kind], oldest.totals.facts[kind])]);
      return {
        blocks: perSecond(totals.blocks, oldest.totals.blocks),
        facts: Object.fromEntries(facts) as Record<FactKind, number>,
      };
    },
  };
}
