import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { busiestToken } from '../api/busiest-token.ts';
import { startService } from '../api/processes.ts';
import { measureRates, type RoundOptions, ratioOf } from '../api/rates.ts';
import { median } from '../run/statistics.ts';

/** Answers about the busiest token of the simulated chain, which comes in beside both sides. */
const PATHS = ['swaps', 'ticks', 'candles', 'activity', 'holders', 'counters'];

export interface HotOptions extends RoundOptions {
  /** Milliseconds that a token may take to have a full page of swaps. */
  readonly fillMs: number;
}

/** Requests per second of hot answers against a bare route that sends the same: the ratio of each. */
export async function measureHot({ fillMs, ...rounds }: HotOptions): Promise<Readonly<Record<string, number>>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-token-'));
  const service = await startService(dataDir);
  try {
    const { mint, rows } = await busiestToken(service, fillMs);
    const paths = Object.fromEntries(PATHS.map((path) => [path, `/tokens/${mint}/${path}`]));
    const rates = await measureRates(service, { snapshot: `/tokens/${mint}`, ...paths }, rounds);
    const figures = Object.entries(rates).flatMap(([name, each]) => [
      [`${name}_ratio`, ratioOf(each)] as const,
      [`${name}_ours_rps`, Math.round(median(each.ours))] as const,
      [`${name}_bare_rps`, Math.round(median(each.bare))] as const,
    ]);
    return { ...Object.fromEntries(figures), hot_swaps_rows: rows };
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
