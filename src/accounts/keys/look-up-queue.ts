/** Runs look-ups of keys or sessions that are not known, a few at a time, each once however many ask for it. */
export interface LookUpQueue<T> {
  /** Rejects with what the look-up rejects with, or when too many wait. */
  run(digest: string, lookUp: () => Promise<T>): Promise<T>;
}

/** Half of the connections that a process has to the database: keys that nobody knows never take all. */
const MAX_RUNNING = 4;
/** Look-ups that wait for one of those; a quarter of a second's work. */
const MAX_WAITING = 2_000;

export interface LookUpQueueOptions {
  /** How many run at once. */
  readonly running?: number;
}

export function createLookUpQueue<T>({ running: most = MAX_RUNNING }: LookUpQueueOptions = {}): LookUpQueue<T> {
  const asked = new Map<string, Promise<T>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function take(): Promise<void> {
    if (running < most) {
      running += 1;
      return;
    }
    // Whoever is done hands its place on.
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function handOn(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  async function runOne(lookUp: () => Promise<T>): Promise<T> {
    await take();
    try {
      return await lookUp();
    } finally {
      handOn();
    }
  }

  return {
    run(digest, lookUp) {
      const shared = asked.get(digest);
      if (shared !== undefined) return shared;
      if (waiting.length >= MAX_WAITING) return Promise.reject(new Error('too many look-ups wait'));
      const result = runOne(lookUp).finally(() => asked.delete(digest));
      asked.set(digest, result);
      return result;
    },
  };
}
