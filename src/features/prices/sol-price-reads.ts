import { Type } from 'typebox';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineRowQuery } from '../../store/query.ts';
import type { SolHistorySpan } from './sol-history-rules.ts';

const steps = defineRowQuery({
  sql: new URL('./sol-prices-by-step.sql', import.meta.url),
  params: Type.Object({ from: Type.Integer(), to: Type.Integer(), step: Type.Integer() }),
  layout: { name: 'sol_prices_by_step', columns: { start: 'u32', usd_micros: 'u64' } },
});

const MICROS = 1_000_000;

/** The price of SOL at the end of each step, dollars; steps without a quote are absent. */
export async function readSolPrices(
  client: StoreClient,
  { from, to, step }: SolHistorySpan,
): Promise<{ readonly start: number; readonly usd: number }[]> {
  const rows = await steps(client, { from, to, step });
  return rows.map(({ start, usd_micros }) => ({ start, usd: Number(usd_micros) / MICROS }));
}
