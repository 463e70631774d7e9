import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';

/** The stream that progress is shown on; a terminal has columns. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressLine {
  /** Shows a line in the place of the one before; somewhere else than in a terminal, a line now and then. */
  show(text: string): void;
  /** Writes a line that stays. */
  say(text: string): void;
  /** A log whose lines do not run into the progress of the same terminal. */
  above(log: Logger): Logger;
}

/** Between plain lines. */
const PLAIN_LINE_MS = 10_000;
const CLEAR_LINE = '\r\u001b[2K';

/** Of a terminal that does not tell. */
const USUAL_COLUMNS = 80;

export function createProgressLine(stream: ProgressStream, clock: Clock): ProgressLine {
  let shownAt = Number.NEGATIVE_INFINITY;
  const isTerminal = stream.isTTY === true;
  const columns = () => (stream.columns === undefined || stream.columns === 0 ? USUAL_COLUMNS : stream.columns);

  function clear(): void {
    if (isTerminal) stream.write(CLEAR_LINE);
  }

  return {
    show(text) {
      if (isTerminal) {
        stream.write(`${CLEAR_LINE}${text.slice(0, columns() - 1)}`);
      } else if (clock.elapsed() - shownAt >= PLAIN_LINE_MS) {
        shownAt = clock.elapsed();
        stream.write(`${text}\n`);
      }
    },
    say(text) {
      clear();
      stream.write(`${text}\n`);
    },
    above: (log) => ({
      debug: (fields, message) => {
        clear();
        log.debug(fields, message);
      },
      info: (fields, message) => {
        clear();
        log.info(fields, message);
      },
      warn: (fields, message) => {
        clear();
        log.warn(fields, message);
      },
      error: (fields, message) => {
        clear();
        log.error(fields, message);
      },
    }),
  };
}
