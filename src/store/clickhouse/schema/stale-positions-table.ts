import type { RowOf, TableLayout } from './table-layout.ts';

/**
 * Mints whose positions have to be folded again, and those that have been: stale
 * while the newest mark is newer than the newest that is done.
 */
export const STALE_POSITIONS = {
  name: 'stale_positions',
  columns: {
    mint: 'account',
    done: 'bool',
    /** Numbers the marks of a store in the order in which they were made. */
    mark: 'u32',
    /** Slot of the swap that came late. */
    slot: 'u32',
  },
} as const satisfies TableLayout;

export type StalePositionRow = RowOf<typeof STALE_POSITIONS>;
