import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { type Recorded, type Service, startBareServer, startService } from './api/processes.ts';

/**
 * Requests per second of two hot answers, against a bare Fastify route that
 * sends the same bytes and headers. The service runs as it does for a user, with
 * the simulated chain coming in beside both sides; rounds alternate between
 * them, and each ratio is the median over its rounds. Takes up to two minutes:
 * a token needs time to be traded a hundred times.
 */
const BAR = 0.6;
const ROUNDS = 5;
const ROUND_S = 2;
const CONNECTIONS = 32;
const ROWS = 100;
const FILL_TIMEOUT_MS = 75_000;
/** The connection's own, which each server sets for itself. */
const HOP_HEADERS = ['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'];

interface Rates {
  readonly ours: number[];
  readonly bare: number[];
}

export async function run(): Promise<Readonly<Record<string, unknown>>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-api-'));
  const service = await startService(dataDir);
  try {
    const { mint, rows } = await busiestToken(service);
    const paths = { snapshot: `/tokens/${mint}`, swaps: `/tokens/${mint}/swaps?limit=${ROWS}` };
    const recorded = await Promise.all(Object.entries(paths).map(([name, path]) => record(service, name, path)));
    const bare = await startBareServer(recorded);
    try {
      const snapshot: Rates = { ours: [], bare: [] };
      const swaps: Rates = { ours: [], bare: [] };
      // The first round only warms both sides up.
      for (let round = 0; round <= ROUNDS; round += 1) {
        for (const [name, rates] of Object.entries({ snapshot, swaps })) {
          const ours = await requestsPerSecond(service.address + paths[name as keyof typeof paths], service.key);
          const base = await requestsPerSecond(`${bare.address}/${name}`, service.key);
          if (round === 0) continue;
          rates.ours.push(ours);
          rates.bare.push(base);
        }
      }
      return report(snapshot, swaps, rows);
    } finally {
      await bare.stop();
    }
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function report(snapshot: Rates, swaps: Rates, rows: number): Readonly<Record<string, unknown>> {
  const snapshotRatio = medianRatio(snapshot);
  const swapsRatio = medianRatio(swaps);
  return {
    bench: 'api',
    ratio: Math.min(snapshotRatio, swapsRatio),
    bar: BAR,
    snapshot_ratio: snapshotRatio,
    swaps_ratio: swapsRatio,
    snapshot_ours_rps: Math.round(median(snapshot.ours)),
    snapshot_bare_rps: Math.round(median(snapshot.bare)),
    swaps_ours_rps: Math.round(median(swaps.ours)),
    swaps_bare_rps: Math.round(median(swaps.bare)),
    swaps_rows: rows,
    connections: CONNECTIONS,
  };
}

/** The most traded token once it has a full page of swaps, or with the page it has when time is up. */
async function busiestToken(service: Service): Promise<{ mint: string; rows: number }> {
  const deadline = performance.now() + FILL_TIMEOUT_MS;
  for (;;) {
    const { data: tokens } = await getJson<{ data: { mint: string; trades_1h: number }[] }>(
      service,
      '/tokens?sort=last_trade&limit=500',
    );
    const busiest = tokens.sort((a, b) => b.trades_1h - a.trades_1h)[0];
    if (busiest !== undefined) {
      const page = await getJson<{ data: unknown[] }>(service, `/tokens/${busiest.mint}/swaps?limit=${ROWS}`);
      const rows = page.data.length;
      if (rows === ROWS || performance.now() > deadline) return { mint: busiest.mint, rows };
    } else if (performance.now() > deadline) {
      throw new Error('no token was seen in time');
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function getJson<T>(service: Service, path: string): Promise<T> {
  const response = await fetch(service.address + path, { headers: { 'x-api-key': service.key } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

async function record(service: Service, name: string, path: string): Promise<Recorded> {
  const response = await fetch(service.address + path, { headers: { 'x-api-key': service.key } });
  const headers = Object.fromEntries([...response.headers].filter(([header]) => !HOP_HEADERS.includes(header)));
  return { path: `/${name}`, headers, body: Buffer.from(await response.arrayBuffer()).toString('base64') };
}

async function requestsPerSecond(url: string, key: string): Promise<number> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: ROUND_S,
    headers: { 'x-api-key': key },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.average;
}

/** Median of the ratios of rounds that ran side by side. */
function medianRatio({ ours, bare }: Rates): number {
  return Number(median(ours.map((rate, i) => rate / (bare[i] ?? Number.NaN))).toFixed(3));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
