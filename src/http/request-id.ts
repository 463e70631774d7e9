import { randomBytes } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';

/** Crockford's base 32: digits and letters without I, L, O, U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
const PROCESS_DIGITS = 8;
const COUNTER_DIGITS = 8;
const COUNTER_LIMIT = 32 ** COUNTER_DIGITS;

/**
 * Names requests by ULIDs: 48 bits of time, 40 random bits of the process, and a
 * counter in place of the rest, because a counter is unique and costs no
 * randomness per request.
 */
export function createRequestIds(clock: Clock): () => string {
  const processPart = [...randomBytes(PROCESS_DIGITS)].map((byte) => ALPHABET[byte % 32]).join('');
  let counter = randomBytes(4).readUInt32BE();
  let lastTime = -1;
  let prefix = '';
  return () => {
    const now = clock.now();
    if (now !== lastTime) {
      lastTime = now;
      prefix = base32(now, TIME_DIGITS) + processPart;
    }
    counter = (counter + 1) % COUNTER_LIMIT;
    return prefix + base32(counter, COUNTER_DIGITS);
  };
}

function base32(value: number, digits: number): string {
  let text = '';
  for (let rest = value, i = 0; i < digits; i += 1) {
    text = (ALPHABET[rest % 32] ?? '0') + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
