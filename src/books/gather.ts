import type { Address } from '../chain/address.ts';
import { SharedRead } from '../store/reads/shared-read.ts';

interface Gathering<T> {
  readonly mints: Address[];
  readonly answers: SharedRead<readonly T[]>;
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
  /** The one that is still open to others, of each slot. */
  const open = new Map<number, Gathering<T>>();

  function begin(mark: number): Gathering<T> {
    const mints: Address[] = [];
    const answers = new SharedRead(async () => {
      // Everybody of this turn has asked by then.
      await Promise.resolve();
      if (open.get(mark) === begun) open.delete(mark);
      return read(mints, mark);
    });
    const begun = { mints, answers };
    open.set(mark, begun);
    return begun;
  }

  return async (mint, mark) => {
    const known = open.get(mark);
    const isOpen = known !== undefined && known.mints.length < maxTogether && !known.answers.abandoned;
    const { mints, answers } = isOpen ? known : begin(mark);
    const place = mints.push(mint) - 1;
    return (await answers.wait())[place]!;
  };
}
