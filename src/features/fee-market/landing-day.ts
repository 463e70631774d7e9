import { MINUTE_S, minuteOf } from '../../token/chain-time-reads.ts';
import { type LandingFrame, minuteKeys, spanOf } from './landing-frame.ts';
import type { LandingReads, LandingSpan } from './landing-reads.ts';
import { type SpanRows, type SpanSums, stepOf, sumsByStart } from './landing-sums.ts';

/** Bytes of all minutes that are kept; the oldest are let go beyond them. */
const MAX_BYTES = 96 * 1_024 ** 2;
/** Minutes that a request reads at once, beside the running one: a service that has just begun has no others. */
const READ_WITH_REQUEST = 5;

/** A window as far as its minutes are known. */
export interface DaySums {
  readonly spans: readonly SpanSums[];
  /** Unix seconds from which on none is missing; undefined when none is. */
  readonly since: number | undefined;
}

/** Lets others have their turn. */
type Turn = () => Promise<void>;

export interface DayFill {
  /** Minutes of one read. */
  readonly most: number;
  readonly turn: Turn;
  readonly signal: AbortSignal;
}

type DayReads = Pick<LandingReads, 'minutes' | 'manyMinutes' | 'slots' | 'reasonsByMinute'>;

interface KeptMinute {
  readonly key: string;
  readonly sums: SpanSums;
}

/**
 * Sums of the minutes of a day, of which every window that goes by minutes is made: each read once when it is over, and again when its blocks are others. What they are is
 * asked with every question, so that nothing that comes late has to be told.
 */
export class LandingDay {
  readonly #reads: DayReads;
  readonly #maxBytes: number;
  readonly #minutes = new Map<number, KeptMinute>();
  #bytes = 0;
  /** Minutes up to this one found no room. */
  #lost = -1;

  constructor(reads: DayReads, maxBytes = MAX_BYTES) {
    this.#reads = reads;
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#minutes.size;
  }

  /** Reads the newest minutes that are over and lacking, up to so many in one go. False when there are none. */
  async fill(frame: LandingFrame, { most, turn, signal }: DayFill): Promise<boolean> {
    const keys = this.#settle(frame);
    const run = this.#newestLacking(frame, keys, most);
    const span = run === undefined ? undefined : spanOf(frame, run.since, run.until);
    if (span === undefined) return false;
    const steps = new Map<number, SpanRows>();
    for (const { slot, time } of await this.#reads.slots(span)) stepOf(steps, minuteOf(time)).addSlot(slot);
    for (const row of await this.#reads.reasonsByMinute(span)) stepOf(steps, row.start).addReason(row);
    for await (const rows of this.#reads.manyMinutes(span, signal)) {
      for (const row of rows) stepOf(steps, row.start).add(row);
      await turn();
    }
    for (const [start, step] of steps) {
      this.#keep(start, keys, step.sums());
      await turn();
    }
    return true;
  }

  /** Minutes of the window up to now, without those that are older than one that is lacking. */
  async open(frame: LandingFrame, turn: Turn): Promise<DaySums> {
    const keys = this.#settle(frame);
    const running = minuteOf(frame.now);
    const run = this.#newestLacking(frame, keys, READ_WITH_REQUEST);
    const isNear = run !== undefined && running - run.until < READ_WITH_REQUEST * MINUTE_S;
    const read = new Map<number, SpanSums>();
    const spans = isNear ? [{ ...run, until: frame.now }] : [run, { since: running, until: frame.now }];
    for (const { since, until } of spans.filter((span) => span !== undefined)) {
      const span = spanOf(frame, since, until);
      if (span === undefined) continue;
      for (const [start, sums] of await this.#readMinutes(span, turn)) {
        read.set(start, sums);
        if (start + MINUTE_S <= frame.now) this.#keep(start, keys, sums);
      }
    }
    const found: SpanSums[] = [];
    for (const { start } of frame.minutes.toReversed()) {
      const sums = read.get(start) ?? this.#known(start, keys);
      if (sums === undefined) return { spans: found, since: start + MINUTE_S };
      found.push(sums);
    }
    return { spans: found, since: undefined };
  }

  async #readMinutes(span: LandingSpan, turn: Turn): Promise<ReadonlyMap<number, SpanSums>> {
    const { minutes, slots, reasonsByMinute } = this.#reads;
    const [sums, found, reasons] = await Promise.all([minutes(span), slots(span), reasonsByMinute(span)]);
    return sumsByStart({ sums, slots: found, reasons }, minuteOf, turn);
  }

  /** Lets go of what is older than the longest window, whichever is asked for. */
  #settle(frame: LandingFrame): ReadonlyMap<number, string> {
    const oldest = frame.kept[0]?.start ?? 0;
    for (const start of this.#minutes.keys()) if (start < oldest) this.#drop(start);
    return minuteKeys(frame);
  }

  #known(start: number, keys: ReadonlyMap<number, string>): SpanSums | undefined {
    const kept = this.#minutes.get(start);
    return kept?.key === keys.get(start) ? kept?.sums : undefined;
  }

  /** Minutes that are over, of which the first and the last at least are lacking. */
  #newestLacking(
    { minutes, now }: LandingFrame,
    keys: ReadonlyMap<number, string>,
    most: number,
  ): { readonly since: number; readonly until: number } | undefined {
    let [oldest, newest] = [0, 0];
    for (const { start } of minutes.toReversed()) {
      if (start + MINUTE_S > now || start <= this.#lost || this.#known(start, keys) !== undefined) continue;
      if (newest === 0) newest = start;
      if (newest - start >= most * MINUTE_S) break;
      oldest = start;
    }
    return newest === 0 ? undefined : { since: oldest, until: newest + MINUTE_S - 1 };
  }

  #keep(start: number, keys: ReadonlyMap<number, string>, sums: SpanSums): void {
    const key = keys.get(start);
    this.#drop(start);
    if (key === undefined || start <= this.#lost) return;
    this.#minutes.set(start, { key, sums });
    this.#bytes += sums.bytes;
    while (this.#bytes > this.#maxBytes) {
      const oldest = Math.min(...this.#minutes.keys());
      this.#drop(oldest);
      this.#lost = oldest;
    }
  }

  #drop(start: number): void {
    const kept = this.#minutes.get(start);
    if (kept === undefined) return;
    this.#minutes.delete(start);
    this.#bytes -= kept.sums.bytes;
  }
}
