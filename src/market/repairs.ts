import type { Feed, SlotSpan } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import { slotsWithin } from './batch-blocks.ts';
import type { FollowedWindows } from './followed-windows.ts';
import type { WindowReads } from './market-reads.ts';
import type { MarketWindows } from './market-windows.ts';
import { Portions } from './portions.ts';
import { type BucketRun, StaleBuckets } from './stale-buckets.ts';
import { StaleSlots } from './stale-slots.ts';
import { type Repair, readAgain, readBuckets, SLOTS_AT_ONCE, WindowMoved } from './window-repair.ts';

const MINUTE_S = 60;

export interface RepairsDeps {
  readonly reads: WindowReads;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Windows that are repaired, and whether that may go on behind a turn of others. */
export interface Repairing {
  readonly known: FollowedWindows;
  readonly mayGoOn: () => boolean;
}

/** What windows counted otherwise than the store has it: slots, and buckets that they were in. */
export class Repairs {
  readonly #deps: RepairsDeps;
  readonly #slots = new StaleSlots();
  readonly #buckets = new StaleBuckets();
  /** What is being read. */
  #slotsRead: SlotSpan | undefined;
  #bucketsRead: BucketRun | undefined;

  constructor(deps: RepairsDeps) {
    this.#deps = deps;
  }

  /** Runs of slots, and buckets, that are to be read again or are being read. */
  get size(): number {
    return this.#slots.size + this.#buckets.size + Number(this.#isReading);
  }

  /** True while something is read, or may be. */
  get hasWork(): boolean {
    return this.#isReading || this.mayBegin;
  }

  get mayBegin(): boolean {
    return this.#slots.some(this.#isStored()) || this.#buckets.isRipe(this.#deps.clock.elapsed());
  }

  add(slots: SlotSpan): void {
    this.#slots.add(slots);
  }

  /** Windows are read anew, and all buckets with them. */
  begin(): void {
    this.#buckets.clear();
  }

  /** Unix seconds from which on windows are whole; undefined when all of them are. */
  staleSince(windows: MarketWindows): number | undefined {
    const newest = [this.#slots.last, this.#slotsRead?.last].filter((slot) => slot !== undefined);
    const times = newest.flatMap((slot) => {
      const latest = windows.latest(slot);
      // Whatever is from before all windows is in none of them.
      return latest < windows.week.wholeSince ? [] : latest + 1;
    });
    for (const until of [this.#buckets.until, this.#bucketsRead?.until]) if (until !== undefined) times.push(until);
    return times.length === 0 ? undefined : Math.max(...times);
  }

  /** Reads some of it. @returns false when the windows have to be made anew. */
  async some(repairing: Repairing): Promise<boolean> {
    const slots = this.#slots.take(this.#isStored(), SLOTS_AT_ONCE);
    if (slots !== undefined) return this.#readSlots(repairing, slots);
    const buckets = this.#buckets.take(this.#deps.clock.elapsed());
    if (buckets !== undefined) await this.#readBuckets(repairing, buckets);
    return true;
  }

  /** Reads slots that the store has got while windows were read. False when these have to be made anew. */
  async catchUp(repairing: Repairing, span: SlotSpan): Promise<boolean> {
    for (let { first } = span; first <= span.last; first += SLOTS_AT_ONCE) {
      const last = Math.min(span.last, first + SLOTS_AT_ONCE - 1);
      if (!(await this.#repair(repairing, { first, last }))) return false;
    }
    for (;;) {
      const buckets = this.#buckets.take(Number.POSITIVE_INFINITY);
      if (buckets === undefined) return true;
      await this.#readBuckets(repairing, buckets);
    }
  }

  /** Slots that the store has: the feed holds what it does not have yet. */
  #isStored(): (span: SlotSpan) => boolean {
    const { feed } = this.#deps;
    const held = feed.since(0);
    return ({ first, last }) =>
      last <= feed.committedSlot && !held.some((batch) => batch.firstSlot <= last && batch.lastSlot >= first);
  }

  get #isReading(): boolean {
    return this.#slotsRead !== undefined || this.#bucketsRead !== undefined;
  }

  async #readSlots(repairing: Repairing, span: SlotSpan): Promise<boolean> {
    this.#slotsRead = span;
    try {
      return await this.#repair(repairing, span);
    } catch (error) {
      this.#slots.add(span);
      if (error instanceof WindowMoved) return true;
      throw error;
    } finally {
      this.#slotsRead = undefined;
    }
  }

  async #repair(repairing: Repairing, span: SlotSpan): Promise<boolean> {
    const { reads, feed, clock } = this.#deps;
    const { known } = repairing;
    const repair = this.#repairOf(repairing);
    const mark = feed.committedSlot;
    if (known.decides(span.last) && !(await known.learn(await reads.newest(mark), repair.portions))) return false;
    const { mints, ahead, minutes } = await readAgain(repair, span);
    known.earlier.forget(mints);
    known.noteAhead(ahead);
    this.#buckets.add(minutes, known.windows, clock.elapsed());
    return true;
  }

  async #readBuckets(repairing: Repairing, run: BucketRun): Promise<void> {
    const { clock } = this.#deps;
    const { windows, earlier } = repairing.known;
    const repair = this.#repairOf(repairing);
    this.#bucketsRead = run;
    try {
      earlier.forget(await readBuckets(repair, run));
      this.#noteHeld(run, repair.mark);
      // Minutes of an hour that has lost some of them do not change it any more: it is to be read itself.
      if (run.width === MINUTE_S) this.#buckets.addHours(startsOf(run), windows, clock.elapsed());
    } catch (error) {
      if (run.width === MINUTE_S) this.#buckets.add(startsOf(run), windows, clock.elapsed());
      else this.#buckets.addHours([run.since], windows, clock.elapsed());
      if (!(error instanceof WindowMoved)) throw error;
    } finally {
      this.#bucketsRead = undefined;
    }
  }

  /** Blocks of a bucket that the store did not have are not in it any more: they are read again once it has them. */
  #noteHeld(run: BucketRun, mark: number): void {
    for (const batch of this.#deps.feed.since(mark)) {
      for (const slot of slotsWithin(batch, run)) this.#slots.add({ first: slot, last: slot });
    }
  }

  #repairOf({ known: { windows }, mayGoOn }: Repairing): Repair {
    const { reads, feed, clock, signal } = this.#deps;
    return { reads, windows, mark: feed.committedSlot, portions: new Portions(clock), mayGoOn, signal };
  }
}

function startsOf({ since, until }: BucketRun): number[] {
  return Array.from({ length: (until - since) / MINUTE_S }, (_, at) => since + at * MINUTE_S);
}
