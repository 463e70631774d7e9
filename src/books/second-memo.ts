/** Answers that are shared by everybody who asks within one second. */
export interface SecondMemo<T> {
  /** The answer of this second, made now when nobody has asked yet. */
  get(key: string, second: number, make: () => Promise<T>): Promise<T>;
}

/** At most `capacity` keys are kept, the oldest second's first to go. */
export function createSecondMemo<T>(capacity: number): SecondMemo<T> {
  const answers = new Map<string, { readonly second: number; readonly answer: Promise<T> }>();
  return {
    get(key, second, make) {
      const known = answers.get(key);
      if (known?.second === second) return known.answer;
      const answer = make();
      answers.delete(key);
      answers.set(key, { second, answer });
      // A failure is nobody's answer but the one's who asked.
      answer.catch(() => answers.delete(key));
      const oldest = answers.keys().next();
      if (answers.size > capacity && !oldest.done) answers.delete(oldest.value);
      return answer;
    },
  };
}
