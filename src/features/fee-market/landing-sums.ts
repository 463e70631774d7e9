import { SLOTS_BEHIND } from './contract-landing-limits.ts';
import { BY, type LandingReasonRow, type LandingSlotRow, type LandingSumsRow } from './landing-reads.ts';

/** How many bids there are by number, of those that there are. */
export interface BidCounts {
  readonly numbers: Uint32Array;
  readonly counts: Uint32Array;
}

/** Attempts, and those that landed, of each of some slots or places. */
export interface LandedCounts {
  readonly attempts: Uint32Array;
  readonly landed: Uint32Array;
}

/** What transactions of a span came to at one venue. */
export interface VenueSums {
  readonly attempts: number;
  readonly landed: number;
  /** Those whose budget nobody told. */
  readonly unknown: number;
  readonly reasons: ReadonlyMap<string, number>;
  /** In the order of {@link SpanSums.slots}. */
  readonly bySlot: LandedCounts;
  /** By slots behind the creation of the youngest of their tokens. */
  readonly byPlace: LandedCounts;
  readonly prices: BidCounts;
  readonly fees: BidCounts;
  readonly tips: BidCounts;
  /** Prices by slots behind the creation: the number of a bid, above the {@link PLACE_SHIFT} lowest bits the place. */
  readonly pricesByPlace: BidCounts;
  /** The same of tips that were paid. */
  readonly tipsByPlace: BidCounts;
}

export const PLACE_SHIFT = 14;

/** What transactions of a span, a minute of it or all, came to. */
export interface SpanSums {
  /** Slots that have a block, in order. */
  readonly slots: Uint32Array;
  readonly venues: ReadonlyMap<number, VenueSums>;
  /** Bytes of all of it, roughly. */
  readonly bytes: number;
}

const VENUE_BYTES = 2_000;
const REASON_BYTES = 60;

/** Takes rows of one span in, in any order. */
export class SpanRows {
  readonly #slots = new Set<number>();
  readonly #rows = new Map<number, LandingSumsRow[]>();
  readonly #reasons = new Map<number, Map<string, number>>();

  addSlot(slot: number): void {
    this.#slots.add(slot);
  }

  add(row: LandingSumsRow): void {
    const rows = this.#rows.get(row.venue);
    if (rows === undefined) this.#rows.set(row.venue, [row]);
    else rows.push(row);
    // Of a block that tells no time its transactions may.
    if (row.kind === BY.slot) this.#slots.add(row.in_slot);
  }

  addReason({ venue, reason, reverted }: LandingReasonRow): void {
    const reasons = this.#reasons.get(venue) ?? new Map<string, number>();
    this.#reasons.set(venue, reasons);
    reasons.set(reason, reverted);
  }

  sums(): SpanSums {
    const slots = Uint32Array.from(this.#slots).sort();
    const venues = new Map(
      Array.from(this.#rows, ([venue, rows]) => [venue, venueSums(rows, slots, this.#reasons.get(venue))]),
    );
    let bytes = slots.byteLength;
    for (const venue of venues.values()) bytes += bytesOf(venue);
    return { slots, venues, bytes };
  }
}

/** Rows of a span, whole or by minute. */
export interface SpanOfRows {
  readonly sums: Iterable<LandingSumsRow>;
  readonly slots: readonly LandingSlotRow[];
  readonly reasons: readonly LandingReasonRow[];
}

/** Sums by the starts of their steps. `turn` lets others have theirs. */
export async function sumsByStart(
  { sums, slots, reasons }: SpanOfRows,
  startOf: (time: number) => number,
  turn: () => Promise<void>,
): Promise<ReadonlyMap<number, SpanSums>> {
  const steps = new Map<number, SpanRows>();
  for (const row of sums) stepOf(steps, row.start).add(row);
  for (const row of reasons) stepOf(steps, row.start).addReason(row);
  for (const { slot, time } of slots) stepOf(steps, startOf(time)).addSlot(slot);
  const found = new Map<number, SpanSums>();
  for (const [start, step] of steps) {
    await turn();
    found.set(start, step.sums());
  }
  return found;
}

export function stepOf(steps: Map<number, SpanRows>, start: number): SpanRows {
  let step = steps.get(start);
  if (step === undefined) {
    step = new SpanRows();
    steps.set(start, step);
  }
  return step;
}

function venueSums(
  rows: readonly LandingSumsRow[],
  slots: Uint32Array,
  reasons: ReadonlyMap<string, number> = new Map(),
): VenueSums {
  const all = rows.find(({ kind }) => kind === BY.all);
  const bySlot = landedCounts(slots.length);
  const byPlace = landedCounts(SLOTS_BEHIND);
  const placeOf = new Map(Array.from(slots, (slot, place) => [slot, place]));
  for (const { kind, in_slot, slots_behind, attempts, landings } of rows) {
    if (kind === BY.slot) add(bySlot, placeOf.get(in_slot)!, attempts, landings);
    else if (kind === BY.behind) add(byPlace, slots_behind, attempts, landings);
  }
  return {
    ...{ attempts: all?.attempts ?? 0, landed: all?.landings ?? 0, unknown: all?.unknown ?? 0 },
    ...{ reasons, bySlot, byPlace },
    prices: bidCounts(rows, BY.price),
    fees: bidCounts(rows, BY.fee),
    tips: bidCounts(rows, BY.tip),
    pricesByPlace: bidCounts(rows, BY.priceBehind),
    tipsByPlace: bidCounts(rows, BY.tipBehind),
  };
}

function landedCounts(length: number): LandedCounts {
  return { attempts: new Uint32Array(length), landed: new Uint32Array(length) };
}

function add(counts: LandedCounts, place: number, attempts: number, landed: number): void {
  counts.attempts[place]! += attempts;
  counts.landed[place]! += landed;
}

function bidCounts(rows: readonly LandingSumsRow[], by: number): BidCounts {
  const found = rows.filter(({ kind }) => kind === by);
  return {
    numbers: Uint32Array.from(found, ({ slots_behind, bid }) => (slots_behind << PLACE_SHIFT) | bid),
    counts: Uint32Array.from(found, ({ attempts }) => attempts),
  };
}

function bytesOf(venue: VenueSums): number {
  const { reasons, bySlot, prices, fees, tips, pricesByPlace, tipsByPlace } = venue;
  const bids = [prices, fees, tips, pricesByPlace, tipsByPlace].reduce((sum, { numbers }) => sum + numbers.length, 0);
  return VENUE_BYTES + reasons.size * REASON_BYTES + 8 * bySlot.attempts.length + 8 * bids;
}
