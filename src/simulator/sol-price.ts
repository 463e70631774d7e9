import { createHash } from 'node:crypto';

/** Around this many dollars the simulated SOL moves. */
const CENTRE_USD = 150;
/** Waves of the walk: how long one takes, and how far it carries the price, as a share of it. */
const WAVES: readonly { readonly periodMs: number; readonly share: number }[] = [
  { periodMs: 30_000, share: 0.0008 },
  { periodMs: 600_000, share: 0.004 },
  { periodMs: 21_600_000, share: 0.03 },
  { periodMs: 604_800_000, share: 0.15 },
];

/** The simulated price of SOL in US dollars, to the cent: a walk that the seed and the time of day (Unix milliseconds) alone decide. */
export function simulatedSolUsd(seed: string, now: number): number {
  let logarithm = 0;
  for (const { periodMs, share } of WAVES) {
    const step = Math.floor(now / periodMs);
    const along = now / periodMs - step;
    const from = chanceAt(seed, periodMs, step);
    const to = chanceAt(seed, periodMs, step + 1);
    // Eased, so that it bends at the steps instead of breaking.
    const eased = along * along * (3 - 2 * along);
    logarithm += share * (from + (to - from) * eased);
  }
  return Math.round(CENTRE_USD * Math.exp(logarithm) * 100) / 100;
}

/** Between -1 and 1, the same for the same step always. */
function chanceAt(seed: string, periodMs: number, step: number): number {
  const bytes = createHash('sha256').update(`sol price ${seed} ${periodMs} ${step}`).digest();
  return (bytes.readUInt32LE(0) / 2 ** 32) * 2 - 1;
}
