import { initialSlots, type SlotEvent, type SlotGap, type SlotsState } from '../../src/sources/slot-state.ts';
import { reduceSlots } from '../../src/sources/slots.ts';
import type { ChainStep, Commitment } from '../../src/sources/source.ts';
import { ChainFollower, must } from './chain-follower.ts';

export interface SlotRun {
  readonly state: SlotsState;
  readonly steps: readonly ChainStep[];
  readonly gaps: readonly SlotGap[];
  readonly misfits: readonly number[];
  readonly follower: ChainFollower;
}

/** Feeds events to the reducer, and its steps to a follower that refuses illegal ones. */
export function runSlots(
  events: readonly SlotEvent[],
  commitment: Commitment,
  fromSlot: number | undefined,
  after: (state: SlotsState, follower: ChainFollower, heard: number) => void = () => {},
): SlotRun {
  let state = initialSlots(commitment, fromSlot);
  const follower = new ChainFollower();
  const steps: ChainStep[] = [];
  const gaps: SlotGap[] = [];
  const misfits: number[] = [];
  for (const [place, event] of events.entries()) {
    const { state: next, effects } = reduceSlots(state, event);
    state = next;
    for (const step of effects.steps) follower.follow(step);
    steps.push(...effects.steps);
    gaps.push(...effects.gaps);
    misfits.push(...effects.misfits);
    must(state.stack.join() === follower.stack.map(({ slot }) => slot).join(), 'has another stack than it gave');
    after(state, follower, place + 1);
  }
  return { state, steps, gaps, misfits, follower };
}
