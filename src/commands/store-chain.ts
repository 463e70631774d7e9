import { chainName, readChain, SIMULATED_CHAIN } from '../chain/clusters.ts';
import type { Config } from '../config.ts';
import { chainOfNode, knownChain } from '../ingest/node-chain.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import { createRpcClient } from '../sources/json-rpc.ts';
import type { StoreChain } from '../store/clickhouse/chain-record.ts';

interface ChainTools {
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Milliseconds that a node may take that does not answer. */
  readonly waitMs?: number;
}

/** A start waits so long for the node; without its answer the service goes on, readers are served, and none of its blocks are taken. */
const START_WAIT_MS = 10_000;

/** The chain of the configured source; undefined while its node does not answer. */
export async function chainOfSource(config: Config, tools: ChainTools): Promise<StoreChain | undefined> {
  const { source, solanaRpcUrl } = config;
  if (source === 'simulator') return knownChain(SIMULATED_CHAIN, 'MINTSCOPE_SOURCE');
  const isLive = source === 'rpc' || source === 'yellowstone';
  return isLive && solanaRpcUrl !== undefined ? chainAt(solanaRpcUrl, config, tools) : settingChain(config);
}

/** The chain of a node; undefined while it does not answer. */
export function chainAt(
  url: string,
  config: Config,
  { clock, log, signal, waitMs = START_WAIT_MS }: ChainTools,
): Promise<StoreChain | undefined> {
  return chainOfNode(createRpcClient({ url, clock, log }), settingChain(config), { log, signal, waitMs });
}

/** The chain that the setting names, for sources that cannot be asked. */
export function settingChain({ chain }: Pick<Config, 'chain'>): StoreChain {
  const id = readChain(chain);
  if (id === undefined) throw new Error(`${chain} passed as the name of a chain`);
  return knownChain(id, `MINTSCOPE_CHAIN, ${chainName(id)}`);
}
