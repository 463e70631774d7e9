import { readdirSync, readFileSync } from 'node:fs';
import { median, rounded } from '../run/statistics.ts';

const KILOBYTE = 1_024;
const MEGABYTE = 1_000_000;
/** At most: the median of the last third over that of the second one, less one. */
const GROWTH_BAR = 0.05;

/** Resident bytes of a process; 0 when it has ended. */
function residentBytes(pid: number): number {
  try {
    return KILOBYTE * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Processes that a process started and that run. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => parentOf(child) === pid);
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    // Processes end while we look.
    return Number.NaN;
  }
}

/** Resident memory of some processes over a run, by name. */
export class MemorySamples<N extends string> {
  readonly #samples = new Map<N, number[]>();

  take(pids: Readonly<Record<N, readonly number[]>>): void {
    for (const [name, own] of Object.entries(pids) as [N, readonly number[]][]) {
      const bytes = own.reduce((sum, pid) => sum + residentBytes(pid), 0);
      if (bytes === 0) throw new Error(`no process of ${name} is there any more`);
      this.#samples.set(name, [...(this.#samples.get(name) ?? []), bytes]);
    }
  }

  /** What each process had in the second and in the last third of the run, and by how much that is more. */
  figures(): Readonly<Record<string, number>> {
    const figures: Record<string, number> = { memory_growth_bar: GROWTH_BAR };
    for (const [name, bytes] of this.#samples) {
      const third = Math.floor(bytes.length / 3);
      if (third === 0) throw new Error(`${bytes.length} samples of the memory of ${name} are too few`);
      const [second, last] = [median(bytes.slice(third, 2 * third)), median(bytes.slice(-third))];
      figures[`${name}_memory_second_third_mb`] = rounded(second / MEGABYTE, 1);
      figures[`${name}_memory_last_third_mb`] = rounded(last / MEGABYTE, 1);
      figures[`${name}_memory_most_mb`] = rounded(Math.max(...bytes) / MEGABYTE, 1);
      figures[`${name}_memory_growth`] = rounded(last / second - 1, 3);
    }
    return figures;
  }
}
