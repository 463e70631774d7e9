import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { busiestToken } from './api/busiest-token.ts';
import { startService } from './api/processes.ts';
import { measureRates, type Rates, type RoundOptions, ratioOf } from './api/rates.ts';
import type { BenchmarkOptions, Figures } from './run/benchmark.ts';
import { median } from './run/statistics.ts';

/**
 * Requests per second of two hot answers, against a bare Fastify route that
 * sends the same bytes and headers. The service runs as it does for a user, with
 * the simulated chain coming in beside both sides; rounds alternate between
 * them, and each ratio is the median over its rounds. Takes up to two minutes:
 * a token needs time to be traded a hundred times.
 */
const BAR = 0.6;
interface Size extends RoundOptions {
  /** Milliseconds that a token may take to have a full page of swaps. */
  readonly fillMs: number;
}
const WHOLE: Size = { fillMs: 75_000, rounds: 5, amount: { seconds: 2 }, connections: 32 };
const SHORT: Size = { fillMs: 3_000, rounds: 1, amount: { requests: 200 }, connections: 32 };

export async function run({ short }: BenchmarkOptions): Promise<Figures> {
  const { fillMs, ...rounds } = short ? SHORT : WHOLE;
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-api-'));
  const service = await startService(dataDir);
  try {
    const { mint, rows } = await busiestToken(service, fillMs);
    const paths = { snapshot: `/tokens/${mint}`, swaps: `/tokens/${mint}/swaps` };
    const { snapshot, swaps } = await measureRates(service, paths, rounds);
    return { ...report(snapshot, swaps), swaps_rows: rows, connections: rounds.connections };
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function report(snapshot: Rates, swaps: Rates): Figures {
  const snapshotRatio = ratioOf(snapshot);
  const swapsRatio = ratioOf(swaps);
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
  };
}
