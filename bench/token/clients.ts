import type { Service } from '../api/processes.ts';

/** Asks for every path with so many clients at once, each taking the next one; milliseconds of each answer. */
export async function askAll<T>(
  things: readonly T[],
  clients: number,
  ask: (thing: T) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  const client = async () => {
    while (next < things.length) {
      const thing = things[next]!;
      next += 1;
      const begun = performance.now();
      await ask(thing);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return times;
}

/** Reads an answer of the service to its end. */
export async function ask(service: Service, path: string): Promise<void> {
  const answer = await fetch(service.address + path, { headers: { 'x-api-key': service.key } });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${body.slice(0, 300)}`);
}

/** The value that so great a share stays under. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
