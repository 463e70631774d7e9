import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import { NOTHING_PAID, type SlotEconomicsRow, type SlotSums, sumsBySlot } from './slot-sums.ts';

/** Slots that are kept, the newest ones: more than are asked for, so that withdrawn blocks leave enough. */
export const KEPT_SLOTS = 1_024;

/** What was paid in each of the newest slots, and which of them had no block. */
export class RecentSlots {
  /** Undefined: skipped. */
  readonly #slots = new Map<number, SlotSums | undefined>();
  #newest = 0;

  /** The newest slot that is known, 0 without any. */
  get newest(): number {
    return this.#newest;
  }

  /** Takes in whole slots. */
  take(batch: RowBatch): void {
    const sums = sumsBySlot(batch);
    for (const slot of slotsOf(batch)) this.#set(slot, sums.get(slot));
    this.#letGo();
  }

  /** Takes out what the newest batch brought. */
  takeBack(batch: RowBatch): void {
    for (const slot of slotsOf(batch)) this.#slots.delete(slot);
    // Nothing was skipped that no block came behind of.
    this.#newest = 0;
    for (const slot of this.#slots.keys()) this.#newest = Math.max(this.#newest, slot);
  }

  /** Takes in what the store tells; what it does not know is left as it is. */
  fill(rows: readonly SlotEconomicsRow[]): void {
    for (const { slot, state, ...sums } of rows) {
      if (state !== 'unknown') this.#set(slot, state === 'seen' ? sums : undefined);
    }
    this.#letGo();
  }

  /** How many slots up to a mark are not known, of those from the first known one on. */
  holes(mark: number): number {
    let first = mark;
    let known = 0;
    for (const slot of this.#slots.keys()) {
      if (slot > mark) continue;
      first = Math.min(first, slot);
      known += 1;
    }
    return mark > 0 ? mark - first + 1 - known : 0;
  }

  /** Rows from one slot to another, both included. */
  rows(first: number, last: number): SlotEconomicsRow[] {
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => this.#row(first + at));
  }

  #row(slot: number): SlotEconomicsRow {
    const sums = this.#slots.get(slot);
    if (sums !== undefined) return { slot, state: 'seen', ...sums };
    return { slot, state: this.#slots.has(slot) ? 'skipped' : 'unknown', ...NOTHING_PAID };
  }

  #set(slot: number, sums: SlotSums | undefined): void {
    if (slot <= this.#newest - KEPT_SLOTS) return;
    this.#slots.set(slot, sums);
    this.#newest = Math.max(this.#newest, slot);
  }

  #letGo(): void {
    // In no order where slots came late.
    if (this.#slots.size <= KEPT_SLOTS) return;
    for (const slot of this.#slots.keys()) if (slot <= this.#newest - KEPT_SLOTS) this.#slots.delete(slot);
  }
}

/** Slots that a batch tells all about, of those that may be kept. */
function* slotsOf({ firstSlot, lastSlot }: RowBatch): IterableIterator<number> {
  for (let slot = Math.max(firstSlot, lastSlot - KEPT_SLOTS + 1); slot <= lastSlot; slot += 1) yield slot;
}
