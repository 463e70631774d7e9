import type { Service } from './processes.ts';
import { getJson } from './rates.ts';

/** A full page of swaps. */
const ROWS = 100;

export interface BusyToken {
  readonly mint: string;
  /** Swaps of its page. */
  readonly rows: number;
}

/** The most traded token once it has a full page of swaps, or with the page it has when time is up. */
export async function busiestToken(service: Service, timeoutMs: number): Promise<BusyToken> {
  const deadline = performance.now() + timeoutMs;
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
