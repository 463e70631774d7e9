/** Tries of each size, at least; and at most, while the growth looks like that of a square. */
const MIN_TRIES = 5;
const MAX_TRIES = 40;
/** Twice that of what goes through it once. */
const ONCE = 20;

/**
 * How many times as long ten times as much takes: about 10 of what goes through it once, 100 of what goes
 * through all of it for each of its parts. `prepare` gives what is measured. The best try of each size counts, and a machine that is
 * busy gets more of them: what is square stays square however often it is tried.
 */
export function growthOf(prepare: (size: number) => () => unknown, size: number): number {
  const small = prepare(size);
  const large = prepare(10 * size);
  let bestOfSmall = Number.POSITIVE_INFINITY;
  let bestOfLarge = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < MIN_TRIES || (tries < MAX_TRIES && bestOfLarge / bestOfSmall > ONCE); tries += 1) {
    bestOfSmall = Math.min(bestOfSmall, timeOf(small));
    bestOfLarge = Math.min(bestOfLarge, timeOf(large));
  }
  return bestOfLarge / bestOfSmall;
}

function timeOf(run: () => unknown): number {
  const startedAt = performance.now();
  run();
  return performance.now() - startedAt;
}
