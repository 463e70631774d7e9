import type { TableLayout } from './table-layout.ts';

export const BLOCKS = {
  name: 'blocks',
  columns: {
    slot: 'u32',
    blockhash: 'string',
    parent_slot: 'u32',
    time: 'time',
    transactions: 'u32',
    failed: 'u32',
    votes: 'u32',
    swaps: 'u32',
    attempts: 'u32',
    fees: 'u64',
    priority_fees: 'u64',
    tips: 'u64',
  },
} as const satisfies TableLayout;

export const SLOT_TIPS = {
  name: 'slot_tips',
  columns: {
    slot: 'u32',
    time: 'time',
    tip_wallet: 'address',
    count: 'u32',
    repeated: 'u32',
    lamports: 'u64',
    /** The largest that a transaction of `sizes` tipped the provider. */
    largest: 'u64',
    /**
     * What each of `count` but for `repeated` tipped the provider, to three digits (`kernel/three-digits.ts`): two bytes
     * each, the low one first, ascending. Kept since the 66th migration: empty, as `largest` is 0, in rows from before.
     */
    sizes: 'bytes',
  },
} as const satisfies TableLayout;
