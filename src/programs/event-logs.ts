import type { Address } from '../chain/address.ts';
import type { LogLines } from '../chain/block.ts';

const DATA_PREFIX = 'Program data: ';
const PROGRAM_PREFIX = 'Program ';
const TRUNCATED = 'Log truncated';

/**
 * The event bytes that a program logged, in order; undefined unless the logs
 * are whole and hold exactly `count` of them. A line belongs to the program on
 * top of the call stack that the `invoke` and `success` lines tell: others may
 * log the same bytes. Logs are cut off at about 10 kB, so they are only ever a
 * cheaper copy of what the recorded calls hold.
 */
export function readEventLogs(logs: LogLines, program: Address, count: number): Uint8Array[] | undefined {
  if (!logs.present) return undefined;
  const stack: boolean[] = [];
  const events: Uint8Array[] = [];
  for (let i = 0; i < logs.length; i++) {
    const line = logs.at(i);
    if (line === TRUNCATED) return undefined;
    if (line.startsWith(DATA_PREFIX)) {
      if (stack.at(-1) !== true) continue;
      if (events.length === count) return undefined;
      events.push(Buffer.from(line.slice(DATA_PREFIX.length), 'base64'));
    } else if (isInvoke(line)) {
      stack.push(line.startsWith(program, PROGRAM_PREFIX.length));
    } else if (isReturn(line)) {
      stack.pop();
    }
  }
  return events.length === count ? events : undefined;
}

/** `Program <id> invoke [<depth>]` */
function isInvoke(line: string): boolean {
  return line.endsWith(']') && idEnd(line, ' invoke [') > 0;
}

/** `Program <id> success` or `Program <id> failed: <why>` */
function isReturn(line: string): boolean {
  return idEnd(line, ' success') > 0 || idEnd(line, ' failed') > 0;
}

/** Index of `text` in a line that begins with `Program <id>`, or -1. */
function idEnd(line: string, text: string): number {
  if (!line.startsWith(PROGRAM_PREFIX)) return -1;
  const end = line.indexOf(' ', PROGRAM_PREFIX.length);
  // Lines that a program writes itself begin `Program log:`: they may say `success`, and must not move the stack.
  return end > 0 && line[end - 1] !== ':' && line.startsWith(text, end) ? end : -1;
}
