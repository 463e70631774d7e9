import { percentile, rounded } from '../token/clients.ts';

/** What came of the requests of somebody. */
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

/** Throws unless everybody asked and was answered as they must be. */
export function agreesWithItself({ alone, beside, theirs }: Phases): void {
  const answered = alone.statuses[200] ?? 0;
  if (answered === 0 || answered < alone.times.length) throw new Error(`alone: ${JSON.stringify(alone.statuses)}`);
  if (beside.times.length === 0) throw new Error('beside the neighbour nothing was asked');
  if (theirs.times.length === 0) throw new Error('the neighbour asked nothing');
  const known = new Set(['200', '429', '503', '504']);
  for (const { statuses } of [beside, theirs]) {
    const strange = Object.keys(statuses).filter((status) => !known.has(status));
    if (strange.length > 0) throw new Error(`answers of ${strange.join(', ')}`);
  }
}
