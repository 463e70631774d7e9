import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { busiestToken } from '../api/busiest-token.ts';
import { type Service, startService } from '../api/processes.ts';
import { getJson } from '../api/rates.ts';
import { percentile, rounded } from '../run/statistics.ts';
import { ask, askAll } from './clients.ts';

export interface TradedOptions {
  /** Milliseconds that the token may take to have a full page of swaps. */
  readonly fillMs: number;
  /** Requests of each route. */
  readonly requests: number;
  readonly connections: number;
}

/** URLs of each route, asked in turn: pages and windows of one token have answers of their own. */
const ROUTES: Readonly<Record<string, readonly string[]>> = {
  snapshot: [''],
  swaps: ['/swaps', '/swaps?limit=20', '/swaps?limit=50&failed=1', '/swaps?limit=100&transfers=1'],
  ticks: ['/ticks', '/ticks?limit=100', '/ticks?limit=500'],
  candles: ['/candles', '/candles?tf=1m', '/candles?tf=5m'],
  activity: ['/activity'],
  holders: ['/holders', '/holders?limit=20', '/holders?limit=50'],
  counters: ['/counters'],
  intelligence: ['/intelligence'],
  launch: ['/launch'],
  pack: ['/pack'],
};

/**
 * Answers about a token while it is traded as the hottest of mainnet, by many URLs in turn: milliseconds of each
 * route, median and slowest of a hundred, and how often the token was really traded meanwhile.
 */
export async function measureTraded({ fillMs, requests, connections }: TradedOptions) {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-traded-'));
  const chain = fork(fileURLToPath(new URL('hot-chain.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] });
  try {
    const [{ url }] = (await once(chain, 'message')) as [{ readonly url: string }];
    const service = await startService(dataDir, {
      MINTSCOPE_SOURCE: 'yellowstone',
      YELLOWSTONE_URL: url,
      MINTSCOPE_CHAIN: 'simulator',
    });
    try {
      return await measure(service, { fillMs, requests, connections });
    } finally {
      await service.stop();
    }
  } finally {
    await end(chain);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measure(service: Service, { fillMs, requests, connections }: TradedOptions) {
  const { mint } = await busiestToken(service, fillMs);
  const times = new Map<string, number[]>(Object.keys(ROUTES).map((route) => [route, []]));
  const questions = Array.from({ length: requests }, (_, turn) =>
    Object.entries(ROUTES).map(([route, paths]) => ({ route, path: `/tokens/${mint}${paths[turn % paths.length]}` })),
  ).flat();
  const before = await tradesOf(service, mint);
  const begun = performance.now();
  const { givenUp } = await askAll(questions, connections, async ({ route, path }, client) => {
    const asked = performance.now();
    const isAnswered = await ask(service, path, client);
    times.get(route)?.push(performance.now() - asked);
    return isAnswered;
  });
  const seconds = (performance.now() - begun) / 1_000;
  const figures = [...times].flatMap(([route, all]) => [
    [`traded_${route}_p50_ms`, rounded(percentile(all, 0.5), 1)],
    [`traded_${route}_p99_ms`, rounded(percentile(all, 0.99), 1)],
  ]);
  const swaps = (await tradesOf(service, mint)) - before;
  return {
    ...Object.fromEntries(figures),
    traded_swaps_per_second: rounded(swaps / seconds, 1),
    traded_seconds: rounded(seconds, 1),
    traded_given_up: givenUp,
    traded_connections: connections,
  };
}

async function tradesOf(service: Service, mint: string): Promise<number> {
  const path = '/tokens?sort=last_trade&limit=500';
  const { data } = await getJson<{ data: { mint: string; trades_1h: number }[] }>(service, path);
  return data.find((row) => row.mint === mint)?.trades_1h ?? Number.NaN;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}
