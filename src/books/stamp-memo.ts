import { createBoundedMap } from '../kernel/bounded-map.ts';
import { SharedRead } from '../store/reads/shared-read.ts';

/** Answers shared by everybody who asks while a stamp stays the same: a second, a version. */
export interface StampMemo<T> {
  /** The answer of this stamp, made now when nobody has asked yet. */
  get(key: string, stamp: string | number, make: () => Promise<T>): Promise<T>;
}

/** At most `capacity` keys are kept, the one made longest ago first to go. */
export function createStampMemo<T>(capacity: number): StampMemo<T> {
  const answers = createBoundedMap<string, { readonly stamp: string | number; readonly answer: SharedRead<T> }>(
    capacity,
  );
  return {
    get(key, stamp, make) {
      const known = answers.peek(key);
      if (known?.stamp === stamp && !known.answer.abandoned) return known.answer.wait();
      const answer = new SharedRead(async () => {
        try {
          return await make();
        } catch (error) {
          // A failure is only theirs who waited for it.
          if (answers.peek(key) === entry) answers.delete(key);
          throw error;
        }
      });
      const entry = { stamp, answer };
      answers.set(key, entry);
      return answer.wait();
    },
  };
}
