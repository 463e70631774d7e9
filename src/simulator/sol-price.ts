import { type Wave, walkAt } from './walk.ts';

/** Around this many dollars the simulated SOL moves. */
const CENTRE_USD = 150;
const WAVES: readonly Wave[] = [
  { periodMs: 30_000, share: 0.0008 },
  { periodMs: 600_000, share: 0.004 },
  { periodMs: 21_600_000, share: 0.03 },
  { periodMs: 604_800_000, share: 0.15 },
];

/** The simulated price of SOL in US dollars, to the cent: a walk that the seed and the time of day (Unix milliseconds) alone decide. */
export function simulatedSolUsd(seed: string, now: number): number {
  return Math.round(CENTRE_USD * walkAt(`sol price ${seed}`, now, WAVES) * 100) / 100;
}
