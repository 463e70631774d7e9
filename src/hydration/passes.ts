import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';

/** Milliseconds between two passes: facts older than the data stay unknown for about so long. */
const PASS_EVERY_MS = 10_000;
/** After trouble with the node or the store. */
const PAUSE_AFTER_TROUBLE_MS = 60_000;

/** Pass after pass until the signal aborts. Trouble is logged as `trouble`, and passes. */
export async function runPasses(
  pass: (signal: AbortSignal) => Promise<unknown>,
  { clock, log, trouble }: { readonly clock: Clock; readonly log: Logger; readonly trouble: string },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let pauseMs = PASS_EVERY_MS;
    try {
      await pass(signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: String(error) }, trouble);
      pauseMs = PAUSE_AFTER_TROUBLE_MS;
    }
    await clock.sleep(pauseMs, signal);
  }
}
