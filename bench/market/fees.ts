import { setTimeout as sleep } from 'node:timers/promises';
import { createFeeMarketAnswers } from '../../src/features/fee-market/answers.ts';
import { FEE_WINDOW_NAMES } from '../../src/features/fee-market/contract-windows.ts';
import { createLandingAnswers } from '../../src/features/fee-market/landing-answers.ts';
import { LandingDay } from '../../src/features/fee-market/landing-day.ts';
import { readFrame } from '../../src/features/fee-market/landing-frame.ts';
import { createLandingReads } from '../../src/features/fee-market/landing-reads.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { readJson, type StoreClient } from '../../src/store/clickhouse/client.ts';
import { DERIVED_TABLES, insertedSelect } from '../../src/store/clickhouse/derived/derived-tables.ts';
import { PACKED_TABLES } from '../../src/store/clickhouse/schema/packed-selects.ts';
import { FACT_TABLES, type FactTableName } from '../../src/store/clickhouse/schema/tables.ts';
import { joinBatches } from '../../src/store/clickhouse/write/flush-batches.ts';
import { insertFenced } from '../../src/store/clickhouse/write/writer-fence.ts';
import { createUnbrokenReader, createWholeSince } from '../../src/token/history.ts';
import { openTestStore } from '../../test/support/store.ts';
import type { Figures } from '../run/benchmark.ts';
import { median, percentile, rounded } from '../run/statistics.ts';
import { type FeeBlocks, type FeeMarketSize, MINUTE_S, makeFeeBlocks } from './fee-blocks.ts';
import { heldBytes } from './held-bytes.ts';

/** A block's economics may take as much: `leaders`. */
const BLOCK_BAR_MS = 0.3;
const DAY_MINUTES = 1_440;
/** Of an attempt as it is: a price, a priority fee and a tip. */
const EXACT_BIDS_BYTES = 24;
const MEGABYTE = 1_000_000;
/** Blocks of one flush, as live ingest writes them. */
const FLUSH_BLOCKS = 10;
/** The same when a market is filled in. */
const FILL_BLOCKS = 200;
const LANDING_WINDOWS = ['5m', '1h', '24h'] as const;
/** Rollups that the fee market is read out of. */
const ROLLUPS = ['router_minutes', 'router_reverts', 'router_traders', 'tip_quarters'];
const WEEK_S = 7 * 86_400;
/** The same minutes are held so often: what else comes and goes is small beside them. */
const DAYS_HELD = 8;
const SETTLE_MS = 100;
/** Of blocks that are inserted into the rollups alone: long before the others. */
const START_S = 1_780_000_020;

export interface FeesOptions extends FeeMarketSize {
  /** Times that each answer is asked for first, by a service that has just begun. */
  readonly firsts: number;
  /** Times that each is asked for again, out of memory. */
  readonly again: number;
  /** Flushes whose rollups are measured. */
  readonly flushes: number;
}

/**
 * The fee market over a made-up week.
 *
 * - Answers: each window first, by a service that has just begun, and again out of memory. `fees_first_ratio` is what a
 *   week by router takes out of the swaps themselves, over what its first answer takes out of sums.
 * - What a block costs the store in sums of the fee market; `fees_block_ratio` is that over the block's facts.
 * - What a day of landing conditions takes in memory, scaled; `fees_memory_ratio` is that of every attempt's bids as
 *   they are, of 24 bytes each, over it.
 */
export async function measureFees(options: FeesOptions): Promise<Figures> {
  const test = await openTestStore();
  try {
    const { client, writer } = test.store;
    const now = systemClock.now() / 1_000;
    const market = makeFeeBlocks(options, Math.floor(now / MINUTE_S) * MINUTE_S);
    for (const batches of market.batches(FILL_BLOCKS)) await writer.flush(batches);
    return {
      fees_swaps: await countOf(client, 'swaps'),
      ...(await measureAnswers(client, market, options)),
      ...(await measureDay(client, market, options)),
      ...(await measureBlocks(client, options)),
    };
  } finally {
    await test.close();
  }
}

/** A service that begins now, over all of the market. */
function begin(client: StoreClient, { lastSlot, lastTime }: FeeBlocks) {
  const clock: Clock = { ...systemClock, now: () => lastTime * 1_000 };
  const feed = createFeed({ maxHeldBatches: 8 });
  feed.commit(lastSlot, 0);
  const known = { leaders: { scheduleAt: () => undefined }, known: () => ({ client: undefined }) as never };
  return {
    ...{ clock, feed },
    market: createFeeMarketAnswers({ client, feed, clock, solUsd: () => 150 }),
    landing: createLandingAnswers({ client, feed, clock, log: silentLogger, ...known }),
  };
}

type Questions = Readonly<Record<string, () => Buffer | Promise<Buffer>>>;

function questionsOf({ market, landing }: ReturnType<typeof begin>): Questions {
  const named = <W extends string>(name: string, windows: readonly W[], ask: (window: W) => Buffer | Promise<Buffer>) =>
    windows.map((window) => [`${name}_${window}`, () => ask(window)] as const);
  return Object.fromEntries([
    ...named('routers', FEE_WINDOW_NAMES, (window) => market.routers({ window, venue: undefined })),
    ...named('tips', FEE_WINDOW_NAMES, (window) => market.tips(window, undefined)),
    ...named('landing', LANDING_WINDOWS, (window) => landing.conditions(window, 0)),
  ]);
}

async function measureAnswers(
  client: StoreClient,
  blocks: FeeBlocks,
  { firsts, again }: FeesOptions,
): Promise<Figures> {
  const first = new Map<string, number[]>();
  const memory: number[] = [];
  const scans: number[] = [];
  for (let round = 0; round < firsts; round += 1) {
    const service = begin(client, blocks);
    for (const [name, ask] of Object.entries(questionsOf(service))) {
      const took = await timed(ask);
      first.set(name, [...(first.get(name) ?? []), took]);
      for (let at = 0; at < again; at += 1) memory.push(await timed(ask));
    }
    service.landing.close();
    scans.push(await timed(() => scanWeek(client, blocks)));
  }
  const figures = [...first].flatMap(([name, ms]) => [
    [`fees_${name}_first_p50_ms`, rounded(median(ms), 1)] as const,
    [`fees_${name}_first_p99_ms`, rounded(percentile(ms, 0.99), 1)] as const,
  ]);
  return {
    fees_first_ratio: rounded(median(scans) / median(first.get('routers_7d')!)),
    fees_scan_week_ms: rounded(median(scans), 1),
    ...Object.fromEntries(figures),
    fees_memory_p50_ms: rounded(median(memory), 4),
    fees_memory_p99_ms: rounded(percentile(memory, 0.99), 4),
  };
}

/** A week by router out of the swaps themselves, as whoever has no sums asks for it. */
async function scanWeek(client: StoreClient, { lastTime }: FeeBlocks): Promise<void> {
  const rows = await readJson(
    client,
    `SELECT router, count() AS legs, sum(toUInt128(quote_amount)) AS amount, uniqExact(slot, block_index) AS transactions,
       uniq(trader) AS traders, quantileExactIf(0.5)(tip, tip > 0) AS tip
     FROM swaps WHERE toUInt32(time) >= {since:UInt32} GROUP BY router`,
    { since: lastTime - WEEK_S },
  );
  if (rows.length === 0) throw new Error('a week has no swaps');
}

async function timed(work: () => unknown): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function countOf(client: StoreClient, table: string): Promise<number> {
  const [row] = await readJson<{ n: string }>(client, `SELECT count() AS n FROM ${table}`);
  return Number(row!.n);
}

/** The full minutes of the market, read as the service reads its day. */
async function measureDay(
  client: StoreClient,
  blocks: FeeBlocks,
  { fullMinutes, slotsPerMinute, swapsPerBlock }: FeesOptions,
) {
  const { clock, feed, landing } = begin(client, blocks);
  landing.close();
  const reads = createLandingReads(client);
  const history = { unbroken: createUnbrokenReader(client, clock), wholeSince: createWholeSince(client, clock) };
  const frame = await readFrame({ client, reads, feed, clock, ...history }, '1h');
  if (frame === undefined) throw new Error('there is no block');
  const read = async () => {
    const filled = new LandingDay(reads);
    await filled.fill(frame, { most: fullMinutes, turn: async () => {}, signal: new AbortController().signal });
    return filled;
  };
  // What reading leaves behind the first time stays whatever is kept.
  const day = await read();
  const before = await settledBytes();
  const days: LandingDay[] = [];
  for (let at = 0; at < DAYS_HELD; at += 1) days.push(await read());
  const held = ((await settledBytes()) - before) / days.length;
  // The last one is not over.
  if (day.size < fullMinutes - 1 || day.size === 0)
    throw new Error(`${day.size} minutes were read, not ${fullMinutes}`);
  const daily = (bytes: number) => (bytes / day.size) * DAY_MINUTES;
  const exact = 2 * swapsPerBlock * slotsPerMinute * EXACT_BIDS_BYTES * DAY_MINUTES;
  return {
    fees_memory_ratio: rounded(exact / daily(day.bytes)),
    fees_day_mb_scaled: rounded(daily(held) / MEGABYTE, 1),
    fees_day_told_mb_scaled: rounded(daily(day.bytes) / MEGABYTE, 1),
    fees_day_exact_mb_scaled: rounded(exact / MEGABYTE, 1),
    fees_day_minutes: day.size,
  };
}

/** Behind what is let go a moment after it was read. */
async function settledBytes(): Promise<number> {
  await sleep(SETTLE_MS);
  return heldBytes();
}

const LAYOUTS = new Map(FACT_TABLES.map((layout) => [layout.name, layout]));

/** Inserts of flushes into the rollups, and into the facts that they are made of, each by itself. */
async function measureBlocks(
  client: StoreClient,
  { flushes, slotsPerMinute, swapsPerBlock }: FeesOptions,
): Promise<Figures> {
  const size = { sparseBlocks: 0, fullMinutes: flushes, slotsPerMinute, swapsPerBlock };
  const made = makeFeeBlocks(size, START_S);
  const sums: number[] = [];
  const facts: number[] = [];
  const insert = (name: string, table: FactTableName, select: string | undefined, piece: Uint8Array) => {
    const layout = LAYOUTS.get(table)!;
    const columns = Object.keys(layout.columns);
    return timed(() =>
      insertFenced(client, { table: name, layout, columns, bytes: piece, token: undefined, select }, undefined),
    );
  };
  for (const batches of made.batches(FLUSH_BLOCKS)) {
    if (sums.length === flushes) break;
    const [sum, fact] = [{ ms: 0 }, { ms: 0 }];
    for (const { table, bytes } of joinBatches(batches).flatMap(({ tables }) => tables)) {
      if (!['swaps', 'attempts', 'slot_tips'].includes(table)) continue;
      fact.ms += await insert(table, table, PACKED_TABLES.get(table), bytes);
      for (const derived of DERIVED_TABLES) {
        if (derived.source !== table || !ROLLUPS.includes(derived.name)) continue;
        sum.ms += await insert(derived.name, table, insertedSelect(derived), bytes);
      }
    }
    sums.push(sum.ms / batches.length);
    facts.push(fact.ms / batches.length);
  }
  return {
    fees_block_ratio: rounded(median(sums) / median(facts)),
    fees_block_ms: rounded(median(sums), 3),
    fees_block_p99_ms: rounded(percentile(sums, 0.99), 3),
    fees_block_facts_ms: rounded(median(facts), 3),
    fees_block_bar_ms: BLOCK_BAR_MS,
    fees_flushes: sums.length,
  };
}
