/** The only way to the time of day. Facts never see it: slots are their clock. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Monotonic milliseconds, for measuring. */
  elapsed(): number;
  /** Resolves after `ms`, or at once (without error) when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) {
        resolve();
        return;
      }
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done, { once: true });
    }),
};
