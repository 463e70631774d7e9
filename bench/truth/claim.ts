/**
 * A claim of an answer about a token, beside the truth and the claim of a naive rule, all as sets of the same words.
 * `rule` holds the answer to the definition it is given by; `intent` to what the actors meant.
 */
export interface Claim {
  readonly name: string;
  readonly by: 'rule' | 'intent';
  readonly truth: ReadonlySet<string>;
  readonly claimed: ReadonlySet<string>;
  readonly naive?: ReadonlySet<string>;
  /** The part of the answer that claims it. */
  readonly answer: unknown;
}

/** Right ones, wrong ones, and those that were not claimed. */
export interface Score {
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
}

/** A claim's scores over tokens. */
export interface ClaimScore {
  readonly name: string;
  readonly by: Claim['by'];
  readonly ours: Score;
  readonly naive?: Score;
}

export const NOTHING: Score = { right: 0, wrong: 0, missed: 0 };

export function scoreOf(claimed: ReadonlySet<string>, truth: ReadonlySet<string>): Score {
  let right = 0;
  for (const word of claimed) if (truth.has(word)) right++;
  return { right, wrong: claimed.size - right, missed: truth.size - right };
}

export function addScores(a: Score, b: Score): Score {
  return { right: a.right + b.right, wrong: a.wrong + b.wrong, missed: a.missed + b.missed };
}

/** Sums of scores by claim, in the order in which claims first come. */
export class ScoreBoard {
  readonly #sums = new Map<string, ClaimScore>();

  add({ by, name, naive, ours }: ClaimScore): void {
    const key = `${name} ${by}`;
    const sum = this.#sums.get(key);
    const naiveSum = naive === undefined ? sum?.naive : addScores(sum?.naive ?? NOTHING, naive);
    this.#sums.set(key, {
      name,
      by,
      ours: addScores(sum?.ours ?? NOTHING, ours),
      ...(naiveSum === undefined ? {} : { naive: naiveSum }),
    });
  }

  scores(): ClaimScore[] {
    return [...this.#sums.values()];
  }
}

export function precision({ right, wrong }: Score): number | undefined {
  return right + wrong === 0 ? undefined : right / (right + wrong);
}

export function recall({ right, missed }: Score): number | undefined {
  return right + missed === 0 ? undefined : right / (right + missed);
}

/** Harmonic mean of precision and recall; undefined when there was nothing to claim. */
export function f1({ right, wrong, missed }: Score): number | undefined {
  const all = 2 * right + wrong + missed;
  return all === 0 ? undefined : (2 * right) / all;
}
