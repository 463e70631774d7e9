/**
 * The only source of chance in the simulator: a small seeded generator. Equal
 * seeds give equal streams on every machine, so a block is a function of the seed.
 */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [0, bound). */
  below(bound: number): number;
  /** Uniform integer in [low, high]. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Index in [0, size): index k about (k + 1)^-exponent times as likely as the first. */
  zipf(size: number, exponent: number): number;
  /** Number of events of a Poisson process with this mean. */
  poisson(mean: number): number;
  /** Log-normal around `median`, as a whole number of at least 1. */
  amount(median: number, spread: number): bigint;
  bytes(length: number): Uint8Array;
  /** Another generator, different at every call: what it is asked does not disturb this one. */
  fork(label: string): Random;
}

/** Above this mean a normal approximation stands in for counting arrivals. */
const POISSON_NORMAL_FROM = 30;

export function createRandom(seed: string): Random {
  const next = sfc32(seed);
  const below = (bound: number) => Math.floor(next() * bound);

  function normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - next()));
    return radius * Math.cos(2 * Math.PI * next());
  }

  return {
    next,
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (probability) => next() < probability,
    pick(list) {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new RangeError('pick from an empty list');
      return picked;
    },
    zipf(size, exponent) {
      // Inversion of the continuous power law; exponent 1 is the logarithm.
      const power = 1 - exponent;
      const reach =
        Math.abs(power) < 1e-9 ? (size + 1) ** next() : (next() * ((size + 1) ** power - 1) + 1) ** (1 / power);
      return Math.min(size - 1, Math.floor(reach) - 1);
    },
    poisson(mean) {
      if (mean > POISSON_NORMAL_FROM) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
      const limit = Math.exp(-mean);
      let count = 0;
      for (let product = next(); product > limit; product *= next()) count++;
      return count;
    },
    amount: (median, spread) => BigInt(Math.max(1, Math.round(median * Math.exp(spread * normal())))),
    bytes(length) {
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length; at++) bytes[at] = below(256);
      return bytes;
    },
    fork: (label) => createRandom(`${seed}/${label}/${next()}`),
  };
}

/** Small fast counter generator; 32-bit integer steps only, so that every engine agrees. */
function sfc32(seed: string): () => number {
  const [first, second, third] = seedWords(seed);
  let a = first;
  let b = second;
  let c = third;
  let counter = 1;
  const step = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4294967296;
  };
  for (let warm = 0; warm < 16; warm++) step();
  return step;
}

/** FNV-1a with three offsets: enough to keep streams of different labels apart. */
function seedWords(seed: string): [number, number, number] {
  const words: [number, number, number] = [0x811c9dc5, 0x9e3779b9, 0x85ebca6b];
  for (let at = 0; at < seed.length; at++) {
    const code = seed.charCodeAt(at);
    for (let word = 0; word < 3; word++) words[word] = Math.imul(words[word]! ^ code, 0x01000193 + 2 * word) | 0;
  }
  return words;
}
