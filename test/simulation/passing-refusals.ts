import type { AdversityPlan } from './adversity.ts';
import type { SimulatedNode } from './simulated-node.ts';
import type { PassingRefusal } from './source-adversity.ts';

/** Refusals that begin while the service runs, and end. */
export interface PassingRefusals {
  /** The way in which the next call is refused; undefined when it is not. */
  next(): PassingRefusal['how'] | undefined;
  /** One begins now, or is under way. */
  due(): boolean;
}

export function createPassingRefusals(
  { sources }: AdversityPlan,
  node: SimulatedNode,
  by: PassingRefusal['by'],
  isServed: () => boolean,
): PassingRefusals {
  const planned = sources.passing.filter((each) => each.by === by).map((each) => ({ ...each, left: each.calls }));
  const current = () => {
    while (planned[0]?.left === 0) planned.shift();
    const [first] = planned;
    return first !== undefined && node.headSlot >= node.firstSlot + first.at && isServed() ? first : undefined;
  };
  return {
    due: () => current() !== undefined,
    next() {
      const refusal = current();
      if (refusal !== undefined) refusal.left -= 1;
      return refusal?.how;
    },
  };
}
