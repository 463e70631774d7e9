import { describe, expect, it } from 'vitest';
import { makeBlock } from '../../test/support/slot-history.ts';
import { runSlots } from '../../test/support/slot-run.ts';
import { MAX_REFUSED_VERSIONS, MAX_WAITING_BLOCKS, type SlotEvent } from './slot-state.ts';
import type { ChainStep } from './source.ts';

const version = (slot: number, blockhash: string, parentBlockhash?: string, parent = slot - 1): SlotEvent => ({
  kind: 'block',
  block: makeBlock(slot, parent, blockhash, parentBlockhash),
  bytes: 1,
});
const confirmed = (slot: number): SlotEvent => ({ kind: 'status', slot, parent: undefined, status: 'confirmed' });
const brief = (steps: readonly ChainStep[]) =>
  steps.map((step) => {
    if (step.kind !== 'block') return `${step.kind} ${step.slot}`;
    return `${step.confirmed ? 'block' : 'unconfirmed'} ${step.block.slot}/${step.block.blockhash}`;
  });

describe('of two versions of one slot', () => {
  const base = [version(101, 'a'), version(102, 'x', 'a')];

  it('the one counts that a confirmed child names, though the other one is here', () => {
    const { steps, state, gaps } = runSlots(
      [...base, version(103, 'b', 'y'), confirmed(103), version(102, 'x', 'a'), version(102, 'y', 'a')],
      'processed',
      101,
    );
    expect(brief(steps)).toEqual([
      'unconfirmed 101/a',
      'unconfirmed 102/x',
      'withdrawn 102',
      'confirmed 101',
      'block 102/y',
      'block 103/b',
    ]);
    expect(gaps).toEqual([]);
    expect(state.counts).toMatchObject({ dropped: 1, missing: 0 });
  });

  it('the one that was confirmed is the one that its children name, where the other has none', () => {
    const events = [...base, version(103, 'b', 'y'), confirmed(102)];
    const { steps } = runSlots([...events, version(102, 'y', 'a')], 'processed', 101);
    expect(brief(steps).slice(2)).toEqual(['withdrawn 102', 'confirmed 101', 'block 102/y', 'unconfirmed 103/b']);
    // A child of what was replaced says nothing, nor one beside a child of what is here.
    const replaced = [...base, version(103, 'b', 'x'), version(102, 'y', 'a'), confirmed(102)];
    expect(brief(runSlots(replaced, 'processed', 101).steps).at(-1)).toBe('confirmed 102');
    const both = [...base, version(103, 'b', 'x'), version(104, 'c', 'y', 102), confirmed(102)];
    expect(brief(runSlots(both, 'processed', 101).steps).at(-1)).toBe('confirmed 102');
  });

  it('a child stands on the one it names, and on no other', () => {
    const { steps } = runSlots([...base, version(103, 'b', 'y'), version(102, 'y', 'a')], 'processed', 101);
    expect(brief(steps).slice(2)).toEqual(['withdrawn 102', 'unconfirmed 102/y', 'unconfirmed 103/b']);
    const settled = runSlots([...base, confirmed(102), version(103, 'b', 'y')], 'processed', 101);
    expect(brief(settled.steps).at(-1)).toBe('confirmed 102');
  });

  it('the one that was replaced is let in again when a confirmed child names it', () => {
    const { steps } = runSlots(
      [...base, version(102, 'y', 'a'), version(103, 'b', 'x'), confirmed(103), version(102, 'x', 'a')],
      'processed',
      101,
    );
    expect(brief(steps).slice(-4)).toEqual(['withdrawn 102', 'confirmed 101', 'block 102/x', 'block 103/b']);
  });

  it('the wrong one is a hole rather than a confirmed block, where the right one never comes', () => {
    const behind = Array.from({ length: MAX_WAITING_BLOCKS + 1 }, (_, place) =>
      version(103 + place, `${103 + place}`, place === 0 ? 'y' : `${102 + place}`),
    );
    // It waits for what it stands on, and is not given yet.
    const { steps, gaps, misfits } = runSlots([version(102, 'x', 'a'), ...behind], 'confirmed', 101);
    expect(gaps).toEqual([
      { fromSlot: 101, toSlot: 101 },
      { fromSlot: 102, toSlot: 102 },
    ]);
    expect(brief(steps)[0]).toBe('block 103/103');
    expect(misfits).toEqual([]);
  });

  it('says so when the wrong one was confirmed before a child named the other', () => {
    const { misfits, follower } = runSlots([...base, version(103, 'b', 'y')], 'confirmed', 101);
    expect(misfits).toEqual([102]);
    expect(follower.confirmed.map(({ slot }) => slot)).toEqual([101, 102, 103]);
    expect(runSlots([...base, version(103, 'b', 'x'), version(105, 'c')], 'confirmed', 101).misfits).toEqual([]);
  });

  it('remembers few that were refused', () => {
    const many = Array.from({ length: MAX_REFUSED_VERSIONS + 5 }, (_, place) => version(102, `v${place}`, 'a'));
    const { open } = runSlots([version(101, 'a'), ...many], 'processed', 101).state;
    expect(open.get(102)?.refused).toHaveLength(MAX_REFUSED_VERSIONS);
  });
});
