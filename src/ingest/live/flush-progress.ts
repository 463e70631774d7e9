/** Progress of the store, in the numbers of what was folded. */
export interface FlushProgress {
  /** The store has everything up to this number. */
  note(number: number): void;
  /** Resolves with true when the store has everything up to this number, with false when the signal aborts first. */
  reached(number: number, signal: AbortSignal): Promise<boolean>;
}

export function createFlushProgress(): FlushProgress {
  let flushed = 0;
  const waiting = new Set<() => void>();

  return {
    note(number) {
      flushed = Math.max(flushed, number);
      for (const wake of waiting) wake();
    },
    async reached(number, signal) {
      while (flushed < number && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake);
            signal.removeEventListener('abort', wake);
            resolve();
          };
          waiting.add(wake);
          signal.addEventListener('abort', wake);
        });
      }
      return flushed >= number;
    },
  };
}
