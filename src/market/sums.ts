/** What happened in a window: numbers of swaps, and raw quote units of all of them. */
export interface Sums {
  buys: number;
  sells: number;
  volume: bigint;
}

export function noSums(): Sums {
  return { buys: 0, sells: 0, volume: 0n };
}

/** Adds swaps of one side, or takes them out again with a `sign` of -1. */
export function addSwaps(sums: Sums, isBuy: boolean, volume: bigint, sign: 1 | -1): void {
  if (isBuy) sums.buys += sign;
  else sums.sells += sign;
  sums.volume += sign === 1 ? volume : -volume;
}

/** Adds what another window counted, or takes it out again. */
export function addSums(sums: Sums, { buys, sells, volume }: Readonly<Sums>, sign: 1 | -1): void {
  sums.buys += sign * buys;
  sums.sells += sign * sells;
  sums.volume += sign === 1 ? volume : -volume;
}

export function isEmpty({ buys, sells }: Readonly<Sums>): boolean {
  return buys === 0 && sells === 0;
}
