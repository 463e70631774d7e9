import { describe, expect, it } from 'vitest';
import { must } from '../../test/support/chain-follower.ts';
import { extent } from '../../test/support/extent.ts';
import { eventSlot, FIRST_SLOT, makeSlotHistory, type SlotHistory } from '../../test/support/slot-history.ts';
import { runSlots } from '../../test/support/slot-run.ts';
import type { SlotEvent } from './slot-state.ts';
import type { Commitment } from './source.ts';

const HISTORIES = extent(150, 500);

const name = ({ slot, blockhash }: { slot: number; blockhash: string }) => `${slot}/${blockhash}`;

/** The chain's blocks that arrived and that anything heard shows to be confirmed: by itself or by a child's known link. */
function provenBlocks({ tree, events }: SlotHistory, commitment: Commitment): string[] {
  const heard = (slot: number, test: (event: SlotEvent) => boolean) =>
    events.some((event) => eventSlot(event) === slot && test(event));
  const proven: string[] = [];
  let isChildLinked = false;
  for (const { block, canonical } of [...tree].reverse()) {
    if (!canonical) continue;
    const { slot, blockhash } = block;
    const arrived = heard(slot, (event) => event.kind === 'block' && event.block.blockhash === blockhash);
    const isConfirmed: boolean =
      isChildLinked ||
      (commitment === 'confirmed' && arrived) ||
      heard(slot, (event) => event.kind === 'status' && ['confirmed', 'finalized'].includes(event.status));
    if (arrived && isConfirmed) proven.unshift(name(block));
    isChildLinked =
      isConfirmed && (arrived || heard(slot, (event) => event.kind === 'status' && event.parent !== undefined));
  }
  return proven;
}

/** The fate that a slot must have once the chain has gone past it, from the events heard by then. */
function expectedFate({ tree, events }: SlotHistory, slot: number, heard: number): string {
  if (tree.some(({ block, canonical }) => canonical && block.slot === slot)) return 'confirmed';
  const about = events.slice(0, heard).filter((event) => eventSlot(event) === slot);
  if (about.some((event) => event.kind === 'status' && event.status === 'dead')) return 'dead';
  return about.length > 0 ? 'forked' : 'skipped';
}

describe('any history of slots', () => {
  for (const commitment of ['confirmed', 'processed'] as const) {
    it(`ends in the whole chain, each block once and in order (${commitment})`, () => {
      let withdrawn = 0;
      for (let seed = 0; seed < HISTORIES; seed += 1) {
        const history = makeSlotHistory({ seed, commitment, lost: 0, linked: seed % 2 === 1 });
        const { follower, gaps, state } = runSlots(history.events, commitment, FIRST_SLOT);
        expect(follower.confirmed.map(name), `seed ${seed}`).toEqual(
          history.tree.filter(({ canonical }) => canonical).map(({ block }) => name(block)),
        );
        expect(follower.stack).toEqual([]);
        expect(gaps).toEqual([]);
        withdrawn += state.counts.withdrawn;
      }
      // Otherwise the histories would not try what they are for.
      if (commitment === 'processed') expect(withdrawn).toBeGreaterThan(HISTORIES);
    });

    it(`with blocks and statuses lost, confirms all that came and is shown to be confirmed, and nothing else (${commitment})`, () => {
      let missing = 0;
      for (let seed = 0; seed < HISTORIES; seed += 1) {
        const history = makeSlotHistory({ seed, commitment, lost: 0.12, linked: seed % 2 === 1 });
        const { follower, state, steps } = runSlots(history.events, commitment, FIRST_SLOT);
        expect(follower.confirmed.map(name), `seed ${seed}`).toEqual(provenBlocks(history, commitment));
        expect(follower.stack).toEqual([]);
        expect(steps.filter(({ kind }) => kind === 'withdrawn')).toHaveLength(state.counts.withdrawn);
        missing += state.counts.missing;
      }
      expect(missing).toBeGreaterThan(HISTORIES);
    });
  }

  it('never has a dead slot among what it gives, from the moment that it is known to be dead', () => {
    for (let seed = 0; seed < HISTORIES; seed += 1) {
      const { events, tree } = makeSlotHistory({ seed, commitment: 'processed', lost: 0.05 });
      const dead = new Set<number>();
      const canonical = new Set(tree.filter((each) => each.canonical).map(({ block }) => block.slot));
      runSlots(events, 'processed', FIRST_SLOT, (_, { stack }, heard) => {
        const event = events[heard - 1]!;
        if (event.kind === 'status' && event.status === 'dead' && !canonical.has(event.slot)) dead.add(event.slot);
        must(!stack.some(({ slot }) => dead.has(slot)), `seed ${seed}: a dead slot stays given`);
      });
    }
  });

  it('tells skipped, dead and forked slots from confirmed ones, and counts them', () => {
    for (let seed = 0; seed < HISTORIES; seed += 1) {
      const history = makeSlotHistory({ seed, commitment: 'processed', lost: 0 });
      const expected = new Map<number, string>();
      let next = FIRST_SLOT;
      const { state } = runSlots(history.events, 'processed', FIRST_SLOT, ({ settled }, _, heard) => {
        for (; next <= settled!; next += 1) expected.set(next, expectedFate(history, next, heard));
      });
      const fates = new Map([...state.fates].filter(([slot]) => slot >= FIRST_SLOT));
      expect(
        [...fates].sort(([a], [b]) => a - b),
        `seed ${seed}`,
      ).toEqual([...expected]);
      const { counts } = state;
      for (const fate of ['skipped', 'dead', 'forked'] as const) {
        expect(counts[fate]).toBe([...expected.values()].filter((each) => each === fate).length);
      }
    }
  });
});
