import { createRandom, type Random } from '../../src/simulator/random.ts';

/**
 * The seed of everything that tests draw: `MINTSCOPE_TEST_SEED`, which
 * `vitest.config.ts` sets to a new one for each run, and prints when a test fails.
 */
export const TEST_SEED = Number(process.env.MINTSCOPE_TEST_SEED ?? 1);

let stream: Random = createRandom(`${TEST_SEED}`);

/**
 * Sets the stream that is drawn from now on. Every test has a stream of its own (`seeded-tests.ts`), so that it draws
 * the same whether others run before it or not.
 */
export function drawFrom(random: Random): void {
  stream = random;
}

/** The stream of a file, or of a test in it. */
export function streamOf(label: string): Random {
  return createRandom(`${TEST_SEED}/${label}`);
}

/** So many bytes, which nobody else of the run is likely to draw when there are sixteen or more. */
export function randomBytes(length: number): Buffer<ArrayBuffer> {
  return Buffer.from(stream.bytes(length));
}

/** A whole number from `low` to `high`, both included. */
export function randomBetween(low: number, high: number): number {
  return stream.between(low, high);
}

/** One of a list that is not empty. */
export function randomOf<T>(list: readonly T[]): T {
  return stream.pick(list);
}
