import type { AdversityPlan } from './adversity.ts';
import { KIND_SOURCES } from './source-adversity.ts';

/** Fewer than a slow restart takes: what a stream no longer has is filled by RPC. */
const REPLAY_SLOTS = 60;

/** Kind servers and a chain without forks: kills are trouble enough. */
export function calmPlan(seed: string): AdversityPlan {
  return {
    seed,
    commitment: 'confirmed',
    slots: 0,
    chain: { skipped: [], orphans: [], twins: [], dead: [], confirmAfter: [1, 3], untold: [] },
    stream: { omitted: [], repeated: [], swapped: [], troubles: [], replaySlots: REPLAY_SLOTS },
    rpc: { share: 0, pruned: [] },
    restarts: [],
    takeovers: [],
    storeOutages: [],
    sources: KIND_SOURCES,
  };
}
