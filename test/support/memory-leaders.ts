import { isWithin } from '../../src/chain/epochs.ts';
import type { ClusterNode } from '../../src/leaders/cluster-reads.ts';
import type { Validator } from '../../src/leaders/epoch-schedule.ts';
import type { LeaderStore } from '../../src/leaders/leader-store.ts';
import type { StoredEpoch } from '../../src/leaders/turn-rows.ts';
import type { Network } from '../../src/simulator/network/network.ts';
import { answerNetwork } from '../../src/simulator/network/network-rpc.ts';

export interface MemoryLeaderStore extends LeaderStore {
  readonly epochs: Map<number, StoredEpoch>;
  readonly rows: Map<number, Map<string, Validator>>;
  /** Rows written so far, those written again too. */
  written: number;
  /** It answers nothing. */
  isAway: boolean;
}

/** A store of schedules and validators without a database. */
export function createMemoryLeaderStore(): MemoryLeaderStore {
  const epochs = new Map<number, StoredEpoch>();
  const rows = new Map<number, Map<string, Validator>>();
  const answer = <T>(ask: () => T): Promise<T> =>
    store.isAway ? Promise.reject(new Error('the store is away')) : Promise.resolve(ask());
  const at = (slot: number) => [...epochs.values()].find(({ span }) => isWithin(span, slot));
  /** The last epoch up to this one of which there are rows, else the first one behind it. */
  const seenIn = (epoch: number): number | undefined => {
    const before = [...rows.keys()].filter((each) => each <= epoch);
    return before.length > 0 ? Math.max(...before) : [...rows.keys()].sort((a, b) => a - b)[0];
  };
  const known = (epoch: number) => rows.get(seenIn(epoch) ?? epoch);
  const store: MemoryLeaderStore = {
    epochs,
    rows,
    written: 0,
    isAway: false,
    epochAt: (slot) => answer(() => at(slot)),
    saveSchedule: (epoch) => answer(() => void epochs.set(epoch.span.epoch, epoch)),
    validators: (epoch) => answer(() => ({ epoch: seenIn(epoch), validators: [...(known(epoch)?.values() ?? [])] })),
    saveValidators: (epoch, validators) =>
      answer(() => {
        const kept = rows.get(epoch) ?? new Map();
        rows.set(epoch, kept);
        for (const validator of validators) kept.set(validator.identity, validator);
        store.written += validators.length;
      }),
    leadersOf: (slots) =>
      answer(() => {
        const found = new Map<number, Validator>();
        for (const slot of slots) {
          const stored = at(slot);
          if (stored === undefined) continue;
          const identity = stored.leaders.identities[stored.leaders.places[slot - stored.span.firstSlot]!]!;
          const bare = { identity, stake: 0n, commission: 0, isDelinquent: false };
          found.set(slot, known(stored.span.epoch)?.get(identity) ?? bare);
        }
        return found;
      }),
  };
  return store;
}

export interface NetworkNode extends ClusterNode {
  readonly calls: string[];
  /** May answer, or throw, before the network does. */
  quirk: (method: string, params: readonly unknown[], signal: AbortSignal) => unknown;
}

/** A node of a simulated network that stands at a slot. */
export function createNetworkNode(network: Network, slot: () => number): NetworkNode {
  const node: NetworkNode = {
    calls: [],
    quirk: () => undefined,
    async call(method, params, signal) {
      node.calls.push(method);
      const odd = await node.quirk(method, params, signal);
      if (odd !== undefined) return odd;
      // As it comes over a wire.
      return JSON.parse(JSON.stringify(answerNetwork(network, slot(), method, params)!.result));
    },
  };
  return node;
}
