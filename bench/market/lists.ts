import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from '../../src/chain/address.ts';
import { readJson } from '../../src/store/clickhouse/client.ts';
import type { PassingTokens } from '../recovery/grown-rows.ts';
import type { Figures } from '../run/benchmark.ts';
import { percentile, rounded } from '../run/statistics.ts';
import { type Asked, askAll } from '../token/clients.ts';
import { type GrownService, startOnGrownStore } from '../token/grown-service.ts';
import { known, type MarketQuestion, pathOf } from './known-routes.ts';

const MEMORY_BAR_MS = 50;
const FIRST_BAR_MS = 300;
const BOOK_MEMORY = '256M';
const MAX_WAIT_MS = 600_000;
const AGAIN_MS = 250;
const DAY_S = 86_400;
const GIVEN_UP = [503, 504];
/** Letters and digits of the names that the grown store's tokens have. */
const HEX_PREFIXES = ['ab', '3f', '7c1', 'e0', '91d', 'coin b', 'coin 4e', 'coin 0a7', 'd2c9', 'coim 5'];

export interface ListsOptions {
  readonly swaps: number;
  /** Slots from one that has swaps to the next: what spreads them over days. */
  readonly stride: number;
  readonly passing: PassingTokens;
  /** Seconds in which nobody asks, for the processor time that ingest takes. */
  readonly idleSeconds: number;
  /** Times that every question is asked again, and by how many at once. */
  readonly again: number;
  readonly clients: number;
  /** Creators whose tokens are asked for, and hours and days whose tokens are. */
  readonly creators: number;
  readonly ranges: number;
}

/**
 * Lists over a grown market: each question once, which nobody has asked before, by one client; then all of them again and
 * again, out of memory. Processor time of our process and of ClickHouse is told apart, without what ingest takes beside.
 */
export async function measureLists(options: ListsOptions): Promise<Figures> {
  const { swaps, stride, passing } = options;
  const grown = await startOnGrownStore(swaps, BOOK_MEMORY, stride, passing);
  try {
    const begun = performance.now();
    await untilReady(grown);
    const readyS = rounded((performance.now() - begun) / 1_000, 1);
    const idle = await spend(grown, () => sleep(options.idleSeconds * 1_000));
    const figures: Record<string, unknown> = {
      ...{ lists_ready_s: readyS, lists_first_bar_ms: FIRST_BAR_MS, lists_memory_bar_ms: MEMORY_BAR_MS },
      lists_stored: { swaps: grown.rows.swaps, tokens: grown.rows.token_creations },
      lists_idle_cpu: {
        ours: rounded(idle.ours / idle.seconds, 3),
        clickhouse: rounded(idle.clickhouse / idle.seconds, 3),
      },
    };
    for (const [name, questions] of Object.entries(await questionsOf(grown, options))) {
      if (questions.length === 0) continue;
      const measured = await measure(grown, { ...options, paths: questions.map(pathOf), idle });
      console.error(`lists: ${name}: ${JSON.stringify(measured)}`);
      for (const [figure, value] of Object.entries(measured)) figures[`lists_${name}_${figure}`] = value;
    }
    return figures;
  } finally {
    await grown.stop();
  }
}

/** Until windows stand and names are filled in: what comes before is refused, and is no answer. */
async function untilReady({ service }: GrownService): Promise<void> {
  const until = performance.now() + MAX_WAIT_MS;
  for (const path of ['/tokens/trending', '/search?q=ab', '/events']) {
    for (;;) {
      const answer = await fetch(service.address + path, { headers: { 'x-api-key': service.keys[0]! } });
      const text = await answer.text();
      if (answer.status === 200) break;
      if (answer.status !== 503 || performance.now() > until) throw new Error(`${path}: ${answer.status} ${text}`);
      await sleep(AGAIN_MS);
    }
  }
}

type Questions = Readonly<Record<string, readonly MarketQuestion[]>>;

async function questionsOf({ client }: GrownService, { creators, ranges }: ListsOptions): Promise<Questions> {
  const tokens = (query: Readonly<Record<string, string>>): MarketQuestion => ({
    name: 'tokens',
    route: '/tokens',
    query,
  });
  const made = await readJson<{ creator: Address }>(
    client,
    `SELECT base58Encode(creator) AS creator FROM token_creations WHERE slot < 700000000
     GROUP BY creator ORDER BY cityHash64(creator) LIMIT ${creators}`,
  );
  const [ends] = await readJson<{ first: number; last: number }>(
    client,
    'SELECT toUInt32(min(time)) AS first, toUInt32(max(time)) AS last FROM token_creations WHERE slot < 700000000',
  );
  const starts = Array.from({ length: ranges }, (_, at) => {
    const { first, last } = ends!;
    return first + Math.floor(((last - first) * (at + 0.5)) / ranges);
  });
  const sorts = ['newest', 'last_trade'];
  const ofSorts = (query: Readonly<Record<string, string>>) => sorts.map((sort) => tokens({ sort, ...query }));
  return {
    status: ['bonding', 'graduated'].flatMap((status) =>
      ['20', '100', '500'].flatMap((limit) => ofSorts({ status, limit })),
    ),
    creator: made.flatMap(({ creator }) => ofSorts({ creator })),
    range: starts.flatMap((from) => ofSorts({ from: `${from}`, to: `${from + DAY_S / 24}` })),
    // Filters on what moves: asked as soon as the contract has them.
    moving: known([
      ...['1000000000', '20000000000', '500000000000'].flatMap((min_vol) => ofSorts({ min_vol })),
      ...['2', '10', '100'].flatMap((min_traders) => ofSorts({ min_traders })),
      ...['20', '60'].flatMap((min_progress) => ofSorts({ min_progress })),
      ...['true', 'false'].flatMap((mayhem) => ofSorts({ mayhem })),
      ...['So11111111111111111111111111111111111111112', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'].flatMap(
        (quote) => ofSorts({ quote }),
      ),
    ]),
    search: HEX_PREFIXES.map((q) => ({ name: 'search', route: '/search', query: { q } })),
    ecosystem: known([{ name: 'ecosystem', route: '/ecosystem', query: { window: '7d' } }]),
  };
}

interface Measure extends Pick<ListsOptions, 'again' | 'clients'> {
  readonly paths: readonly string[];
  readonly idle: Spent;
}

async function measure(grown: GrownService, { paths, idle, again, clients }: Measure) {
  const answered = (path: string, client: number) => isAnswered(grown, path, client);
  let first: Asked = { times: [], givenUp: 0 };
  const cold = await spend(grown, async () => {
    first = await askAll(paths, 1, answered);
  });
  const repeated = Array.from({ length: again }, () => paths).flat();
  let kept: Asked = { times: [], givenUp: 0 };
  const warm = await spend(grown, async () => {
    kept = await askAll(repeated, clients, answered);
  });
  for (const { times, givenUp } of [first, kept]) {
    if (givenUp === times.length) throw new Error(`all ${givenUp} answers were given up, such as ${paths[0]}`);
  }
  const each = (spent: Spent, requests: number, of: 'ours' | 'clickhouse') =>
    rounded((Math.max(0, spent[of] - (idle[of] * spent.seconds) / idle.seconds) * 1_000) / requests, 2);
  return {
    questions: paths.length,
    first_p50_ms: rounded(percentile(first.times, 0.5), 1),
    first_p99_ms: rounded(percentile(first.times, 0.99), 1),
    first_given_up: first.givenUp,
    first_cpu_ms: each(cold, paths.length, 'ours'),
    first_clickhouse_cpu_ms: each(cold, paths.length, 'clickhouse'),
    memory_p50_ms: rounded(percentile(kept.times, 0.5), 1),
    memory_p99_ms: rounded(percentile(kept.times, 0.99), 1),
    memory_given_up: kept.givenUp,
    memory_cpu_ms: each(warm, repeated.length, 'ours'),
    memory_clickhouse_cpu_ms: each(warm, repeated.length, 'clickhouse'),
  };
}

/** Reads an answer to its end. False when the service gave it up, or had the store to wait for. Throws when it was refused. */
async function isAnswered({ service }: GrownService, path: string, client: number): Promise<boolean> {
  const key = service.keys[client % service.keys.length]!;
  const answer = await fetch(service.address + path, { headers: { 'x-api-key': key } });
  const body = await answer.text();
  if (answer.status === 200) return true;
  if (GIVEN_UP.includes(answer.status)) return false;
  throw new Error(`${path} answered ${answer.status}: ${body.slice(0, 300)}`);
}

interface Spent {
  readonly ours: number;
  readonly clickhouse: number;
  readonly seconds: number;
}

async function spend({ cpu }: GrownService, work: () => Promise<unknown>): Promise<Spent> {
  const before = cpu();
  const begun = performance.now();
  await work();
  const after = cpu();
  const seconds = (performance.now() - begun) / 1_000;
  return { ours: after.ours - before.ours, clickhouse: after.clickhouse - before.clickhouse, seconds };
}
