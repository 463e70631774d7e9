import type { Figures } from './benchmark.ts';

/**
 * Throws when figures show that nothing was measured: a number that is none (JSON would print it as null), a rate or a
 * ratio of nothing, no figure at all. A ratio may be left out only where a part of a benchmark was asked for.
 */
export function judgeFigures(name: string, figures: Figures, { whole }: { readonly whole: boolean }): void {
  if (figures.bench !== name) throw new Error(`the line of ${name} says that it is of ${String(figures.bench)}`);
  const faults = numbersOf(figures).flatMap(([path, value]) => {
    if (!Number.isFinite(value)) return [`${path} is ${value}`];
    return MEASURED.test(path) && value <= 0 ? [`${path} is ${value}: nothing was measured`] : [];
  });
  if (whole && typeof figures.ratio !== 'number') faults.push('there is no ratio');
  if (faults.length > 0) throw new Error(`bench ${name}: ${faults.join('; ')}`);
}

/** Names of figures that are above zero whenever something was done. */
const MEASURED = /(^|_)(ratio|per_second)$/;

function numbersOf(value: unknown, path = ''): (readonly [path: string, value: number])[] {
  if (typeof value === 'number') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => numbersOf(each, path === '' ? name : `${path}.${name}`));
}
