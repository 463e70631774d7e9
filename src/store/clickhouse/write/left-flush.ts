import type { Address } from '../../../chain/address.ts';
import { findRange, missingRanges } from '../coverage.ts';
import { decodeRows, encodeRows } from '../schema/row-codec.ts';
import { HOLDINGS } from '../schema/tables.ts';
import { flushOf } from './flush-batches.ts';
import { layoutOf } from './flush-columns.ts';
import type { Flush } from './outbox.ts';
import type { SlotIndex } from './slot-index.ts';
import { encodeStale } from './stale-positions.ts';

/** States that others may have moved on since: swaps and movements say what they are now. */
const STATES: ReadonlySet<string> = new Set(['positions', 'holdings', 'stale_positions']);

/**
 * The part of a flush that the store still lacks, after the flush was left in an outbox while somebody else wrote:
 * under a new name, without the slots that are whole by now, and with marks in the place of positions and holdings. Undefined when
 * the store lacks nothing.
 */
export function lackingOf(flush: Flush, slotIndex: SlotIndex, newestMark: number): Flush | undefined {
  const closes = flush.closes.flatMap((range) => missingRanges(slotIndex.coverage, range));
  const isCovered = (slot: number) => findRange(slotIndex.coverage, slot) !== undefined;
  // Single transactions of a slot that has some already may be there: not twice is what is promised of them.
  const partialSlots = flush.partialSlots.filter((slot) => !isCovered(slot) && !slotIndex.partialSlots.has(slot));
  const lacks = new Set(partialSlots);
  const isLacking = (row: FactOfSlot) => (row.partial === true ? lacks.has(row.slot) : !isCovered(row.slot));
  // Movements are folded of traded mints alone: the holdings of the flush tell which.
  const mints = new Set(mintsOfLacking(flush, (slot) => lacks.has(slot) || !isCovered(slot)));
  const tables = flush.tables
    .filter(({ table }) => !STATES.has(table))
    .flatMap((table) => {
      const layout = layoutOf(table);
      const rows = (decodeRows(layout, table.bytes) as unknown as FactOfSlot[]).filter(isLacking);
      if (table.table === 'swaps') for (const { mint } of rows) mints.add(mint as Address);
      if (rows.length === 0) return [];
      return [{ ...table, ...encodeRows(layout, rows as never) }];
    });
  if (closes.length === 0 && tables.length === 0) return undefined;
  const slot = closes[0]?.first ?? partialSlots[0] ?? 0;
  const stale = [...mints].map((mint, place) => ({ mint, mark: newestMark + 1 + place, slot }));
  const marks = stale.length === 0 ? [] : flushOf(new Map([['stale_positions', encodeStale(stale, false)]])).tables;
  return { ...flushOf(new Map()), closes, partialSlots, tables: [...tables, ...marks] };
}

function* mintsOfLacking({ tables }: Flush, isLacking: (slot: number) => boolean): Generator<Address> {
  for (const table of tables) {
    if (table.table !== HOLDINGS.name) continue;
    for (const { mint, slot } of decodeRows<typeof HOLDINGS>(HOLDINGS, table.bytes)) if (isLacking(slot)) yield mint;
  }
}

interface FactOfSlot {
  readonly slot: number;
  readonly partial?: boolean;
  readonly mint?: string;
}
