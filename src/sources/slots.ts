import { advance, trim } from './slot-chain.ts';
import { SlotDraft } from './slot-draft.ts';
import type { SlotEffects, SlotEvent, SlotsState } from './slot-state.ts';

/**
 * The life of recent slots: what was heard, in whatever order, repeated or
 * with parts missing, becomes the steps of one chain. With commitment
 * `confirmed` the source sends blocks once they are confirmed; with
 * `processed` it sends all forks, and slot statuses tell which one is the
 * chain. Of two versions of one slot, told apart by blockhash, the later one
 * counts until children tell which one was confirmed. Pure: no clock, no I/O.
 */
export function reduceSlots(
  state: SlotsState,
  event: SlotEvent,
): { readonly state: SlotsState; readonly effects: SlotEffects } {
  const draft = new SlotDraft(state);
  switch (event.kind) {
    case 'block':
      hearBlock(draft, event);
      break;
    case 'status':
      hearStatus(draft, event);
      break;
    case 'unavailable':
      hearUnavailable(draft, event.before);
      break;
  }
  advance(draft);
  trim(draft);
  return draft.finish();
}

function hearBlock(draft: SlotDraft, { block, bytes }: Extract<SlotEvent, { kind: 'block' }>): void {
  const { slot, parentSlot: parent, parentBlockhash, blockhash } = block;
  if (draft.settled === undefined) draft.begin(Math.min(parent, slot - 1));
  const known = draft.get(slot);
  const isGiven = draft.stack.includes(slot);
  const isSame = known.blockhash === blockhash;
  if (
    slot <= draft.settled! ||
    known.refused.includes(blockhash) ||
    (known.wanted !== undefined && known.wanted !== blockhash) ||
    (isSame && (isGiven || known.block !== undefined))
  ) {
    draft.counts.dropped += 1;
    return;
  }
  // A node that has to replace a slot's block sends the right one after the wrong one.
  if (!isSame) draft.refuse(slot);
  draft.set({ ...draft.get(slot), parent, parentBlockhash, blockhash, block, bytes, built: true });
  if (known.confirmed || draft.commitment === 'confirmed') draft.confirm(slot);
}

function hearStatus(draft: SlotDraft, { slot, parent, status }: Extract<SlotEvent, { kind: 'status' }>): void {
  const isConfirmed = status === 'confirmed' || status === 'finalized';
  if (status === 'finalized') draft.finalized = Math.max(draft.finalized ?? slot, slot);
  if (status === 'unknown' || slot <= (draft.settled ?? -1)) return;
  const known = draft.get(slot);
  draft.set({
    ...known,
    // A block's own word on its parent counts more.
    parent: known.blockhash === undefined ? (parent ?? known.parent) : known.parent,
    built: known.built || isConfirmed || status === 'processed' || status === 'created_bank' || status === 'completed',
  });
  if (status === 'dead') hearDead(draft, slot);
  if (isConfirmed || known.confirmed) draft.confirm(slot);
}

/**
 * The version that is here is refused. Another one may come in its place; as a
 * status does not name its version, it waits until it is confirmed, and a death
 * heard again (as streams that start over tell it) is not its own.
 */
function hearDead(draft: SlotDraft, slot: number): void {
  const known = draft.get(slot);
  if (known.confirmed || known.dead) return;
  draft.refuse(slot);
  draft.set({ ...draft.get(slot), dead: true });
}

/** Gives up on blocks that were given unconfirmed: no event will tell any more whether they are on the chain. */
function hearUnavailable(draft: SlotDraft, before: number): void {
  if (draft.settled === undefined || before - 1 <= draft.settled) return;
  draft.withdrawAbove(draft.settled);
  draft.giveUp(before - 1, false);
}
