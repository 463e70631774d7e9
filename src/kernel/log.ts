import { pino } from 'pino';

type Fields = Readonly<Record<string, unknown>>;

/** Structured log. Fields first, then a sentence. Never log a key, a token or a URL with a secret in it. */
export interface Logger {
  debug(fields: Fields, message: string): void;
  info(fields: Fields, message: string): void;
  warn(fields: Fields, message: string): void;
  error(fields: Fields, message: string): void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Kept of what cannot be written at the moment, bytes: what comes beyond that is dropped. */
const MAX_UNWRITTEN_BYTES = 1024 ** 2;

/**
 * JSON lines on stderr: stdout belongs to the one line that says the service is ready. Where
 * they cannot be written, on a full disk or into a pipe that nobody reads any more, the service goes on without them.
 */
export function createLogger(level: LogLevel, fd = 2): Logger {
  const destination = pino.destination({ fd, sync: true, maxLength: MAX_UNWRITTEN_BYTES });
  destination.on('error', () => {});
  // A line that has no room left is not even tried: nothing at all is, and what was kept goes first.
  destination.on('drop', () => void destination.write(''));
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
