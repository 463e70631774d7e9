import type { Address } from '../chain/address.ts';
import type { SlotSpan } from '../feed/feed.ts';
import type { WindowReads, WindowSwapRow } from './market-reads.ts';
import type { MarketWindows, SlotSwaps } from './market-windows.ts';
import { countsOf } from './sums.ts';
import { SwapsBySlot } from './swaps-by-slot.ts';
import { CellSums, type RingCell } from './trade-cells.ts';

/** Slots that are read again at once: a few minutes of them. */
export const SLOTS_AT_ONCE = 1_000;
const MINUTE_S = 60;
const HOUR_S = 3_600;
/**
 * Buckets are read up to so many seconds behind the first one that is held swap by swap: the hour moves on meanwhile, and
 * what it has forgotten by then would be counted by nobody.
 */
const OVERLAP_S = 60;
/** Seconds that no block's time reaches. */
const END_OF_TIME = 0xffff_ffff;

/** The hour moved on too far while rows before it were read: they are to be read again. */
export class WindowMoved extends Error {
  override readonly name = 'WindowMoved';
}

export interface Repair {
  readonly reads: WindowReads;
  readonly windows: MarketWindows;
  /** Slots to be read again, all of which the store has. */
  readonly span: SlotSpan;
  /** Slot up to which the store answers. */
  readonly mark: number;
  readonly signal: AbortSignal;
}

/** What was read again. */
export interface Repaired {
  /** Tokens whose earlier prices may be others now. */
  readonly mints: ReadonlySet<Address>;
  /** Slots that lie ahead of the windows, and are not counted yet. */
  readonly ahead: readonly { readonly slot: number; readonly time: number }[];
}

/**
 * Reads some slots again: those of the last hour swap by swap, minutes and hours before it as sums.
 *
 * @throws {WindowMoved} when the windows moved on meanwhile so far that it has to be done again.
 */
export async function readAgain(repair: Repair): Promise<Repaired> {
  const { reads, windows, span } = repair;
  const minutes = await reads.minutes(span);
  const held = windows.hour.heldSince;
  const blocks = minutes.some((start) => start + MINUTE_S > held) ? await readSlots(repair) : [];
  if (windows.hour.heldSince > held + OVERLAP_S) throw new WindowMoved();
  takeOut(windows, span, new Set(blocks.map(({ slot }) => slot)));
  for (const block of blocks) if (block.time <= windows.now) windows.add(block);
  const mints = new Set(blocks.flatMap(({ swaps }) => swaps.map(({ mint }) => mint)));
  for (const run of runsOf(minutes.filter((start) => start < held + OVERLAP_S))) {
    for (const mint of await readMinutes(repair, run)) mints.add(mint);
  }
  for (const hour of new Set(minutes.map((start) => start - (start % HOUR_S)))) {
    if (hour >= windows.day.wholeSince || hour < windows.week.wholeSince) continue;
    for (const mint of await readHour(repair, hour)) mints.add(mint);
  }
  return { mints, ahead: blocks.filter(({ time }) => time > windows.now) };
}

async function readSlots({ reads, windows, span, signal }: Repair): Promise<readonly SlotSwaps[]> {
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
  for await (const rows of reads.swaps(range, signal)) bySlot.push(rows.filter(ofSpan));
  bySlot.end();
  return blocks;
}

/** Takes out the slots of which the store has no swap any more. */
function takeOut(windows: MarketWindows, { first, last }: SlotSpan, stored: ReadonlySet<number>): void {
  for (const slot of windows.hour.slotsWithin(first, last)) {
    if (!stored.has(slot)) windows.withdraw(slot, windows.now);
  }
}

/** Minutes before the hour, in its order and without a gap. */
interface Minutes {
  readonly since: number;
  readonly until: number;
}

function runsOf(starts: readonly number[]): Minutes[] {
  const runs: { since: number; until: number }[] = [];
  for (const start of starts) {
    const last = runs.at(-1);
    if (last?.until === start) last.until += MINUTE_S;
    else runs.push({ since: start, until: start + MINUTE_S });
  }
  return runs;
}

/** Replaces minutes by what the store has of them, and behind `edge` by what is held swap by swap. */
async function readMinutes(repair: Repair, run: Minutes): Promise<ReadonlySet<Address>> {
  const { windows } = repair;
  const { hour, day } = windows;
  const edge = hour.heldSince + OVERLAP_S;
  const since = Math.max(run.since, day.wholeSince);
  const stored = { width: MINUTE_S, since, until: Math.min(run.until, edge) };
  return withCells(repair, stored, (at) => {
    if (hour.heldSince > edge) throw new WindowMoved();
    for (let start = since; start < run.until; start += MINUTE_S) {
      const cells = new CellSums(windows.book);
      for (const { series, venue, counts } of at(start)) cells.add(series.number, venue, counts);
      hour.addTo(cells, Math.max(start, edge), start + MINUTE_S);
      windows.replaceMinute(start, cells.all());
    }
  });
}

/** Replaces an hour of which not all minutes are held. */
async function readHour(repair: Repair, start: number): Promise<ReadonlySet<Address>> {
  const range = { width: HOUR_S, since: start, until: start + HOUR_S };
  return withCells(repair, range, (at) => repair.windows.replaceHour(start, at(start)));
}

interface CellRange {
  readonly width: number;
  readonly since: number;
  readonly until: number;
}

/** Hands cells by bucket to `use`. Their series are kept until that is over, or the read fails. */
async function withCells(
  { reads, windows: { book }, mark, signal }: Repair,
  { width, since, until }: CellRange,
  use: (at: (start: number) => readonly RingCell[]) => void,
): Promise<ReadonlySet<Address>> {
  const byStart = new Map<number, RingCell[]>();
  const mints = new Set<Address>();
  try {
    if (since < until) {
      const slots = await reads.slots(mark, { since, until });
      for await (const rows of reads.cells({ ...slots, width, since, until }, signal)) {
        for (const { mint, quote_mint, venue, start, ...sums } of rows) {
          const cell = { series: book.take(mint, quote_mint), venue, counts: countsOf(sums) };
          const cells = byStart.get(start);
          if (cells === undefined) byStart.set(start, [cell]);
          else cells.push(cell);
          mints.add(mint);
        }
      }
    }
    use((start) => byStart.get(start) ?? []);
  } finally {
    for (const cells of byStart.values()) for (const { series } of cells) book.release(series);
  }
  return mints;
}
