import type { Config } from '../config.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import { type SolPrice, type SolPriceSource, startSolPrice } from '../network/sol-price.ts';
import { httpSolPrice, PUBLIC_SOL_PRICES } from '../network/sol-price-http.ts';
import { simulatedSolUsd } from '../simulator/sol-price.ts';

/** Starts to follow the price of SOL as it is configured; undefined when it is not to be known. */
export function openSolPrice(
  config: Pick<Config, 'solPrice' | 'source' | 'simulatorSeed'>,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): SolPrice | undefined {
  const sources = sourcesOf(config, clock);
  if (sources.length === 0) return undefined;
  const journal: Journal = { note: (oddity) => log.warn({ oddity }, 'odd data') };
  return startSolPrice({ sources, clock, log, journal });
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
