import { CURSOR_SLOT_MODULO, type SwapCursor } from '../contract/swap-cursor.ts';

/** Place of a row in the order of everything on the chain, and its time. */
export interface Place {
  readonly slot: number;
  readonly block_index: number;
  readonly ix_index: number;
  /** Unix seconds of the block. */
  readonly time: number;
}

/** Negative when `a` happened before `b`. */
export function comparePlaces(a: Omit<Place, 'time'>, b: Omit<Place, 'time'>): number {
  return a.slot - b.slot || a.block_index - b.block_index || a.ix_index - b.ix_index;
}

/**
 * Negative when the row lies before the cursor, positive when after. Times of
 * blocks never run backwards, so they decide first; slots of one second are
 * near each other, so their last digits tell their order, across the turn too.
 * A time boundary lies before everything in its second.
 */
export function compareToCursor(place: Place, cursor: SwapCursor): number {
  if (cursor.kind === 'time') return place.time < cursor.time ? -1 : 1;
  return (
    place.time - cursor.time ||
    slotDistance(place.slot, cursor.slotModulo) ||
    place.block_index - cursor.blockIndex ||
    place.ix_index - cursor.ixIndex
  );
}

function slotDistance(slot: number, slotModulo: number): number {
  const ahead = ((slot % CURSOR_SLOT_MODULO) - slotModulo + CURSOR_SLOT_MODULO) % CURSOR_SLOT_MODULO;
  return ahead >= CURSOR_SLOT_MODULO / 2 ? ahead - CURSOR_SLOT_MODULO : ahead;
}
