import type { Health, IngestStatus } from '../features/system/contract.ts';
import type { Feed } from '../feed/feed.ts';
import type { IngestSnapshot } from '../ingest/report/ingest-snapshot.ts';
import type { Alarm } from '../kernel/alarms.ts';
import { quantile } from '../kernel/histogram.ts';

/** Behind by more than this, answers are still given but called degraded. */
const DEGRADED_LAG_MS = 30_000;

export interface HealthView {
  readonly health: () => Health;
  /** State of ingest, for the statistics. */
  readonly ingestStatus: () => IngestStatus;
  /** Age of the newest indexed block, milliseconds; undefined while unknown. */
  readonly dataLagMs: () => number | undefined;
}

export interface HealthDeps {
  readonly ingest: { stats(): IngestSnapshot };
  readonly feed: Pick<Feed, 'headSlot'>;
  /** Of the service. */
  readonly version: string;
  /** Of all parts. */
  readonly alarms: () => readonly Alarm[];
}

/** Health of the service, from the figures of ingest and what the feed has carried. */
export function createHealth({ ingest, feed, version, alarms: alarmsOfParts }: HealthDeps): HealthView {
  return {
    health() {
      const snapshot = ingest.stats();
      const { source, lagMs, lagSlots, unconfirmedBlocks } = snapshot;
      const alarms = [...alarmsOfParts()].sort((a, b) => a.since - b.since);
      return {
        ...stateOf({ ...snapshot, alarms }, feed.headSlot),
        version,
        source,
        ...(feed.headSlot > 0 ? { indexed_slot: feed.headSlot } : {}),
        ...(lagMs === undefined ? {} : { lag_ms: Math.round(lagMs) }),
        lag_slots: lagSlots,
        unconfirmed_blocks: unconfirmedBlocks,
        holes: holesOf(snapshot),
        alarms: alarms.map(alarmOf),
      } satisfies Health;
    },
    ingestStatus: () => statusOf(ingest.stats()),
    dataLagMs: () => ingest.stats().lagMs,
  };
}

function stateOf({ ended, alarms, lagMs }: IngestSnapshot, headSlot: number): Pick<Health, 'status' | 'reason'> {
  const [first, ...more] = alarms;
  if (first !== undefined) {
    return {
      status: 'degraded',
      reason: more.length === 0 ? first.message : `${first.message}, and ${more.length} more`,
    };
  }
  if (ended) return { status: 'ok', reason: 'the source has come to its end' };
  if (headSlot === 0) return { status: 'starting', reason: 'no block has come yet' };
  if (lagMs !== undefined && lagMs > DEGRADED_LAG_MS) {
    return { status: 'degraded', reason: 'blocks are behind the clock' };
  }
  return { status: 'ok' };
}

function statusOf(snapshot: IngestSnapshot): IngestStatus {
  const { source, headSlot, committedSlot, lagSlots, lagMs, rate, flushMs } = snapshot;
  const p50 = quantile(flushMs, 0.5);
  const p99 = quantile(flushMs, 0.99);
  return {
    source,
    ...(headSlot > 0 ? { head_slot: headSlot } : {}),
    ...(committedSlot > 0 ? { committed_slot: committedSlot } : {}),
    lag_slots: lagSlots,
    ...(lagMs === undefined ? {} : { lag_ms: Math.round(lagMs) }),
    ...(rate === undefined
      ? {}
      : {
          blocks_per_second: tenths(rate.blocks),
          facts_per_second: tenths(Object.values(rate.facts).reduce((sum, each) => sum + each, 0)),
        }),
    unconfirmed_blocks: snapshot.unconfirmedBlocks,
    withdrawn_blocks: snapshot.withdrawnBlocks,
    stale_mints: snapshot.staleMints,
    ...(p50 === undefined || p99 === undefined ? {} : { flush_ms_p50: tenths(p50), flush_ms_p99: tenths(p99) }),
    holes: holesOf(snapshot),
    alarms: snapshot.alarms.map(alarmOf),
  };
}

function holesOf({ holes }: IngestSnapshot): IngestStatus['holes'] {
  const { count, slots, oldestSlot, oldestAgeMs, filling, unavailableSlots } = holes;
  return {
    count,
    slots,
    ...(oldestSlot === undefined ? {} : { oldest_slot: oldestSlot }),
    ...(oldestAgeMs === undefined ? {} : { oldest_age_ms: Math.round(oldestAgeMs) }),
    filling,
    unavailable_slots: unavailableSlots,
  };
}

function alarmOf({ code, since, message }: Alarm): IngestStatus['alarms'][number] {
  return { code, since: new Date(since).toISOString(), message };
}

function tenths(figure: number): number {
  return Math.round(figure * 10) / 10;
}
