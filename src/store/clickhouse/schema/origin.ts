/** The columns that say where a fact happened, and whether its whole block was there. */
export const ORIGIN = {
  slot: 'u32',
  block_index: 'u32',
  ix_index: 'u16',
  time: 'time',
  signature: 'signature',
  partial: 'bool',
} as const;
