import { setImmediate } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { type Logger, silentLogger } from '../../src/kernel/log.ts';
import { createLeaders, type Leaders } from '../../src/leaders/leaders.ts';
import { createNetwork, type Network } from '../../src/simulator/network/network.ts';
import { createHandClock } from './hand-clock.ts';
import { createMemoryLeaderStore, createNetworkNode } from './memory-leaders.ts';

export interface LeaderWorld {
  readonly network: Network;
  /** Where service and node are. */
  readonly slot: number;
  readonly store?: ReturnType<typeof createMemoryLeaderStore>;
  readonly hasNode?: boolean;
  readonly hasBlocks?: boolean;
  /** Where the node is when it is elsewhere. */
  readonly nodeSlot?: number;
}

/** Followed leaders, by a clock that is turned by hand. `running` takes in whoever has to be stopped. */
function createLeaderWorld(
  { network, slot, nodeSlot, store = createMemoryLeaderStore(), hasNode = true, hasBlocks = true }: LeaderWorld,
  running: Leaders[],
) {
  const clock = createHandClock();
  const state = { slot, nodeSlot };
  const node = createNetworkNode(network, () => state.nodeSlot ?? state.slot);
  const codes: string[] = [];
  const note = (fields: { code?: string; oddity?: { code: string } }) =>
    void codes.push(fields.code ?? fields.oddity?.code ?? '');
  const log: Logger = Object.assign(Object.create(silentLogger), { warn: note, info: note });
  const start = () => {
    const deps = { node: hasNode ? node : undefined, store, head: () => (hasBlocks ? state.slot : 0), clock, log };
    const leaders = createLeaders(deps);
    running.push(leaders);
    return leaders;
  };
  /** Lets seconds pass, and what is asked meanwhile be answered. */
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      await clock.advance(1_000);
      for (let turn = 0; turn < 8; turn += 1) await setImmediate();
    }
  }
  return { clock, state, node, store, codes, start, pass };
}

const EPOCH = 400;

/** Worlds of one small network, about a hundred slots into its epoch 1,000. Whatever is started in them ends with each test. */
export function useLeaderWorlds() {
  const network = createNetwork({ seed: 'leaders', slotsPerEpoch: EPOCH, sign: false });
  const firstSlot = EPOCH * 1_000;
  const running: Leaders[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((leaders) => leaders.stop()));
  });
  return {
    network,
    slotsPerEpoch: EPOCH,
    /** Of epoch 1,000. */
    firstSlot,
    world: (options: Partial<LeaderWorld> = {}) =>
      createLeaderWorld({ network, slot: firstSlot + 100, ...options }, running),
    identityAt: (slot: number) => network.leaderOf(slot).identity.address,
  };
}

/** How often a node was asked for something. */
export function timesAsked(calls: readonly string[], method: string): number {
  return calls.filter((each) => each === method).length;
}
