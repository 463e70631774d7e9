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

/** JSON lines on stderr: stdout belongs to the one line that says the service is ready. */
export function createLogger(level: LogLevel): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ fd: 2, sync: true }));
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
