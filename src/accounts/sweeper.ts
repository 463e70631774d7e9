import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';

/** A chore that is done to the accounts now and then. */
export interface Sweep {
  readonly name: string;
  /** A bounded step; true when there is more to do at once. */
  run(): Promise<boolean>;
}

export interface Sweeper {
  /** Resolves when no step is under way any more. */
  close(): Promise<void>;
}

const PAUSE_MS = 60_000;
/** Steps of one sweep in a row, and the pause between them: requests go first. */
const MAX_STEPS = 20;
const STEP_PAUSE_MS = 50;

/** Runs all sweeps once a minute, one after the other. One that fails does not keep the others from their turn. */
export function startSweeper(sweeps: readonly Sweep[], clock: Clock, log: Logger): Sweeper {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function runOne({ name, run }: Sweep): Promise<void> {
    try {
      for (let step = 0; step < MAX_STEPS && !signal.aborted; step += 1) {
        if (!(await run())) return;
        await clock.sleep(STEP_PAUSE_MS, signal);
      }
    } catch (error) {
      log.warn({ sweep: name, err: String(error) }, 'accounts could not be swept; it is tried again');
    }
  }

  async function runAll(): Promise<void> {
    while (!signal.aborted) {
      for (const sweep of sweeps) if (!signal.aborted) await runOne(sweep);
      await clock.sleep(PAUSE_MS, signal);
    }
  }

  const running = runAll();
  return {
    async close() {
      stopping.abort();
      await running;
    },
  };
}
