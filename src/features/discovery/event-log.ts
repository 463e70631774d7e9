import { comparePlaces } from '../../books/place.ts';
import { DECIDING_BLOCKS, newestTime } from '../../chain/newest-time.ts';
import type { BlockTime } from '../../token/block-times.ts';
import { MAX_EVENTS } from './contract-limits.ts';
import { EVENTS_S, inOrder, LargestTrades, type ListedEvent, type ListedTrade, sizeClass } from './event-rules.ts';

/** Trades of a class that are kept at most: a class that nobody feeds on purpose has some hundreds that any list needs. */
const MAX_OF_CLASS = 4_096;
/** Trades that may come behind a tidying before the next. */
const SLACK = 4_096;
/** What is older than any list shows is kept for so long, in case that the newest block is withdrawn. */
const MARGIN_S = 600;

export interface EventBlock {
  readonly firstSlot: number;
  readonly lastSlot: number;
  /** Unix seconds of its newest block; 0 when it does not tell. */
  readonly time: number;
  /** In order of place. */
  readonly trades: readonly ListedTrade[];
  readonly graduations: readonly ListedEvent[];
}

export interface EventPage {
  /** Newest first. */
  readonly events: readonly ListedEvent[];
  /** Unix seconds at which the day begins. */
  readonly from: number;
  /** Unix seconds of the newest trade that was let go and belongs behind these; undefined when nothing is missing. */
  readonly lostAt: number | undefined;
}

export interface EventLogStart {
  /** The newest blocks that are in it, oldest first: as many as decide what time it is. */
  readonly blocks: readonly BlockTime[];
  /** Unix seconds by the clock on the wall. */
  readonly wall: () => number;
  readonly trades: readonly ListedTrade[];
  readonly graduations: readonly ListedEvent[];
  /** Unix seconds of the newest trade of each class of size that was not read. */
  readonly lost?: ReadonlyMap<number, number>;
}

/**
 * The large trades and the graduations of a day, so many that the newest of any least size are always there. A trade is
 * let go when so many newer ones are at least as large as the longest list has rows, for it can be in none then. Who
 * makes every trade a little smaller than the one before has all of them kept, up to a bound for each class of size;
 * behind that lists say from when on they are whole.
 */
export class EventLog {
  #trades: ListedTrade[];
  #graduations: ListedEvent[];
  readonly #lost: Map<number, number>;
  /** Blocks that tell their time: those that may be withdrawn, and before them as many as decide what time it is. */
  readonly #blocks: BlockTime[];
  readonly #wall: () => number;
  #tidyAt: number;
  /** True while there is something of single transactions: they are read from the store alone. */
  #hasPartial: boolean;
  /** Newest slot of whole blocks that took the place of single transactions. */
  #replacedAt = 0;

  constructor({ blocks, wall, trades, graduations, lost }: EventLogStart) {
    this.#trades = inOrder(trades);
    this.#graduations = inOrder(graduations);
    this.#lost = new Map(lost);
    this.#blocks = [...blocks];
    this.#wall = wall;
    this.#tidyAt = this.#trades.length + SLACK;
    this.#hasPartial = [...this.#trades, ...this.#graduations].some(({ partial }) => partial);
  }

  /** Trades and graduations that are kept. */
  get size(): number {
    return this.#trades.length + this.#graduations.length;
  }

  /** Takes the newest block in. Blocks up to `settled` cannot be withdrawn any more. */
  add({ firstSlot, lastSlot, time, trades, graduations }: EventBlock, settled: number): void {
    if (this.#hasPartial) this.#replacePartial(firstSlot, lastSlot);
    this.#trades = joined(this.#trades, trades);
    this.#graduations = joined(this.#graduations, graduations);
    if (time > 0) this.#blocks.push({ slot: lastSlot, time });
    const settledBlocks = this.#blocks.findLastIndex(({ slot }) => slot <= settled) + 1;
    if (settledBlocks > DECIDING_BLOCKS) this.#blocks.splice(0, settledBlocks - DECIDING_BLOCKS);
    if (this.#trades.length >= this.#tidyAt) this.#tidy(settled);
  }

  /** Time of the chain, Unix seconds, which no single block decides; 0 while none tells its time. */
  get now(): number {
    const times = this.#blocks.slice(-DECIDING_BLOCKS).map(({ time }) => time);
    return newestTime(times, this.#wall());
  }

  /**
   * Takes the newest block out. False when that cannot be done: it took the place of single transactions, which are known
   * again now and no longer here, or there are some behind it, which stay.
   */
  takeBack(firstSlot: number, lastSlot: number): boolean {
    if (this.#replacedAt >= firstSlot) return false;
    if ([this.#trades, this.#graduations].some((events) => (events.at(-1)?.slot ?? 0) > lastSlot)) return false;
    const stays = ({ slot }: { readonly slot: number }) => slot < firstSlot;
    this.#trades.splice(this.#trades.findLastIndex(stays) + 1);
    this.#graduations.splice(this.#graduations.findLastIndex(stays) + 1);
    this.#blocks.splice(this.#blocks.findLastIndex(stays) + 1);
    return true;
  }

  /**
   * The newest graduations, and trades of so many lamports or more, of the day that ends with the time of the chain. A block
   * that tells another time than those around it has its events where that is, in the day or not.
   */
  newest(minLamports: bigint, limit: number): EventPage {
    const { now } = this;
    const from = Math.max(0, now - EVENTS_S);
    const events: ListedEvent[] = [];
    const lostAt = this.#lostAt(minLamports);
    const least = sizeClass(minLamports);
    const isSmaller = ({ trade: { size, lamports } }: ListedTrade) =>
      size < least || (size === least && lamports < minLamports);
    let trade = this.#trades.length - 1;
    let graduation = this.#graduations.length - 1;
    while (events.length < limit) {
      while (trade >= 0 && isSmaller(this.#trades[trade]!)) trade -= 1;
      const [a, b] = [this.#trades[trade], this.#graduations[graduation]];
      const next = a === undefined || (b !== undefined && comparePlaces(b, a) > 0) ? b : a;
      if (next === undefined) break;
      if (next === a) trade -= 1;
      else graduation -= 1;
      if (next.time < from || next.time > now) continue;
      if (next.time <= lostAt) return { events, from, lostAt };
      events.push(next);
    }
    const isCut = events.length < limit && lostAt >= from;
    return { events, from, lostAt: isCut ? lostAt : undefined };
  }

  /** A whole block takes the place of what was known of it. */
  #replacePartial(firstSlot: number, lastSlot: number): void {
    const isElse = ({ partial, slot }: ListedEvent) => !partial || slot < firstSlot || slot > lastSlot;
    const before = this.size;
    this.#trades = this.#trades.filter(isElse);
    this.#graduations = this.#graduations.filter(isElse);
    if (this.size < before) this.#replacedAt = lastSlot;
    this.#hasPartial = [...this.#trades, ...this.#graduations].some(({ partial }) => partial);
  }

  #lostAt(minLamports: bigint): number {
    const least = sizeClass(minLamports);
    return Math.max(-1, ...[...this.#lost].flatMap(([size, time]) => (size >= least ? [time] : [])));
  }

  #tidy(settled: number): void {
    const { now } = this;
    const oldest = now - EVENTS_S - MARGIN_S;
    const largest = new LargestTrades();
    const ofClass = new Map<number, number>();
    const kept: ListedTrade[] = [];
    for (const each of this.#trades.toReversed()) {
      if (each.time < oldest) continue;
      const { lamports, size } = each.trade;
      if (each.slot <= settled) {
        if (largest.outdo(lamports)) continue;
        // It is in no list yet, and takes no other's place.
        if (each.time <= now) largest.add(lamports);
        if ((ofClass.get(size) ?? 0) >= MAX_OF_CLASS) {
          this.#lost.set(size, Math.max(this.#lost.get(size) ?? 0, Math.min(now, each.time)));
          continue;
        }
      }
      ofClass.set(size, (ofClass.get(size) ?? 0) + 1);
      kept.push(each);
    }
    this.#trades = kept.reverse();
    this.#tidyAt = 2 * this.#trades.length + SLACK;
    const first = this.#graduations.findLastIndex(({ slot }) => slot <= settled) + 1 - MAX_EVENTS;
    if (first > 0) this.#graduations.splice(0, first);
  }
}

/**
 * Events with those of the newest batch. A read of the store may have some of these already, and single transactions of
 * slots behind them.
 */
function joined<T extends ListedEvent>(known: T[], events: readonly T[]): T[] {
  const [first] = events;
  const last = known.at(-1);
  if (first === undefined) return known;
  if (last !== undefined && comparePlaces(first, last) <= 0) return inOrder([...known, ...events]);
  for (const event of events) known.push(event);
  return known;
}
