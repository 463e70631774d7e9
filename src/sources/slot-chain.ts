import type { SlotDraft } from './slot-draft.ts';
import {
  MAX_HELD_BLOCKS,
  MAX_HELD_BYTES,
  MAX_OPEN_SLOTS,
  MAX_UNCONFIRMED_BLOCKS,
  MAX_WAITING_BLOCKS,
  type OpenSlot,
} from './slot-state.ts';

/** Gives whatever can be given now: first what is confirmed, then, where processed blocks are wanted, what stands on it. */
export function advance(draft: SlotDraft): void {
  settleConfirmed(draft);
  while (isWaitingTooLong(draft)) giveUpOldest(draft);
  if (draft.commitment === 'processed') extend(draft);
}

/** Keeps the window within its bounds; what has to go is what is least likely to be needed. */
export function trim(draft: SlotDraft): void {
  for (let held = draft.held(); isTooMuch(held); held = draft.held()) {
    // A block that was given is kept only for the case that its fork is withdrawn and wins after all.
    const spare = held.find(({ slot }) => draft.stack.includes(slot));
    const oldest = draft.oldestConfirmed();
    if (spare !== undefined) dropBlock(draft, spare);
    else if (oldest !== undefined && oldest.block === undefined) giveUpOldest(draft);
    else dropBlock(draft, held[0]!);
  }
  while (draft.openCount > MAX_OPEN_SLOTS) {
    if (draft.settled !== undefined && draft.oldestConfirmed() !== undefined) giveUpOldest(draft);
    else draft.forget(draft.sorted(({ slot }) => !draft.stack.includes(slot))[0]!.slot);
  }
}

/** Goes up the confirmed slots for as long as each one's block is here and stands on what is settled. */
function settleConfirmed(draft: SlotDraft): void {
  if (draft.settled === undefined) return;
  let confirmedUpTo: number | undefined;
  const tellConfirmed = () => {
    if (confirmedUpTo !== undefined) draft.step({ kind: 'confirmed', slot: confirmedUpTo });
    confirmedUpTo = undefined;
  };
  for (let next = draft.oldestConfirmed(); next !== undefined; next = draft.oldestConfirmed()) {
    if (draft.stack[0] === next.slot) {
      draft.stack.shift();
      confirmedUpTo = next.slot;
      draft.settle(next.slot);
      continue;
    }
    tellConfirmed();
    withdrawForks(draft, next);
    // All ancestors it is known to have are confirmed, and it is the oldest of those: this is a link to what is settled.
    if (next.block === undefined || next.parent === undefined || next.parent > draft.settled) break;
    if (next.parent === draft.settled && !isOnSettledVersion(draft, next)) draft.misfit();
    draft.step({ kind: 'block', block: next.block, confirmed: true });
    draft.settle(next.slot);
  }
  tellConfirmed();
}

/**
 * Withdraws blocks given past or beside a confirmed slot, which are on another fork. A block below it may be an
 * ancestor while its link is unknown.
 */
function withdrawForks(draft: SlotDraft, confirmed: OpenSlot): void {
  const isLinked = confirmed.parent !== undefined && confirmed.parent <= draft.settled!;
  draft.withdrawAbove(isLinked ? draft.settled! : confirmed.slot);
}

function isWaitingTooLong(draft: SlotDraft): boolean {
  const oldest = draft.oldestConfirmed();
  if (oldest === undefined || draft.settled === undefined) return false;
  return draft.held().filter(({ confirmed, slot }) => confirmed && slot > oldest.slot).length > MAX_WAITING_BLOCKS;
}

/** Nothing shows that what lies unconfirmed below a missing block was on its chain, so it does not stay. */
function giveUpOldest(draft: SlotDraft): void {
  draft.withdrawAbove(draft.settled!);
  draft.giveUp(draft.oldestConfirmed()!.slot, true);
  settleConfirmed(draft);
}

/** Stacks unconfirmed blocks on the newest one given, along one fork. */
function extend(draft: SlotDraft): void {
  // A confirmed slot that could not be settled lacks its block: what else there is either stands on it or is forked.
  if (draft.settled === undefined || draft.oldestConfirmed() !== undefined) return;
  const candidates = draft.held().filter(({ dead, slot }) => !dead && !draft.stack.includes(slot));
  for (const each of candidates) {
    if (draft.stack.length >= MAX_UNCONFIRMED_BLOCKS) return;
    if (!isNext(draft, each)) continue;
    draft.stack.push(each.slot);
    draft.step({ kind: 'block', block: each.block!, confirmed: false });
  }
}

/** Candidates come in slot order and a child after its parent, so one pass over them finds the whole fork. */
function isNext(draft: SlotDraft, each: OpenSlot): boolean {
  const { slot, parent, parentBlockhash } = each;
  if (parent === undefined || parent >= slot) return false;
  const top = draft.stack.at(-1);
  if (top !== undefined) return parent === top && isSameVersion(parentBlockhash, draft.get(top).blockhash);
  return draft.isSettledOnChain
    ? parent === draft.settled && isOnSettledVersion(draft, each)
    : parent <= draft.settled!;
}

function isOnSettledVersion({ settledBlockhash }: SlotDraft, { parentBlockhash }: OpenSlot): boolean {
  return isSameVersion(parentBlockhash, settledBlockhash);
}

/** As far as both are known. */
function isSameVersion(named: string | undefined, given: string | undefined): boolean {
  return named === undefined || given === undefined || named === given;
}

function isTooMuch(held: readonly OpenSlot[]): boolean {
  return held.length > MAX_HELD_BLOCKS || held.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_HELD_BYTES;
}

function dropBlock(draft: SlotDraft, slot: OpenSlot): void {
  draft.set({ ...slot, block: undefined, bytes: 0 });
}
