import type { Clock } from './clock.ts';
import type { Logger } from './log.ts';
import { publicText } from './public-text.ts';

/** Something is wrong that a person should know of, until it is over. Plain data. */
export interface Alarm {
  /** Stable; what monitoring matches on. */
  readonly code: string;
  /** Unix milliseconds. */
  readonly since: number;
  /** A sentence with figures in it, for anybody: {@link publicText}. */
  readonly message: string;
}

/** The alarms of one part: logged as errors when they begin, told while they last, logged again when they end. */
export interface Alarms {
  /** Begins or goes on with a message; undefined ends it. */
  set(code: string, message: string | undefined): void;
  /** Those that last, oldest first. */
  list(): readonly Alarm[];
}

export function createAlarms({ clock, log }: { readonly clock: Clock; readonly log: Logger }): Alarms {
  const alarms = new Map<string, Alarm>();
  return {
    set(code, said) {
      const known = alarms.get(code);
      if (said !== undefined) {
        const message = publicText(said);
        const since = known?.since ?? clock.now();
        alarms.set(code, { code, since, message });
        // Once: an alarm that lasts must not fill the log.
        if (known === undefined) log.error({ alarm: code }, message);
      } else if (known !== undefined) {
        alarms.delete(code);
        log.info({ alarm: code, lasted_ms: clock.now() - known.since }, 'the alarm is over');
      }
    },
    list: () => [...alarms.values()],
  };
}
