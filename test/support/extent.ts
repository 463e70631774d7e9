/**
 * True when tests run at their full extent (`npm run test:full`, which CI runs). Otherwise they run in the short form
 * of `npm test`, which tries the same guarantees on less.
 */
const isFull = process.env.MINTSCOPE_TEST_EXTENT === 'full';

/** Size of a test: so many runs, blocks, seeds. */
export function extent<T>(short: T, full: T): T {
  return isFull ? full : short;
}
