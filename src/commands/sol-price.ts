import type { Config } from '../config.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import { type SolPrice, type SolPriceSource, startSolPrice } from '../network/sol-price.ts';
import { httpSolPrice, PUBLIC_SOL_PRICES } from '../network/sol-price-http.ts';
import { createSolPriceRecord, type MinutePrice } from '../network/sol-price-record.ts';
import { simulatedSolUsd } from '../simulator/sol-price.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { SOL_PRICES } from '../store/clickhouse/schema/background-tables.ts';
import { appendRows } from '../store/clickhouse/write/append-rows.ts';

const MICROS = 1_000_000;

/** Starts to follow the price of SOL as it is configured, and to keep it by minute; undefined when it is not to be known. */
export function openSolPrice(
  config: Pick<Config, 'solPrice' | 'source' | 'simulatorSeed'>,
  { client, clock, log }: { readonly client: StoreClient; readonly clock: Clock; readonly log: Logger },
): SolPrice | undefined {
  const sources = sourcesOf(config, clock);
  if (sources.length === 0) return undefined;
  const journal: Journal = { note: (oddity) => log.warn({ oddity }, 'odd data') };
  const record = createSolPriceRecord({ keep: (prices) => keepSolPrices(client, prices), clock, log });
  const price = startSolPrice({ sources, clock, log, journal, told: (usd) => record.take(usd) });
  return {
    ...price,
    async stop() {
      await price.stop();
      await record.stop();
    },
  };
}

/** Several processes may keep the same minute: the newest of their quotes counts. */
export function keepSolPrices(client: StoreClient, prices: readonly MinutePrice[]): Promise<void> {
  const rows = prices.map(({ minute, quotedAt, usd }) => ({
    ...{ minute, quoted_ms: BigInt(quotedAt), usd_micros: BigInt(Math.round(usd * MICROS)) },
  }));
  return appendRows(client, SOL_PRICES, rows);
}

/** A simulated chain has a simulated price, unless sources are named. */
function sourcesOf(
  { solPrice, source, simulatorSeed }: Pick<Config, 'solPrice' | 'source' | 'simulatorSeed'>,
  clock: Clock,
): readonly SolPriceSource[] {
  if (solPrice === 'off') return [];
  if (solPrice !== 'on') return solPrice.split(',').map(httpSolPrice);
  if (source !== 'simulator') return PUBLIC_SOL_PRICES.map(httpSolPrice);
  const seed = String(simulatorSeed);
  return [{ name: 'simulation', ask: async () => simulatedSolUsd(seed, clock.now()) }];
}
