/** What happened in a window: numbers of swaps, and raw quote units of all of them. */
export interface Sums {
  readonly buys: number;
  readonly sells: number;
  readonly volume: bigint;
}

/**
 * The same in plain numbers, exact far beyond 2^53: the volume is `high * 2^32 + low`. Millions of them are added every
 * minute, and each bigint would be an object of its own.
 */
export interface Counts {
  buys: number;
  sells: number;
  /** Below 2^32. */
  low: number;
  high: number;
}

const LOW_END = 2 ** 32;
const LOW_BITS = 32n;
const LOW_MASK = 2n ** LOW_BITS - 1n;
const LARGEST_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

export function noCounts(): Counts {
  return { buys: 0, sells: 0, low: 0, high: 0 };
}

export function countsOf({ buys, sells, volume }: Sums): Counts {
  return { buys, sells, low: lowOf(volume), high: highOf(volume) };
}

export function sumsOf({ buys, sells, low, high }: Readonly<Counts>): Sums {
  return { buys, sells, volume: (BigInt(high) << LOW_BITS) + BigInt(low) };
}

/** The part of an amount below 2^32. */
export function lowOf(amount: bigint): number {
  if (amount > LARGEST_EXACT) return Number(amount & LOW_MASK);
  // Bigints in between are slow, and nearly no amount needs them.
  const exact = Number(amount);
  return exact - Math.floor(exact / LOW_END) * LOW_END;
}

/** How often an amount holds 2^32. */
export function highOf(amount: bigint): number {
  return amount > LARGEST_EXACT ? Number(amount >> LOW_BITS) : Math.floor(Number(amount) / LOW_END);
}

/** Adds what another window counted, or takes it out again. */
export function addCounts(to: Counts, { buys, sells, low, high }: Readonly<Counts>, sign: 1 | -1): void {
  to.buys += sign * buys;
  to.sells += sign * sells;
  const sum = to.low + sign * low;
  const carry = carryOf(sum);
  to.low = sum - carry * LOW_END;
  to.high += sign * high + carry;
}

/** Turns what was counted round, so that adding it takes it out. */
export function negate(counts: Counts): void {
  counts.buys = -counts.buys;
  counts.sells = -counts.sells;
  const isWhole = counts.low === 0;
  counts.high = isWhole ? -counts.high : -counts.high - 1;
  counts.low = isWhole ? 0 : LOW_END - counts.low;
}

/** True when adding it changes nothing. */
export function isNothing({ buys, sells, low, high }: Readonly<Counts>): boolean {
  return buys === 0 && sells === 0 && low === 0 && high === 0;
}

/** What two low parts come to beyond one: 1, 0, or -1 when one was taken out of a smaller one. */
export function carryOf(sum: number): number {
  return sum >= LOW_END ? 1 : sum < 0 ? -1 : 0;
}

export function isEmpty({ buys, sells }: Readonly<Counts>): boolean {
  return buys === 0 && sells === 0;
}
