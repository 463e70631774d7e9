import type { Address } from '../chain/address.ts';
import type { SlotSpan } from '../feed/feed.ts';
import type { WindowReads, WindowSwapRow } from './market-reads.ts';
import type { MarketWindows, SlotSwaps } from './market-windows.ts';
import { visitCells } from './packed-cells.ts';
import type { Portions } from './portions.ts';
import type { BucketRun } from './stale-buckets.ts';
import { SwapsBySlot } from './swaps-by-slot.ts';
import { CellSums, type RingCell } from './trade-cells.ts';

/** Slots that are read again at once: a few minutes of them. */
export const SLOTS_AT_ONCE = 1_000;
const MINUTE_S = 60;
/**
 * Buckets are read up to so many seconds behind the first one that is held swap by swap: the hour moves on meanwhile, and
 * what it has forgotten by then would be counted by nobody.
 */
const OVERLAP_S = 60;
/** Seconds that no block's time reaches. */
const END_OF_TIME = 0xffff_ffff;

/** The windows moved on too far while rows were read, or nobody follows them any more: it is to be done again. */
export class WindowMoved extends Error {
  override readonly name = 'WindowMoved';
}

export interface Repair {
  readonly reads: WindowReads;
  readonly windows: MarketWindows;
  /** Slot up to which the store answers. */
  readonly mark: number;
  readonly portions: Portions;
  /** False when others wait for the windows, or nobody does. */
  readonly mayGoOn: () => boolean;
  readonly signal: AbortSignal;
}

/** What was read again. */
export interface Repaired {
  /** Tokens whose earlier prices may be others now. */
  readonly mints: ReadonlySet<Address>;
  /** Slots that lie ahead of the windows, and are not counted yet. */
  readonly ahead: readonly { readonly slot: number; readonly time: number }[];
  /** Starts of minutes that are to be summed up again: they are not held swap by swap. */
  readonly minutes: readonly number[];
}

/**
 * Reads some slots again, all of which the store has: those of the last hour swap by swap, block after block, so that
 * others have their turn between them.
 *
 * @throws {WindowMoved} when it has to be done again.
 */
export async function readAgain(repair: Repair, span: SlotSpan): Promise<Repaired> {
  const { reads, windows } = repair;
  const minutes = await reads.minutes(span);
  const held = windows.hour.heldSince;
  const mints = new Set<Address>();
  const ahead: { readonly slot: number; readonly time: number }[] = [];
  /** Slots up to this one stand as the store has them. */
  let done = span.first - 1;
  if (minutes.some((start) => start + MINUTE_S > held)) {
    for await (const block of readSlots(repair, span)) {
      await takeOut(repair, { first: done + 1, last: block.slot - 1 });
      if (block.time <= windows.now) windows.add(block);
      else {
        windows.remove(block.slot);
        ahead.push({ slot: block.slot, time: block.time });
      }
      for (const { mint } of block.swaps) mints.add(mint);
      done = block.slot;
      await turn(repair);
    }
  }
  await takeOut(repair, { first: done + 1, last: span.last });
  if (windows.hour.heldSince > held + OVERLAP_S) throw new WindowMoved();
  return { mints, ahead, minutes: minutes.filter((start) => start < held + OVERLAP_S) };
}

async function* readSlots({ reads, windows, signal }: Repair, span: SlotSpan): AsyncGenerator<SlotSwaps> {
  const blocks: SlotSwaps[] = [];
  const bySlot = new SwapsBySlot((block) => blocks.push(block));
  const ofSpan = ({ slot }: WindowSwapRow) => slot <= span.last;
  const range = {
    after: Math.max(0, span.first - 1),
    last: span.last,
    since: windows.hour.heldSince,
    until: END_OF_TIME,
  };
  // Rows of single transactions come whatever their slot.
  for await (const rows of reads.swaps(range, signal)) {
    bySlot.push(rows.filter(ofSpan));
    yield* blocks.splice(0);
  }
  bySlot.end();
  yield* blocks;
}

/** Takes out slots of which the store has no swap any more. */
async function takeOut(repair: Repair, { first, last }: SlotSpan): Promise<void> {
  if (last < first) return;
  for (const slot of repair.windows.hour.slotsWithin(first, last)) {
    repair.windows.remove(slot);
    await turn(repair);
  }
}

async function turn({ portions, mayGoOn }: Repair): Promise<void> {
  await portions.turn();
  if (!mayGoOn()) throw new WindowMoved();
}

/**
 * Puts what the store has of some buckets in the place of what was counted, piece by piece, and returns their tokens.
 *
 * @throws {WindowMoved} when it has to be done again: some of the minutes may be forgotten, and their hours are to be read.
 */
export async function readBuckets(repair: Repair, run: BucketRun): Promise<ReadonlySet<Address>> {
  return run.width === MINUTE_S ? readMinutes(repair, run) : readHour(repair, run);
}

/** Replaces minutes by what the store has of them, and behind `edge` by what is held swap by swap. */
async function readMinutes(repair: Repair, run: BucketRun): Promise<ReadonlySet<Address>> {
  const { windows } = repair;
  const { hour, day } = windows;
  const edge = hour.heldSince + OVERLAP_S;
  return withCells(repair, { ...run, until: Math.min(run.until, edge) }, async (at) => {
    for (let start = run.since; start < run.until; start += MINUTE_S) {
      if (hour.heldSince > edge || start < day.wholeSince) throw new WindowMoved();
      const cells = new CellSums(windows.book);
      for (const { series, venue, counts } of at(start)) cells.add(series.number, venue, counts);
      hour.addTo(cells, Math.max(start, edge), start + MINUTE_S);
      await inPieces(repair, windows.replacingMinute(start, cells.all()));
    }
  });
}

/** Replaces an hour of which not all minutes are held. */
async function readHour(repair: Repair, run: BucketRun): Promise<ReadonlySet<Address>> {
  return withCells(repair, run, (at) => inPieces(repair, repair.windows.replacingHour(run.since, at(run.since))));
}

/** Nothing stops half way: whoever began would have to know how far it came. */
async function inPieces({ portions }: Repair, pieces: Generator<void>): Promise<void> {
  for (const _ of pieces) await portions.turn();
  await portions.turn();
}

/** Hands cells by bucket to `use`. Their series are kept until that is over, or the read fails. */
async function withCells(
  { reads, windows: { book }, mark, portions, signal }: Repair,
  { width, since, until }: { readonly width: number; readonly since: number; readonly until: number },
  use: (at: (start: number) => readonly RingCell[]) => Promise<void>,
): Promise<ReadonlySet<Address>> {
  const byStart = new Map<number, RingCell[]>();
  const mints = new Set<Address>();
  try {
    if (since < until) {
      const slots = await reads.slots(mark, { since, until });
      for await (const rows of reads.cells({ ...slots, width, since, until }, signal)) {
        for (const { mint, quote_mint, venue, cells: packed } of rows) {
          visitCells(packed, (start, counts) => {
            const cell = { series: book.take(mint, quote_mint), venue, counts: { ...counts } };
            const cells = byStart.get(start);
            if (cells === undefined) byStart.set(start, [cell]);
            else cells.push(cell);
          });
          mints.add(mint);
        }
        await portions.turn();
      }
    }
    await use((start) => byStart.get(start) ?? []);
  } finally {
    for (const cells of byStart.values()) {
      for (const { series } of cells) book.release(series.number);
      await portions.turn();
    }
  }
  return mints;
}
