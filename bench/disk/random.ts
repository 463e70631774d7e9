/** A seeded stream of numbers (mulberry32) and what the distributions of a market need of it. */
export interface Random {
  /** From 0 to below 1. */
  unit(): number;
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Log-normal around `median`; `spread` is the deviation of the logarithm. */
  around(median: number, spread: number): number;
  bytes(length: number): Uint8Array;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const u32 = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return (x ^ (x >>> 14)) >>> 0;
  };
  const unit = () => u32() / 2 ** 32;
  const normal = () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit());
  return {
    unit,
    below: (end) => Math.floor(unit() * end),
    chance: (probability) => unit() < probability,
    pick: (list) => list[Math.floor(unit() * list.length)]!,
    around: (median, spread) => median * Math.exp(spread * normal()),
    bytes(length) {
      const bytes = Buffer.allocUnsafe(length);
      for (let at = 0; at < length; at += 4) bytes.writeUInt32LE(u32(), at);
      return bytes;
    },
  };
}

/** Ranks from 0 to below `size`, the first ones most often: Zipf's law with an exponent below 1, by its inverse. */
export function zipfRank(random: Random, size: number, exponent: number): number {
  return Math.min(size - 1, Math.floor(size * random.unit() ** (1 / (1 - exponent))));
}
