/** How long calls took that several callers made at once, each waiting for its answer before the next. */
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
  const millis = rounds.flatMap((round) => round.millis).sort((one, other) => one - other);
  const at = (share: number) => millis[Math.min(millis.length - 1, Math.floor(millis.length * share))] ?? Number.NaN;
  const seconds = rounds.reduce((sum, round) => sum + round.seconds, 0);
  return { perSecond: millis.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Of calls a second, ours to theirs, round by round; the median. */
export function medianRatio(ours: readonly Round[], theirs: readonly Round[]): number {
  const rate = (round: Round | undefined) => (round === undefined ? Number.NaN : round.millis.length / round.seconds);
  const ratios = ours.map((round, index) => rate(round) / rate(theirs[index])).sort((one, other) => one - other);
  return ratios[ratios.length >> 1] ?? Number.NaN;
}
