import type { Address } from '../chain/address.ts';
import type { MarketWindows } from './market-windows.ts';
import type { Portions } from './portions.ts';
import type { WindowName } from './sum-table.ts';
import { type BucketName, bucketsSince, heldMints, type Traded, tradedIn, tradedOf } from './window-figures.ts';

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;
/** Windows that are summed up at any time, by their length in seconds. */
const STANDING: ReadonlyMap<number, WindowName> = new Map([
  [300, 'five'],
  [HOUR_S, 'hour'],
  [DAY_S, 'day'],
  [7 * DAY_S, 'week'],
]);
/** Minutes that may still change every moment: they are added when totals are asked for. */
const OPEN_MINUTES = 2;

/** What every token was traded in a window. */
export interface WindowTotals {
  /** Unix seconds with which the window begins now. */
  readonly since: number;
  /** All tokens that something is held of, some of them more than once. */
  mints(): Iterable<Address>;
  /** What a token was traded up to the newest block, by quote; of a quote there may be several. */
  of(mint: Address): readonly Traded[];
  /** Unix seconds: what is in front of them is as it was when it was summed up. */
  readonly settledUntil: number;
  /** Takes in what came since. */
  follow(): Followed;
}

/**
 * What has become of a sum. It has to be made again where the window has `moved` on by a bucket, and where something was
 * `replaced` in a bucket that had been added up for good: late slots were read.
 */
export type Followed = 'whole' | 'moved' | 'replaced';

/** True of windows that are kept at any time: nothing has to be summed up for them. */
export function isStanding(seconds: number): boolean {
  return STANDING.has(seconds);
}

/** True of windows that begin at a second of block time; all others at a minute, and beyond a day at an hour. */
export function isToTheSecond(seconds: number): boolean {
  const name = STANDING.get(seconds);
  return name === 'five' || name === 'hour';
}

/**
 * Sums up a window of any length, in portions. Five minutes and an hour are exact to the second; up to a day all others
 * go by minutes, beyond by hours, rounded up, the running one besides: no window is shorter than what was asked for.
 */
export async function windowTotals(windows: MarketWindows, seconds: number, portions: Portions): Promise<WindowTotals> {
  const name = STANDING.get(seconds);
  if (name !== undefined) return standingTotals(windows, name, seconds);
  return new SummedTotals(windows, seconds).sum(portions);
}

/** Where a window of so many seconds begins. */
function sinceOf(windows: MarketWindows, seconds: number): number {
  if (isToTheSecond(seconds)) return windows.now - seconds;
  if (seconds > DAY_S) return bucketsSince(windows, 'hours', Math.ceil(seconds / HOUR_S) + 1);
  return bucketsSince(windows, 'minutes', Math.ceil(seconds / MINUTE_S) + 1);
}

function standingTotals(windows: MarketWindows, name: WindowName, seconds: number): WindowTotals {
  return {
    get since() {
      return sinceOf(windows, seconds);
    },
    mints: () => heldMints(windows),
    of: (mint) => tradedOf(windows, mint, name),
    // Windows keep them up to date themselves.
    settledUntil: 0,
    follow: () => 'whole',
  };
}

/** Sums of whole hours, of the minutes in front of them and behind them, and of those that still change. */
class SummedTotals implements WindowTotals {
  readonly since: number;
  readonly #windows: MarketWindows;
  readonly #seconds: number;
  /** Buckets from here on still change. */
  readonly #edge: number;
  readonly #version: number;
  readonly #settled = new Map<Address, Traded[]>();
  #open = new Map<Address, Traded[]>();

  constructor(windows: MarketWindows, seconds: number) {
    this.#windows = windows;
    this.#seconds = seconds;
    this.since = sinceOf(windows, seconds);
    this.#edge = Math.max(this.since, bucketsSince(windows, 'minutes', OPEN_MINUTES));
    this.#version = versionOf(windows);
  }

  get settledUntil(): number {
    return this.#edge;
  }

  async sum(portions: Portions): Promise<this> {
    const firstHour = Math.ceil(this.since / HOUR_S) * HOUR_S;
    const lastHour = this.#edge - (this.#edge % HOUR_S);
    if (firstHour < lastHour) {
      await this.#sumBuckets('minutes', this.since, firstHour, portions);
      await this.#sumBuckets('hours', firstHour, lastHour, portions);
      await this.#sumBuckets('minutes', lastHour, this.#edge, portions);
    } else await this.#sumBuckets('minutes', this.since, this.#edge, portions);
    this.follow();
    return this;
  }

  *mints(): IterableIterator<Address> {
    yield* this.#settled.keys();
    yield* this.#open.keys();
  }

  of(mint: Address): readonly Traded[] {
    return [...(this.#settled.get(mint) ?? []), ...(this.#open.get(mint) ?? [])];
  }

  follow(): Followed {
    this.#open = new Map();
    addTo(this.#open, tradedIn(this.#windows, 'minutes', this.#edge, Number.POSITIVE_INFINITY));
    if (sinceOf(this.#windows, this.#seconds) !== this.since) return 'moved';
    return versionOf(this.#windows) === this.#version ? 'whole' : 'replaced';
  }

  async #sumBuckets(buckets: BucketName, from: number, until: number, portions: Portions): Promise<void> {
    const width = buckets === 'minutes' ? MINUTE_S : HOUR_S;
    for (let start = from; start < until; start += width) {
      addTo(this.#settled, tradedIn(this.#windows, buckets, start, start + width));
      await portions.turn();
    }
  }
}

/** Changes when something changes that was added up for good. */
function versionOf({ day, week }: MarketWindows): number {
  return day.settledVersion + week.settledVersion;
}

/** Adds up by token and quote. */
function addTo(totals: Map<Address, Traded[]>, traded: readonly Traded[]): void {
  for (const each of traded) {
    const known = totals.get(each.mint);
    if (known === undefined) {
      totals.set(each.mint, [each]);
      continue;
    }
    const at = known.findIndex(({ quote }) => quote === each.quote);
    const own = known[at];
    if (own === undefined) known.push(each);
    else known[at] = { ...own, trades: own.trades + each.trades, volume: own.volume + each.volume };
  }
}
