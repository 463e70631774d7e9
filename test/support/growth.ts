const TRIES = 5;

/**
 * How many times as long ten times as much takes: about 10 of what goes through it once, 100 of what goes
 * through all of it for each of its parts. `prepare` gives what is measured; the best of several tries counts,
 * so that a busy machine does not tell.
 */
export function growthOf(prepare: (size: number) => () => unknown, size: number): number {
  return bestOf(prepare(10 * size)) / bestOf(prepare(size));
}

function bestOf(run: () => unknown): number {
  const times = Array.from({ length: TRIES }, () => {
    const startedAt = performance.now();
    run();
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}
