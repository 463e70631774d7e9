import { Type } from 'typebox';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { Coverage } from '../../store/clickhouse/coverage.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { defineQuery, defineRowQuery, SHARED_READ_SECONDS } from '../../store/query.ts';
import { type ChainTime, firstSlotOf, minuteOf } from '../../token/chain-time-reads.ts';
import { sketchedCount } from '../../token/trader-sketch.ts';
import { type HistoryMetric, MAX_HISTORY_POINTS } from './contract-limits.ts';
import { edgesOf, type RangeTimes, type StepSpan } from './history-rules.ts';
import type { SwapRollup } from './rollups-since.ts';

const VALUES = { name: 'history_values', columns: { start: 'u32', value: 'i128' } } as const;
const times = { step: Type.Integer(), from: Type.Integer(), to: Type.Integer(), mark: Type.Integer() };
const running = { running: Type.Integer(), running_slot: Type.Integer() };

const tokens = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./history-tokens.sql', import.meta.url),
  params: Type.Object({ ...times, from_slot: Type.Integer(), created: Type.Boolean() }),
  layout: VALUES,
});

const trades = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./history-trades.sql', import.meta.url),
  params: Type.Object({ ...times, ...running, metric: Type.String() }),
  layout: VALUES,
});

const fees = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./history-fees.sql', import.meta.url),
  params: Type.Object({ ...times, ...running, metric: Type.String() }),
  layout: VALUES,
});

const tips = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./history-tips.sql', import.meta.url),
  params: Type.Object({ ...times, ...running }),
  layout: VALUES,
});

const RANKS = 52;

const traders = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  maxRows: MAX_HISTORY_POINTS * RANKS,
  sql: new URL('./history-traders.sql', import.meta.url),
  params: Type.Object({ ...times, ...running }),
  layout: { name: 'history_traders', columns: { start: 'u32', rank: 'u8', registers: 'u32' } },
});

const ranges = defineQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./history-ranges.sql', import.meta.url),
  params: Type.Object({
    firsts: Type.Array(Type.Integer()),
    lasts: Type.Array(Type.Integer()),
    from_slot: Type.Integer(),
    mark: Type.Integer(),
  }),
  row: Type.Object({ first: Type.Integer(), begin: Type.Array(Type.Integer()), end: Type.Array(Type.Integer()) }),
});

export interface HistoryQuestion extends StepSpan {
  /** The newest block that is told of. */
  readonly newest: ChainTime;
  readonly mark: number;
}

const HOUR_S = 3_600;

/** Values of the steps in which there was something, by their beginnings. */
export async function readValues(
  client: StoreClient,
  metric: HistoryMetric,
  question: HistoryQuestion,
): Promise<ReadonlyMap<number, bigint>> {
  if (metric === 'active_traders_1h') return readTraders(client, question);
  const rows = await readSums(client, metric, question);
  return new Map(rows.map(({ start, value }) => [start, value]));
}

function readSums(
  client: StoreClient,
  metric: Exclude<HistoryMetric, 'active_traders_1h'>,
  { from, to, step, newest, mark }: HistoryQuestion,
): Promise<RowOf<typeof VALUES>[]> {
  const span = { from: Math.max(0, from), to, step, mark };
  const edge = {
    running: minuteOf(newest.now),
    running_slot: firstSlotOf(newest.slot, newest.now - minuteOf(newest.now)),
  };
  switch (metric) {
    case 'new_tokens':
    case 'graduated': {
      const from_slot = firstSlotOf(newest.slot, Math.max(0, newest.now - span.from));
      return tokens(client, { ...span, from_slot, created: metric === 'new_tokens' });
    }
    case 'tips_total':
      return tips(client, { ...span, ...edge });
    case 'volume':
    case 'trades':
    case 'buys_1h':
    case 'sells_1h':
      return trades(client, { ...span, ...edge, metric: plainName(metric) });
    default:
      return fees(client, { ...span, ...edge, metric: plainName(metric) });
  }
}

async function readTraders(client: StoreClient, question: HistoryQuestion): Promise<ReadonlyMap<number, bigint>> {
  const { from, to, step, newest, mark } = question;
  const ended = newest.now - (newest.now % HOUR_S);
  const rows = await traders(client, {
    ...{ from: Math.max(0, from), to, step, mark },
    ...{ running: ended, running_slot: firstSlotOf(newest.slot, newest.now - ended) },
  });
  const steps = new Map<number, Map<number, number>>();
  for (const { start, rank, registers } of rows) {
    const ranks = steps.get(start) ?? new Map<number, number>();
    steps.set(start, ranks.set(rank, registers));
  }
  return new Map([...steps].map(([start, ranks]) => [start, BigInt(sketchedCount(ranks))]));
}

/** What a metric is called in the text of a query. */
function plainName(metric: HistoryMetric): string {
  return metric.replace(/_1h$/, '');
}

/** The rollup that steps of a metric are made of, where that was made of swaps. */
export function rollupOf(metric: HistoryMetric): SwapRollup | undefined {
  switch (metric) {
    case 'new_tokens':
    case 'graduated':
    case 'tips_total':
      return undefined;
    case 'active_traders_1h':
      return 'traders';
    case 'volume':
    case 'trades':
    case 'buys_1h':
    case 'sells_1h':
      return 'trades';
    default:
      return 'fees';
  }
}

/** Times of the ranges of whole slots that may reach into the steps, in order. */
export async function readRangeTimes(
  client: StoreClient,
  coverage: Coverage,
  { from, newest, mark }: HistoryQuestion,
): Promise<RangeTimes[]> {
  const from_slot = firstSlotOf(newest.slot, Math.max(0, newest.now - from) + HOUR_S);
  // Without a range that is known, all blocks are taken for one.
  const known = coverage.length === 0 ? [{ first: 0, last: mark }] : coverage;
  const firsts = known.map(({ first }) => first);
  const rows = await ranges(client, { firsts, lasts: known.map(({ last }) => last), from_slot, mark });
  return rows.map(edgesOf);
}
