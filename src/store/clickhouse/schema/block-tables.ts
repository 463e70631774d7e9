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
  columns: { slot: 'u32', time: 'time', tip_wallet: 'address', count: 'u32', repeated: 'u32', lamports: 'u64' },
} as const satisfies TableLayout;
