import { percentile, rounded } from '../run/statistics.ts';

/** Answers to the requests of one customer. */
export interface Phase {
  /** Milliseconds of each answer, whatever its status. */
  readonly times: number[];
  /** Answers by status; `cut` without one. */
  readonly statuses: Record<string, number>;
}

export function note(phase: Phase, status: number | 'cut', ms: number): void {
  phase.times.push(ms);
  phase.statuses[status] = (phase.statuses[status] ?? 0) + 1;
}

export function phaseFigures(name: string, { times }: Phase): Readonly<Record<string, number>> {
  return {
    [`${name}_reads`]: times.length,
    [`${name}_p50_ms`]: rounded(percentile(times, 0.5), 1),
    [`${name}_p99_ms`]: rounded(percentile(times, 0.99), 1),
  };
}

/** Of the quiet customer alone and beside the neighbour, and of the neighbour. */
export type Phases = Readonly<Record<'alone' | 'beside' | 'theirs', Phase>>;

/** Bounds that the quiet customer must reach for the figures to mean anything. */
export interface QuietBounds {
  /** In each phase, at least. */
  readonly reads: number;
  /** Of those beside the neighbour, the part that is answered at least: a quick refusal is no fast read. */
  readonly answered: number;
}

/** Throws unless everybody asked and was answered as they must be. */
export function agreesWithItself({ alone, beside, theirs }: Phases, { reads, answered }: QuietBounds): void {
  for (const [name, { times, statuses }, part] of [
    ['alone', alone, 1],
    ['beside the neighbour', beside, answered],
  ] as const) {
    if (times.length < reads) throw new Error(`${name}: ${times.length} of ${reads} reads`);
    if ((statuses[200] ?? 0) < part * times.length) throw new Error(`${name}: ${JSON.stringify(statuses)}`);
  }
  if (theirs.times.length === 0) throw new Error('the neighbour asked nothing');
  const known = new Set(['200', '429', '503', '504']);
  for (const { statuses } of [beside, theirs]) {
    const strange = Object.keys(statuses).filter((status) => !known.has(status));
    if (strange.length > 0) throw new Error(`answers of ${strange.join(', ')}`);
  }
}
