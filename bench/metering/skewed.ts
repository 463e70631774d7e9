/** So that every run asks with the same ones. */
const SEED = 12_345;

/**
 * So many keys as customers use them: the n-th is asked with 1/n times as often as
 * the first (Zipf's law), in an order by chance that is the same in every run.
 */
export function skewed(keys: readonly string[], count: number): readonly string[] {
  const sums: number[] = [];
  let sum = 0;
  for (let rank = 1; rank <= keys.length; rank += 1) {
    sum += 1 / rank;
    sums.push(sum);
  }
  let state = SEED;
  return Array.from({ length: count }, () => {
    // Knuth's multiplier modulo 2^32.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return keys[rankAt(sums, (state / 2 ** 32) * sum)] ?? '';
  });
}

/** The first rank whose sum is above the value. */
function rankAt(sums: readonly number[], value: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
