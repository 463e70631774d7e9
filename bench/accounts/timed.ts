import { medianRatio, percentile } from '../run/statistics.ts';

/** Times of calls that several callers made at once, each waiting for its answer before the next. */
export interface Timed {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Calls of one round. */
export interface Round {
  readonly seconds: number;
  readonly millis: readonly number[];
}

/** Does every piece of work once; `callers` share it out among them. */
export async function timeRound<T>(
  pieces: readonly T[],
  callers: number,
  work: (piece: T) => Promise<unknown>,
): Promise<Round> {
  const millis: number[] = [];
  const queue = pieces.values();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (const piece of queue) {
        const before = performance.now();
        await work(piece);
        millis.push(performance.now() - before);
      }
    }),
  );
  return { seconds: (performance.now() - start) / 1_000, millis };
}

export function summed(rounds: readonly Round[]): Timed {
  const millis = rounds.flatMap((round) => round.millis);
  const seconds = rounds.reduce((sum, round) => sum + round.seconds, 0);
  return { perSecond: millis.length / seconds, p50Ms: percentile(millis, 0.5), p99Ms: percentile(millis, 0.99) };
}

/** Of calls a second, ours to theirs, round by round; the median. */
export function ratioOfRates(ours: readonly Round[], theirs: readonly Round[]): number {
  const rates = (rounds: readonly Round[]) => rounds.map(({ millis, seconds }) => millis.length / seconds);
  return medianRatio(rates(ours), rates(theirs));
}
