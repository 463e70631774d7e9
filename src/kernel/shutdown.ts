/**
 * One place that knows how to stop. Things are stopped in the reverse of the
 * order in which they were added, each within what is left of the time.
 */
export interface Shutdown {
  readonly signal: AbortSignal;
  add(name: string, stop: () => Promise<void> | void): void;
  /** Idempotent: every caller gets the same promise. Resolves with the names that failed or ran out of time. */
  stop(timeoutMs: number): Promise<readonly string[]>;
}

export function createShutdown(): Shutdown {
  const controller = new AbortController();
  const entries: { name: string; stop: () => Promise<void> | void }[] = [];
  let stopping: Promise<readonly string[]> | undefined;

  async function run(timeoutMs: number): Promise<readonly string[]> {
    controller.abort();
    const deadline = performance.now() + timeoutMs;
    const failed: string[] = [];
    for (const { name, stop } of entries.reverse()) {
      const left = Math.max(0, deadline - performance.now());
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), left);
      });
      try {
        if ((await Promise.race([Promise.resolve(stop()), late])) === 'late') failed.push(name);
      } catch {
        failed.push(name);
      } finally {
        clearTimeout(timer);
      }
    }
    return failed;
  }

  return {
    signal: controller.signal,
    add(name, stop) {
      entries.push({ name, stop });
    },
    stop(timeoutMs) {
      stopping ??= run(timeoutMs);
      return stopping;
    },
  };
}
