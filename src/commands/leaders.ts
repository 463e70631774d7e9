import type { Config } from '../config.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { ClusterNode } from '../leaders/cluster-reads.ts';
import { createLeaderStore } from '../leaders/leader-store.ts';
import { createLeaders, type Leaders } from '../leaders/leaders.ts';
import { createNetwork } from '../simulator/network/network.ts';
import { answerNetwork } from '../simulator/network/network-rpc.ts';
import type { RpcClient } from '../sources/json-rpc.ts';
import { FIRST_SIMULATED_SLOT } from '../sources/simulator.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';

export interface OpenLeadersDeps {
  readonly client: StoreClient;
  /** Undefined when there is no node to ask. */
  readonly rpc: RpcClient | undefined;
  readonly feed: { readonly headSlot: number; readonly committedSlot: number };
  readonly clock: Clock;
  readonly log: Logger;
}

/** Starts to follow who leads: by the node of the chain, or by the network that a simulated chain is made by. */
export function openLeaders(
  config: Pick<Config, 'source' | 'simulatorSeed'>,
  { client, rpc, feed, clock, log }: OpenLeadersDeps,
): Leaders {
  const head = () => Math.max(feed.headSlot, feed.committedSlot);
  const node = config.source === 'simulator' ? simulatedNode(String(config.simulatorSeed), head) : rpc?.patient();
  const store = createLeaderStore(client, () => Math.floor(clock.now() / 1_000));
  return createLeaders({ node, store, head, clock, log });
}

/** A node of the simulated chain's network. */
function simulatedNode(seed: string, head: () => number): ClusterNode {
  const network = createNetwork({ seed });
  return {
    async call(method, params) {
      const answer = answerNetwork(network, head() || FIRST_SIMULATED_SLOT, method, params);
      if (answer === undefined) throw new Error(`the simulated network does not answer ${method}`);
      return answer.result;
    },
  };
}
