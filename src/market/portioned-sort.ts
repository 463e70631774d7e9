import type { Portions } from './portions.ts';

/** Items that are put in order, or gone through, between two turns of others: a fraction of a millisecond. */
const AT_ONCE = 1_000;

/** A list in order, made in portions. */
export async function sortInPortions<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  portions: Portions,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    runs.push(items.slice(at, at + AT_ONCE).sort(compare));
    await portions.turn();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [a, b] = [runs[at]!, runs[at + 1]];
      merged.push(b === undefined ? a : await merge(a, b, compare, portions));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  a: readonly T[],
  b: readonly T[],
  compare: (a: T, b: T) => number,
  portions: Portions,
): Promise<T[]> {
  const merged: T[] = [];
  let [atA, atB] = [0, 0];
  while (atA < a.length && atB < b.length) {
    if (compare(a[atA]!, b[atB]!) <= 0) merged.push(a[atA++]!);
    else merged.push(b[atB++]!);
    if (merged.length % AT_ONCE === 0) await portions.turn();
  }
  return merged.concat(a.slice(atA), b.slice(atB));
}
