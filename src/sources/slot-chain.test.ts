import { describe, expect, it } from 'vitest';
import { eventSlot, makeBlock } from '../../test/support/slot-history.ts';
import { runSlots } from '../../test/support/slot-run.ts';
import type { SlotStatus } from '../chain/geyser/geyser-protobuf.ts';
import {
  initialSlots,
  MAX_FATES,
  MAX_HELD_BLOCKS,
  MAX_HELD_BYTES,
  MAX_OPEN_SLOTS,
  MAX_UNCONFIRMED_BLOCKS,
  MAX_WAITING_BLOCKS,
  nextSlot,
  type SlotEvent,
  type SlotsState,
  slotFate,
} from './slot-state.ts';
import { reduceSlots } from './slots.ts';
import type { ChainStep } from './source.ts';

const name = ({ slot, blockhash }: { slot: number; blockhash: string }) => `${slot}/${blockhash}`;
const blockEvent = (slot: number, parent = slot - 1, blockhash?: string, bytes = 1): SlotEvent => ({
  kind: 'block',
  block: makeBlock(slot, parent, blockhash),
  bytes,
});
const statusEvent = (slot: number, status: SlotStatus, parent?: number): SlotEvent => ({
  kind: 'status',
  slot,
  parent,
  status,
});
const brief = (steps: readonly ChainStep[]) =>
  steps.map((step) => {
    if (step.kind !== 'block') return `${step.kind} ${step.slot}`;
    return `${step.confirmed ? 'block' : 'unconfirmed'} ${name(step.block)}`;
  });

describe('a stream that starts', () => {
  it('takes the first block as it is when there is no place to start from', () => {
    const { steps, state } = runSlots([statusEvent(3, 'confirmed'), blockEvent(7)], 'confirmed', undefined);
    expect(brief(steps)).toEqual(['block 7/7']);
    expect(nextSlot(state)).toBe(8);
    expect(nextSlot(initialSlots('confirmed', undefined))).toBeUndefined();
  });

  it('begins at a slot that may have been skipped, and gives nothing from before it', () => {
    const { steps } = runSlots([blockEvent(99), blockEvent(102, 98), blockEvent(103)], 'processed', 100);
    expect(brief(steps)).toEqual(['unconfirmed 102/102', 'unconfirmed 103/103']);
  });
});

describe('a fork', () => {
  it('is left when another one is confirmed, whose blocks were kept', () => {
    const events = [
      blockEvent(101),
      blockEvent(102),
      blockEvent(103, 101),
      blockEvent(104, 103),
      statusEvent(102, 'processed'),
      statusEvent(103, 'confirmed'),
    ];
    const { steps, state } = runSlots(events, 'processed', 101);
    expect(brief(steps)).toEqual([
      'unconfirmed 101/101',
      'unconfirmed 102/102',
      'confirmed 101',
      'withdrawn 102',
      'block 103/103',
      'unconfirmed 104/104',
    ]);
    expect(slotFate(state, 102)).toBe('forked');
    expect(slotFate(state, 103)).toBe('confirmed');
    expect(slotFate(state, 104)).toBe('processed');
    expect(slotFate(reduceSlots(state, statusEvent(101, 'finalized')).state, 101)).toBe('finalized');
  });

  it('is left when its slot is dead, with what stands on it; what was kept beside it follows', () => {
    const events = [blockEvent(101), blockEvent(102), blockEvent(103), blockEvent(104, 101), statusEvent(102, 'dead')];
    const { steps } = runSlots([...events, blockEvent(102), blockEvent(105, 103)], 'processed', 101);
    expect(brief(steps).slice(3)).toEqual(['withdrawn 103', 'withdrawn 102', 'unconfirmed 104/104']);
  });

  it('of two versions of one slot follows the later one', () => {
    const events = [blockEvent(101), blockEvent(102, 101, 'x'), blockEvent(103), blockEvent(102, 101, 'y')];
    const { steps } = runSlots([...events, blockEvent(102, 101, 'x'), statusEvent(103, 'confirmed')], 'processed', 101);
    expect(brief(steps).slice(2)).toEqual([
      'unconfirmed 103/103',
      'withdrawn 103',
      'withdrawn 102',
      'unconfirmed 102/y',
      'unconfirmed 103/103',
      'confirmed 103',
    ]);
  });

  it('waits for its confirmation where its slot was dead before', () => {
    const events = [blockEvent(101, 100, 'x'), statusEvent(101, 'dead'), blockEvent(101, 100, 'y'), blockEvent(102)];
    // A stream that starts over tells everything once more.
    const { steps } = runSlots([...events, ...events, statusEvent(101, 'confirmed')], 'processed', 101);
    expect(brief(steps)).toEqual(['unconfirmed 101/x', 'withdrawn 101', 'block 101/y', 'unconfirmed 102/102']);
  });
});

describe('what never comes', () => {
  it('is waited for as long as few blocks wait behind it, then it is a hole', () => {
    const behind = Array.from({ length: MAX_WAITING_BLOCKS + 1 }, (_, place) => blockEvent(103 + place));
    const { gaps, steps } = runSlots([blockEvent(100), ...behind.slice(0, -1)], 'confirmed', 100);
    expect(gaps).toEqual([]);
    expect(brief(steps)).toEqual(['block 100/100']);
    const all = runSlots([blockEvent(100), ...behind], 'confirmed', 100);
    expect(all.gaps).toEqual([{ fromSlot: 101, toSlot: 102 }]);
    expect(brief(all.steps).slice(0, 2)).toEqual(['block 100/100', 'block 103/103']);
    expect(all.follower.confirmed).toHaveLength(MAX_WAITING_BLOCKS + 2);
    expect(all.state.counts.missing).toBe(1);
  });

  it('is not waited for when the endpoint says that it has nothing before a slot', () => {
    const events: SlotEvent[] = [blockEvent(100), blockEvent(101), { kind: 'unavailable', before: 150 }];
    const { gaps, steps } = runSlots(
      [statusEvent(100, 'confirmed'), ...events, blockEvent(152, 140)],
      'processed',
      100,
    );
    expect(brief(steps)).toEqual(['block 100/100', 'unconfirmed 101/101', 'withdrawn 101', 'unconfirmed 152/152']);
    expect(gaps).toEqual([{ fromSlot: 101, toSlot: 149 }]);
  });

  it('does not keep what may be on another fork: only links show what a confirmed slot stands on', () => {
    const behind = Array.from({ length: MAX_WAITING_BLOCKS + 1 }, (_, place) => blockEvent(105 + place));
    const confirmed = behind.map((event) => statusEvent(eventSlot(event), 'confirmed'));
    const { steps } = runSlots([blockEvent(101), ...behind, ...confirmed], 'processed', 101);
    expect(brief(steps).slice(0, 3)).toEqual(['unconfirmed 101/101', 'withdrawn 101', 'block 105/105']);
  });

  it('stops at what may be unconfirmed when confirmations stop, and goes on with them', () => {
    const blocks = Array.from({ length: MAX_UNCONFIRMED_BLOCKS + 10 }, (_, place) => blockEvent(101 + place));
    const { state, steps } = runSlots(blocks, 'processed', 101);
    expect(steps).toHaveLength(MAX_UNCONFIRMED_BLOCKS);
    expect(brief(reduceSlots(state, statusEvent(105, 'confirmed')).effects.steps)).toEqual([
      'confirmed 105',
      ...[357, 358, 359, 360, 361].map((slot) => `unconfirmed ${slot}/${slot}`),
    ]);
  });
});

describe('what is kept', () => {
  const held = ({ open }: SlotsState) => [...open.values()].filter(({ block }) => block !== undefined);

  it('is bounded in blocks and in bytes, the oldest that were given first', () => {
    const many = Array.from({ length: MAX_HELD_BLOCKS + 5 }, (_, place) => blockEvent(101 + place));
    expect(held(runSlots(many, 'processed', 101).state).map(({ slot }) => slot)[0]).toBe(106);
    const large = [101, 102, 103].map((slot) => blockEvent(slot, slot - 1, undefined, MAX_HELD_BYTES / 2));
    expect(held(runSlots(large, 'processed', 101).state).map(({ slot }) => slot)).toEqual([102, 103]);
  });

  it('makes a hole of what is missing rather than go beyond the bound', () => {
    const large = [103, 104, 105].map((slot) => blockEvent(slot, slot - 1, undefined, MAX_HELD_BYTES / 2));
    const { gaps, steps } = runSlots([blockEvent(101), ...large], 'confirmed', 101);
    expect(gaps).toEqual([{ fromSlot: 102, toSlot: 102 }]);
    expect(brief(steps)).toEqual(['block 101/101', 'block 103/103', 'block 104/104', 'block 105/105']);
  });

  it('is bounded in slots too, whatever statuses say', () => {
    for (const status of ['confirmed', 'processed'] as const) {
      const statuses = Array.from({ length: MAX_OPEN_SLOTS + 50 }, (_, place) => statusEvent(200 + place, status));
      for (const fromSlot of [101, undefined]) {
        expect(runSlots(statuses, 'processed', fromSlot).state.open.size).toBe(MAX_OPEN_SLOTS);
      }
    }
    const chain = Array.from({ length: MAX_FATES + 50 }, (_, place) => blockEvent(101 + place));
    expect(runSlots(chain, 'confirmed', 101).state.fates.size).toBe(MAX_FATES);
  });

  it('outlives links that lead nowhere', () => {
    const odd = [blockEvent(101, 500), blockEvent(102, 102), blockEvent(103, 101), statusEvent(104, 'confirmed', 104)];
    const right = Array.from({ length: 40 }, (_, place) => blockEvent(105 + place));
    for (const commitment of ['confirmed', 'processed'] as const) {
      const confirmed = right.map((event) => statusEvent(eventSlot(event), 'confirmed'));
      const { follower } = runSlots([...odd, ...right, ...confirmed], commitment, 101);
      expect(follower.confirmed.at(-1)?.slot).toBe(144);
    }
  });
});
