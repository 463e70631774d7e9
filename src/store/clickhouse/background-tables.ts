import type { RowOf, TableLayout } from './table-layout.ts';

/**
 * Tables that no flush fills: background work writes them, row by row as it
 * learns, and each row may be written again.
 */

/** Who tried to buy a token in slots before it was created. */
export const MEMPOOL_BUYERS = {
  name: 'mempool_buyers',
  columns: {
    mint: 'address',
    wallet: 'address',
    symbol: 'string',
    /** The launch's signer. */
    creator: 'address',
    attempts: 'u32',
    /** From the earliest attempt to the creation. */
    slots_before: 'u32',
    /** Of the earliest attempt. */
    slot: 'u32',
    block_index: 'u32',
    ix_index: 'u16',
    time: 'time',
    /** Of the latest attempt that came too soon. */
    last_time: 'time',
    signature: 'signature',
    created_slot: 'u32',
    create_signature: 'signature',
    /** The wallet then managed to buy. */
    landed: 'bool',
  },
} as const satisfies TableLayout;

export type MempoolBuyerRow = RowOf<typeof MEMPOOL_BUYERS>;
