/** How a cluster counts its epochs. */
export interface EpochRule {
  readonly slotsPerEpoch: number;
  /** Of a cluster that began with shorter epochs, each twice as long as the one before: the first of full length. */
  readonly firstNormalEpoch: number;
  readonly firstNormalSlot: number;
}

export interface EpochSpan {
  readonly epoch: number;
  readonly firstSlot: number;
  readonly slots: number;
}

/** Slots of the first epoch of a cluster that began with short ones. */
const SHORTEST_EPOCH = 32;

/** The epoch that a slot is in. */
export function epochAt(rule: EpochRule, slot: number): EpochSpan {
  const { slotsPerEpoch, firstNormalEpoch, firstNormalSlot } = rule;
  if (slot >= firstNormalSlot) {
    const beyond = Math.floor((slot - firstNormalSlot) / slotsPerEpoch);
    const firstSlot = firstNormalSlot + beyond * slotsPerEpoch;
    return { epoch: firstNormalEpoch + beyond, firstSlot, slots: slotsPerEpoch };
  }
  let span = { epoch: 0, firstSlot: 0, slots: SHORTEST_EPOCH };
  while (slot >= span.firstSlot + span.slots)
    span = { epoch: span.epoch + 1, firstSlot: span.firstSlot + span.slots, slots: span.slots * 2 };
  return span;
}

/** Whether a span holds a slot. */
export function isWithin({ firstSlot, slots }: EpochSpan, slot: number): boolean {
  return slot >= firstSlot && slot < firstSlot + slots;
}
