import type { Clock } from '../kernel/clock.ts';

/** Where progress is shown; a terminal has columns. */
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
}

/** Between plain lines. */
const PLAIN_LINE_MS = 10_000;
const CLEAR_LINE = '\r\u001b[2K';

export function createProgressLine(stream: ProgressStream, clock: Clock): ProgressLine {
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(text) {
      if (stream.isTTY === true) {
        stream.write(`${CLEAR_LINE}${text.slice(0, (stream.columns ?? 80) - 1)}`);
      } else if (clock.elapsed() - shownAt >= PLAIN_LINE_MS) {
        shownAt = clock.elapsed();
        stream.write(`${text}\n`);
      }
    },
    say(text) {
      stream.write(`${stream.isTTY === true ? CLEAR_LINE : ''}${text}\n`);
    },
  };
}
