import { readRows, type StoreClient } from '../client.ts';
import { addRange, type Coverage, findRange, mergeRanges, newestSlot, type SlotRange } from '../coverage.ts';
import { encodeRows } from '../schema/row-codec.ts';
import type { TableLayout } from '../schema/table-layout.ts';
import { deleteRows, insertFenced, type WriterFence } from './writer-fence.ts';

const COVERAGE = { name: 'coverage', columns: { first_slot: 'u32', last_slot: 'u32' } } as const satisfies TableLayout;
const PARTIAL_SLOTS = { name: 'partial_slots', columns: { slot: 'u32' } } as const satisfies TableLayout;

/** State of the store, slot by slot: read once at the start, then kept in step with its tables. */
export interface SlotIndex {
  readonly coverage: Coverage;
  /** Slots with rows of single transactions only. */
  readonly partialSlots: ReadonlySet<number>;
  /** Newest slot that the store has rows of, 0 when it is empty. */
  readonly committedSlot: number;
  /** Notes, before their rows are written, that slots are about to have partial rows. */
  openPartial(slots: readonly number[]): Promise<void>;
  /** Notes that the partial rows of slots are gone. */
  closePartial(slots: readonly number[]): Promise<void>;
  /** After all rows of a flush were written: marks the slots it closes as whole. */
  commit(closes: readonly SlotRange[], partial: readonly number[]): Promise<void>;
}

/** `fence`: of the lease under which alone it is changed; undefined where nobody else can write. */
export async function readSlotIndex(client: StoreClient, fence?: WriterFence): Promise<SlotIndex> {
  const ranges = await readRows(client, COVERAGE, 'SELECT first_slot, last_slot FROM coverage');
  const open = await readRows(client, PARTIAL_SLOTS, 'SELECT slot FROM partial_slots');
  let coverage = mergeRanges(ranges.map(({ first_slot, last_slot }) => ({ first: first_slot, last: last_slot })));
  const partialSlots = new Set(open.map(({ slot }) => slot));
  let newestPartial = newest(partialSlots);

  return {
    get coverage() {
      return coverage;
    },
    partialSlots,
    get committedSlot() {
      return Math.max(newestSlot(coverage), newestPartial);
    },
    async openPartial(slots) {
      const fresh = slots.filter((slot) => !partialSlots.has(slot));
      if (fresh.length === 0) return;
      await insertSlotRows(
        client,
        PARTIAL_SLOTS,
        fresh.map((slot) => ({ slot })),
        fence,
      );
      for (const slot of fresh) partialSlots.add(slot);
    },
    async closePartial(slots) {
      await deleteRows(client, 'partial_slots', `slot IN (${slots.join(', ')})`, fence?.holder);
      for (const slot of slots) partialSlots.delete(slot);
    },
    async commit(closes, partial) {
      newestPartial = Math.max(newestPartial, newest(partial));
      if (closes.length === 0) return;
      const after = closes.reduce(addRange, coverage);
      // The whole range that each now belongs to: from the same first slot it replaces the shorter row.
      const rows = mergeRanges(closes).map(({ first }) => {
        const range = findRange(after, first)!;
        return { first_slot: range.first, last_slot: range.last };
      });
      await insertSlotRows(client, COVERAGE, rows, fence);
      coverage = after;
    },
  };
}

function newest(slots: Iterable<number>): number {
  let max = 0;
  for (const slot of slots) max = Math.max(max, slot);
  return max;
}

async function insertSlotRows<const T extends TableLayout>(
  client: StoreClient,
  layout: T,
  rows: Parameters<typeof encodeRows<T>>[1],
  fence: WriterFence | undefined,
): Promise<void> {
  const { bytes } = encodeRows<T>(layout, rows);
  const columns = Object.keys(layout.columns);
  await insertFenced(client, { table: layout.name, layout, columns, bytes, token: undefined }, fence);
}
