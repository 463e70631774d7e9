import { randomInt } from 'node:crypto';

/** Below this: a seed of fast-check has 32 bits. */
const MAX_SEED = 2 ** 31;

/** The seed of a run of tests, from which its short form is drawn too: `MINTSCOPE_TEST_SEED`, or a new one. */
export function seedOfRun() {
  return process.env.MINTSCOPE_TEST_SEED || String(randomInt(1, MAX_SEED));
}

/** So many of a list, by the seed: over many runs each has its turn. */
export function drawFiles(list, count, seed) {
  const rest = [...list].sort();
  let state = Number(seed);
  return Array.from({ length: Math.min(count, rest.length) }, () => {
    // Numerical Recipes' generator: its high bits are random enough for this.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return rest.splice(Math.floor((state / 2 ** 32) * rest.length), 1)[0];
  });
}
