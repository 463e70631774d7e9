/** Bytes that JavaScript holds, inside of its heap and outside, behind a collection of garbage. */
export function heldBytes(): number {
  if (globalThis.gc === undefined) throw new Error('run it with `npm run bench`, which counts what is left of garbage');
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
