import type { Address } from '../../../chain/address.ts';
import { findRange, missingRanges } from '../coverage.ts';
import { decodeRows, encodeRows } from '../schema/row-codec.ts';
import { SWAPS } from '../schema/tables.ts';
import { flushOf } from './flush-batches.ts';
import { layoutOf } from './flush-columns.ts';
import type { Flush } from './outbox.ts';
import type { SlotIndex } from './slot-index.ts';
import { encodeStale, marksOfAnySlot } from './stale-positions.ts';

/** States that others may have moved on since: swaps and movements say what they are now. */
const STATES: ReadonlySet<string> = new Set(['positions', 'holdings', 'stale_positions']);

/**
 * The part of a flush that the store still lacks, after the flush was left in an outbox while somebody else wrote:
 * under a new name, without the slots that are whole by now, and with marks in the place of positions and holdings. Undefined when
 * the store lacks nothing.
 */
export function lackingOf(
  flush: Flush,
  slotIndex: Pick<SlotIndex, 'coverage' | 'partialSlots'>,
  newestMark: number,
): Flush | undefined {
  const closes = flush.closes.flatMap((range) => missingRanges(slotIndex.coverage, range));
  const isCovered = (slot: number) => findRange(slotIndex.coverage, slot) !== undefined;
  const parts = flush.partialSlots.filter((slot) => !isCovered(slot));
  // Single transactions of a slot that has some already may be there: not twice is what is promised of them.
  const partialSlots = parts.filter((slot) => !slotIndex.partialSlots.has(slot));
  const lacks = new Set(partialSlots);
  const isLacking = (row: FactOfSlot) => (row.partial === true ? lacks.has(row.slot) : !isCovered(row.slot));
  const tables = flush.tables
    .filter(({ table }) => !STATES.has(table))
    .flatMap((table) => {
      const layout = layoutOf(table);
      const rows = (decodeRows(layout, table.bytes) as unknown as FactOfSlot[]).filter(isLacking);
      if (rows.length === 0) return [];
      return [{ ...table, ...encodeRows(layout, rows as never) }];
    });
  if (closes.length === 0 && tables.length === 0 && parts.length === 0) return undefined;
  const slots = [...closes.map(({ last }) => last), ...parts];
  const marks = marksOfAnySlot(
    movedMints(flush),
    slots.reduce((a, b) => Math.max(a, b), 0),
    newestMark,
  );
  if (closes.length === 0 && tables.length === 0 && marks.length === 0) return undefined;
  const marked = marks.length === 0 ? [] : flushOf(new Map([['stale_positions', encodeStale(marks, false)]])).tables;
  return { ...flushOf(new Map()), closes, partialSlots, tables: [...tables, ...marked] };
}

/**
 * Mints of which the flush moves a wallet, or says that wallets have to be folded again. Any of its tables may be in the
 * store and any other not, whatever becomes of its slots: only a new fold is right for all of these.
 */
function movedMints({ tables }: Flush): ReadonlySet<Address> {
  const mints = new Set<Address>();
  for (const table of tables) {
    if (table.table !== SWAPS.name && !STATES.has(table.table)) continue;
    const rows = decodeRows(layoutOf(table), table.bytes) as unknown as { mint: Address; done?: boolean }[];
    for (const { mint, done } of rows) if (done !== true) mints.add(mint);
  }
  return mints;
}

interface FactOfSlot {
  readonly slot: number;
  readonly partial?: boolean;
}
