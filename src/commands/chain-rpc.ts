import { chainName } from '../chain/clusters.ts';
import type { Config } from '../config.ts';
import { holdToChain } from '../ingest/node-chain.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import { createRpcClient, type RpcClient } from '../sources/json-rpc.ts';
import { createRpcTransport } from '../sources/rpc-transport.ts';
import { settingChain } from './store-chain.ts';

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

/** Between two looks whether ingest has held the store to its chain. */
const LOOK_AGAIN_MS = 5_000;

interface HoldTools {
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborts when the service stops. */
  readonly signal: AbortSignal;
}

/**
 * The same client for a node that had not said which chain it is of when the store was opened: its calls wait until the
 * store is of that chain, by `isOfChain`. To hold the store to one is for ingest alone, which ends the service where it is of another.
 */
export function holdToStore(
  rpc: RpcClient,
  config: Pick<Config, 'chain'>,
  isOfChain: (id: string) => Promise<boolean>,
  { clock, log, signal }: HoldTools,
): RpcClient {
  const untilOfChain = async (id: string) => {
    let isTold = false;
    // A store that does not answer has not said so yet.
    while (!signal.aborted && !(await isOfChain(id).catch(() => false))) {
      if (!isTold)
        log.warn(
          { chain: chainName(id) },
          'the node is of a chain that the store is not of yet: it is not asked for tokens and wallets',
        );
      isTold = true;
      await clock.sleep(LOOK_AGAIN_MS, signal);
    }
  };
  return holdToChain(rpc, ({ id }) => untilOfChain(id), { setting: settingChain(config), clock, log, signal });
}
