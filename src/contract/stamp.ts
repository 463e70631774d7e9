const slots = new WeakMap<Uint8Array, number>();

/**
 * Marks an answer's bytes with the slot that they tell of: nothing newer is in them, and nothing is missing up to it.
 * Bytes without a mark are true at the newest slot of the moment at which they are given out, as those out of memory
 * are, which so need neither a mark nor an object around them.
 */
export function stampBody(body: Buffer, slot: number): Buffer {
  slots.set(body, slot);
  return body;
}

/** The slot that bytes were marked with; undefined without a mark. */
export function slotOfBody(body: Uint8Array): number | undefined {
  return slots.get(body);
}

/** Says that nothing is known of what was asked about, in everything up to a slot. */
export class Absence {
  readonly slot: number;

  constructor(slot: number) {
    this.slot = slot;
  }
}
