import { jsonBody } from '../../books/json-text.ts';
import { ApiError } from '../../contract/errors.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { readChainTime } from '../../token/chain-time-reads.ts';
import type { CoverageReader, UnbrokenReader, WholeSince } from '../../token/history.ts';
import type { EcosystemHistory } from './contract-history.ts';
import { HISTORY_STEPS, type HistoryMetric, type HistoryStep, MAX_HISTORY_POINTS } from './contract-limits.ts';
import { type HistoryQuestion, readRangeTimes, readValues, rollupOf } from './history-reads.ts';
import { gapsOf, knownSteps, stepCount } from './history-rules.ts';
import { readRollupsSince } from './rollups-since.ts';

export interface HistoryDeps {
  readonly client: StoreClient;
  readonly feed: { readonly committedSlot: number };
  readonly clock: Pick<Clock, 'now'>;
  readonly coverage: CoverageReader;
  readonly unbroken: UnbrokenReader;
  readonly wholeSince: WholeSince;
}

export interface HistoryFilter {
  readonly metric: HistoryMetric;
  readonly step: HistoryStep;
  /** Unix seconds. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** Figures that are lamports, which may be more than a number holds. */
const AMOUNTS: ReadonlySet<HistoryMetric> = new Set([
  'volume',
  'tips_total',
  'fees_1h',
  'creator_fees_1h',
  'priority_fees_1h',
]);

/**
 * A figure step by step, out of rollups, as it stands at one slot.
 *
 * @throws {ApiError} `invalid_param` for too many steps, `warming_up` while there is no block.
 */
export async function historyBody(deps: HistoryDeps, filter: HistoryFilter): Promise<Buffer> {
  const { client, feed, clock } = deps;
  const { metric, step } = filter;
  // Before the rows: a hole that is filled while they are read is not in all of them.
  const [coverage, slots, kept] = await Promise.all([deps.coverage(), deps.unbroken(), deps.wholeSince()]);
  const mark = feed.committedSlot;
  const newest = await readChainTime(client, mark, Math.floor(clock.now() / 1_000));
  if (newest === undefined) throw new ApiError('warming_up', { message: 'there is no block yet' });
  const question: HistoryQuestion = { ...spanOf(filter, newest.now), newest, mark };
  const rollup = rollupOf(metric);
  const keptSince = kept.get('swaps') ?? 0;
  const [ranges, since = 0] = await Promise.all([
    readRangeTimes(client, coverage, question),
    // Of a range that begins later the gap before it tells.
    rollup === undefined
      ? 0
      : readRollupsSince(client, [rollup], { slots: { first: slots?.first ?? 0, since: 0 }, keptSince }),
  ]);
  // Last of all: what a rollup is filled with meanwhile is told as missing, and not what it lacks as there.
  const values = await readValues(client, metric, question);
  const steps = knownSteps(question, { gaps: gapsOf(ranges, newest.now), since, now: newest.now });
  const isAmount = AMOUNTS.has(metric);
  const history: Written<EcosystemHistory> = {
    ...{ metric, step, t: steps },
    v: steps.map((start) => {
      const value = values.get(start) ?? 0n;
      return isAmount ? value.toString() : Number(value);
    }),
  };
  return stampBody(jsonBody(history), mark);
}

/** The steps that are asked for. Throws `invalid_param` when they are too many. */
function spanOf({ step: name, from, to }: HistoryFilter, now: number) {
  const { seconds: step, points } = HISTORY_STEPS[name];
  const end = to ?? now + 1;
  const begin = from ?? end - points * step;
  const span = { from: inTime(begin - (begin % step)), to: inTime(end), step };
  if (stepCount(span) > MAX_HISTORY_POINTS) {
    throw new ApiError('invalid_param', {
      param: 'from',
      message: `from, to and step make more than ${MAX_HISTORY_POINTS} points`,
      details: { max: MAX_HISTORY_POINTS },
    });
  }
  return span;
}

/** The store counts seconds from 1970 to 2106. */
function inTime(seconds: number): number {
  return Math.min(Math.max(0, seconds), LAST_SECOND);
}

const LAST_SECOND = 2 ** 32 - 1;
