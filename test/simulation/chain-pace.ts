import type { AdversityPlan } from './adversity.ts';
import { newestShown } from './feed-mirror.ts';
import type { ServiceLife } from './service-life.ts';
import type { SimulatedNode } from './simulated-node.ts';

/** Pace of a campaign's chain. */
export interface ChainPace {
  /** Ours, until the next slot. */
  slotMs(): number;
  /** Once the trouble is over the chain does not run away from who asks for each block. */
  isOutrun(): boolean;
}

/** Ours, from one slot to the next. */
export const SLOT_MS = 10;
/** Slots after which the chain all but waits for the first commit: trouble that nobody is there to see is none. */
const EARLY_SLOTS = 12;
const EARLY_SLOT_MS = 250;
/** The same once the trouble is over and we wait for the service alone: making blocks would take its time. */
const CALM_SLOT_MS = 50;
/** Slots that the chain may be ahead of the service then. */
const MAX_OUTRUN_SLOTS = 16;

/** The slot behind which nothing goes wrong any more. */
export function lastTroubleOf(plan: AdversityPlan, node: SimulatedNode): number {
  return node.firstSlot + plan.slots;
}

export function createChainPace(
  plan: AdversityPlan,
  node: SimulatedNode,
  service: { readonly life: () => ServiceLife | undefined; readonly hasCommitted: () => boolean },
): ChainPace {
  const lastTrouble = lastTroubleOf(plan, node);
  return {
    slotMs() {
      if (node.headSlot > lastTrouble) return CALM_SLOT_MS;
      const isEarly = !service.hasCommitted() && node.headSlot >= node.firstSlot + EARLY_SLOTS;
      return isEarly ? EARLY_SLOT_MS : SLOT_MS;
    },
    isOutrun() {
      const life = service.life();
      if (plan.sources.source !== 'rpc' || node.headSlot <= lastTrouble || life === undefined) return false;
      return node.confirmedSlot - newestShown(life.mirror) > MAX_OUTRUN_SLOTS;
    },
  };
}
