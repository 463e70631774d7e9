import type { Config } from '../config.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import { createRpcClient, type RpcClient } from '../sources/json-rpc.ts';
import { createRpcTransport } from '../sources/rpc-transport.ts';

/**
 * Answers beside ingest are taken apart on the thread of the API: this many bytes
 * take about a tenth of a second. All accounts of a mint are the largest there are.
 */
const MAX_ANSWER_BYTES = 10 * 1024 * 1024;

/** The main thread's client for what the chain tells besides blocks; undefined without a node, or when the chain is simulated. */
export function createChainRpc(
  { solanaRpcUrl, source }: Config,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): RpcClient | undefined {
  // Simulated tokens are on no real chain.
  if (solanaRpcUrl === undefined || source === 'simulator') return undefined;
  return createRpcClient({
    url: solanaRpcUrl,
    clock,
    log,
    transport: createRpcTransport(solanaRpcUrl, MAX_ANSWER_BYTES),
  });
}
