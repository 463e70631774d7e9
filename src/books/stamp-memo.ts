import { createBoundedMap } from '../kernel/bounded-map.ts';
import { SharedRead } from '../store/reads/shared-read.ts';

/** Answers shared by everybody who asks while a stamp stays the same: a second, a version. */
export interface StampMemo<T> {
  /** The answer of this stamp, made now when nobody has asked yet; without a promise once it is there. */
  get(key: string, stamp: string | number, make: () => Promise<T>): T | Promise<T>;
}

interface Entry<T> {
  readonly stamp: string | number;
  readonly answer: SharedRead<T>;
  made: { readonly value: T } | undefined;
}

/** At most `capacity` keys are kept, the one made longest ago first to go. */
export function createStampMemo<T>(capacity: number): StampMemo<T> {
  const answers = createBoundedMap<string, Entry<T>>(capacity);
  return {
    get(key, stamp, make) {
      const known = answers.peek(key);
      if (known?.stamp === stamp) {
        if (known.made !== undefined) return known.made.value;
        if (!known.answer.abandoned) return known.answer.wait();
      }
      const answer = new SharedRead(async () => {
        try {
          const value = await make();
          entry.made = { value };
          return value;
        } catch (error) {
          // A failure is only theirs who waited for it.
          if (answers.peek(key) === entry) answers.delete(key);
          throw error;
        }
      });
      const entry: Entry<T> = { stamp, answer, made: undefined };
      answers.set(key, entry);
      return answer.wait();
    },
  };
}
