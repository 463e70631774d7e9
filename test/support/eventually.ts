import { vi } from 'vitest';

/** Below the timeout of a test, so that what did not hold is told. */
const PATIENCE_MS = 240_000;
const BETWEEN_LOOKS_MS = 10;

/** Waits until what is checked does not throw, however slow the machine. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: BETWEEN_LOOKS_MS });
}
