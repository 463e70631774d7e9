import type { Service } from './processes.ts';
import { getJson } from './rates.ts';

/** A full page of swaps. */
const ROWS = 100;
/** For the first trade, on whatever machine: it comes within seconds. */
const MAX_WAIT_MS = 120_000;

export interface BusyToken {
  readonly mint: string;
  /** Swaps of its page. */
  readonly rows: number;
}

/** The most traded token once it has a full page of swaps, or with the page it has when time is up, of one swap at least. */
export async function busiestToken(service: Service, timeoutMs: number): Promise<BusyToken> {
  const begun = performance.now();
  const past = (ms: number) => performance.now() - begun > ms;
  for (;;) {
    const { data: tokens } = await getJson<{ data: { mint: string; trades_1h: number }[] }>(
      service,
      '/tokens?sort=last_trade&limit=500',
    );
    const busiest = tokens.sort((a, b) => b.trades_1h - a.trades_1h)[0];
    if (busiest !== undefined) {
      const page = await getJson<{ data: unknown[] }>(service, `/tokens/${busiest.mint}/swaps?limit=${ROWS}`);
      const rows = page.data.length;
      if (rows === ROWS || (rows > 0 && past(timeoutMs))) return { mint: busiest.mint, rows };
    }
    if (past(Math.max(timeoutMs, MAX_WAIT_MS))) throw new Error('no trade was seen in time');
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
