import { readGenesisHash } from '../chain/clusters.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { RpcClient } from '../sources/json-rpc.ts';
import { isRefusal } from '../sources/node-words.ts';
import { FIRST_SIMULATED_SLOT } from '../sources/simulator.ts';
import type { StoreChain } from '../store/clickhouse/chain-record.ts';

export interface NodeChainTools {
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Milliseconds that a node may take that does not answer; as long as its client tries when left out. */
  readonly waitMs?: number | undefined;
}

/** For the blocks that a store without a record is judged by, all of them. */
const BLOCKS_WAIT_MS = 20_000;
/** Between two questions to a node that does not say which chain it is of. */
const ASK_AGAIN_MS = 5_000;

/** A chain that is known without a node. */
export function knownChain(id: string, knownBy: string): StoreChain {
  return { id, knownBy, simulatedStart: FIRST_SIMULATED_SLOT };
}

/** The chain of a node by its genesis hash, or `setting` where the node does not give one; undefined while it does not answer. */
export async function chainOfNode(
  client: RpcClient,
  setting: StoreChain,
  { log, signal, waitMs }: NodeChainTools,
): Promise<StoreChain | undefined> {
  const patience = waitMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  const blockhashAt = blockhashes(client, signal);
  try {
    const id = readGenesisHash(await client.call('getGenesisHash', [], patience));
    if (id !== undefined) return { ...knownChain(id, 'the genesis hash of SOLANA_RPC_URL'), blockhashAt };
    log.warn({}, 'the node answers getGenesisHash with something else: MINTSCOPE_CHAIN says which chain it is of');
  } catch (error) {
    if (!isRefusal(error)) {
      log.warn(
        { err: String(error) },
        'the node does not say yet which chain it is of: none of its blocks are taken before',
      );
      return undefined;
    }
    log.warn({ err: String(error) }, 'the node gives no genesis hash: MINTSCOPE_CHAIN says which chain it is of');
  }
  return { ...setting, blockhashAt };
}

/**
 * The same client, whose first call waits until its node has said which chain it
 * is of and the store was held to that. All calls fail with what `settle` throws for good.
 */
export function holdToChain(
  client: RpcClient,
  settle: (chain: StoreChain) => Promise<void>,
  { setting, clock, log, signal }: { readonly setting: StoreChain; readonly clock: Clock } & NodeChainTools,
): RpcClient {
  let settled: Promise<void> | undefined;

  async function ask(): Promise<void> {
    while (!signal.aborted) {
      const chain = await chainOfNode(client, setting, { log, signal });
      if (chain !== undefined) return settle(chain);
      await clock.sleep(ASK_AGAIN_MS, signal);
    }
    signal.throwIfAborted();
  }

  async function ready(caller: AbortSignal): Promise<void> {
    settled ??= ask();
    let leave: () => void = () => {};
    const left = new Promise<void>((_, reject) => {
      leave = () => reject(caller.reason);
    });
    caller.addEventListener('abort', leave, { once: true });
    try {
      caller.throwIfAborted();
      await Promise.race([settled, left]);
    } finally {
      caller.removeEventListener('abort', leave);
    }
  }

  const holding = (held: RpcClient): RpcClient => ({
    async call(method, params, caller, weigh) {
      await ready(caller);
      return held.call(method, params, caller, weigh);
    },
    patient: () => holding(held.patient()),
    figures: held.figures,
    host: held.host,
  });
  return holding(client);
}

/** Asks for blocks without their transactions, until the time for all of them is over. */
function blockhashes(client: RpcClient, signal: AbortSignal): NonNullable<StoreChain['blockhashAt']> {
  let deadline: AbortSignal | undefined;
  const options = {
    commitment: 'confirmed',
    transactionDetails: 'none',
    rewards: false,
    maxSupportedTransactionVersion: 1,
  };
  return async (slot) => {
    deadline ??= AbortSignal.any([signal, AbortSignal.timeout(BLOCKS_WAIT_MS)]);
    try {
      const block = await client.call('getBlock', [slot, options], deadline);
      const hash = (block as { readonly blockhash?: unknown } | null)?.blockhash;
      return typeof hash === 'string' ? hash : undefined;
    } catch {
      // Skipped, pruned, refused, late: whatever it is, it says nothing of the chain.
      return undefined;
    }
  };
}
