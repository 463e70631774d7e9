import type { Logger } from './log.ts';

/** What somebody told last, kept beyond this process. */
export interface LastKnown<T> {
  load(): Promise<readonly T[]>;
  /** May be given what is kept already. */
  keep(told: readonly T[]): Promise<void>;
}

/**
 * The same where it may fail: then nothing was kept, and nothing is. Each is a warning, the second one once until it is
 * over. Without a keeper there is never anything.
 */
export function withoutFaults<T>(
  kept: LastKnown<T> | undefined,
  { log, what }: { readonly log: Logger; readonly what: string },
): LastKnown<T> {
  let isFailing = false;
  return {
    async load() {
      try {
        return (await kept?.load()) ?? [];
      } catch (error) {
        log.warn({ err: String(error) }, `${what} of before could not be read`);
        return [];
      }
    },
    async keep(told) {
      if (kept === undefined || told.length === 0) return;
      try {
        await kept.keep(told);
        if (isFailing) log.info({}, `${what} are kept again`);
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ err: String(error) }, `${what} could not be kept`);
        isFailing = true;
      }
    },
  };
}
