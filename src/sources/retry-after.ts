/** No server gets to park us for longer. */
const MAX_RETRY_AFTER_MS = 60_000;
/** Numbers beyond it are Unix seconds, not a wait. */
const MAX_SECONDS = 1_000_000_000;
/** The standard one, and what limiters send that do not know it. */
const HEADERS = ['retry-after', 'ratelimit-reset', 'x-ratelimit-reset'] as const;

/** Milliseconds that a server asks to wait, given as seconds, Unix seconds or an HTTP date; 0 when it does not say. */
export function retryAfterMs(headers: Pick<Headers, 'get'>, now: number): number {
  for (const name of HEADERS) {
    const text = headers.get(name)?.trim();
    if (text === undefined || text === '') continue;
    const ms = readWait(text, now);
    if (Number.isFinite(ms)) return Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
  }
  return 0;
}

function readWait(text: string, now: number): number {
  const seconds = Number(text);
  if (!Number.isFinite(seconds)) return Date.parse(text) - now;
  return seconds > MAX_SECONDS ? seconds * 1_000 - now : seconds * 1_000;
}
