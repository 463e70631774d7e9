import type { Address } from '../chain/address.ts';

interface Waiting<T> {
  readonly mint: Address;
  readonly resolve: (answer: T) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Asks about a mint together with all others that are asked about in the same
 * turn of the event loop, as of the same slot: one read over many instead of one
 * for each. `read` answers in the order given, of `maxTogether` mints at most.
 */
export function gatherReads<T>(
  read: (mints: readonly Address[], mark: number) => Promise<readonly T[]>,
  maxTogether: number,
): (mint: Address, mark: number) => Promise<T> {
  const byMark = new Map<number, Waiting<T>[]>();

  async function run(mark: number): Promise<void> {
    const waiting = byMark.get(mark) ?? [];
    byMark.delete(mark);
    for (let first = 0; first < waiting.length; first += maxTogether) {
      const together = waiting.slice(first, first + maxTogether);
      try {
        const answers = await read(
          together.map(({ mint }) => mint),
          mark,
        );
        for (const [place, { resolve }] of together.entries()) resolve(answers[place]!);
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
  }

  return (mint, mark) =>
    new Promise((resolve, reject) => {
      const waiting = byMark.get(mark);
      if (waiting !== undefined) {
        waiting.push({ mint, resolve, reject });
        return;
      }
      byMark.set(mark, [{ mint, resolve, reject }]);
      // run() never rejects: it hands failures to those who wait.
      queueMicrotask(() => void run(mark));
    });
}
