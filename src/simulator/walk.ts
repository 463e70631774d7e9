import { createHash } from 'node:crypto';

/** A wave of a walk: how long it takes, and how far it carries, as a share. */
export interface Wave {
  readonly periodMs: number;
  readonly share: number;
}

/** Where a walk stands that its name and the time, Unix milliseconds, alone decide: a factor around 1. */
export function walkAt(name: string, now: number, waves: readonly Wave[]): number {
  let logarithm = 0;
  for (const { periodMs, share } of waves) {
    const step = Math.floor(now / periodMs);
    const along = now / periodMs - step;
    const from = chanceAt(name, periodMs, step);
    const to = chanceAt(name, periodMs, step + 1);
    // Eased, so that it bends at the steps instead of breaking.
    const eased = along * along * (3 - 2 * along);
    logarithm += share * (from + (to - from) * eased);
  }
  return Math.exp(logarithm);
}

/** Between -1 and 1, the same for the same step always. */
function chanceAt(name: string, periodMs: number, step: number): number {
  const bytes = createHash('sha256').update(`${name} ${periodMs} ${step}`).digest();
  return (bytes.readUInt32LE(0) / 2 ** 32) * 2 - 1;
}
