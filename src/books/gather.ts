import type { Address } from '../chain/address.ts';
import { ReadFault } from '../store/reads/read-fault.ts';
import { readerNow } from '../store/reads/reader.ts';
import { SharedRead } from '../store/reads/shared-read.ts';

export interface GatherLimits {
  /** Mints of one read. */
  readonly together: number;
  /** Milliseconds for which a read waits at most for one before it to end. 0: each begins with its turn of the event loop. */
  readonly waitMs: number;
}

/** Questions that are asked together. */
interface Gathering<T> {
  /** How many wait, by mint. */
  readonly asked: Map<Address, number>;
  readonly answers: SharedRead<ReadonlyMap<Address, T>>;
  /** Begins without waiting any longer. */
  readonly hurry: () => void;
}

/**
 * Asks about a mint together with all others that wait to be asked about as of the same slot: one read over many, which
 * costs the store hardly more than one over one. The first is asked about at once, with those of the same turn of the
 * event loop; whoever comes while a read is under way joins the next, which begins when a read has ended, when it has
 * waited long enough, or when it is full.
 *
 * The read is that of all who wait for it: it stands in the line of each. Whoever has left before it begins is not asked
 * about, and where what was asked made it fail, each is asked about alone, so that no mint can spoil the answers of others.
 * `read` answers in the order given.
 */
export function gatherReads<T>(
  read: (mints: readonly Address[], mark: number) => Promise<readonly T[]>,
  { together, waitMs }: GatherLimits,
): (mint: Address, mark: number) => Promise<T> {
  /** The one that is still open to others, of each slot. */
  const open = new Map<number, Gathering<T>>();
  const lane = createLane(waitMs);

  async function readAll(asked: ReadonlyMap<Address, number>, mark: number): Promise<ReadonlyMap<Address, T>> {
    const mints = [...asked.keys()];
    if (mints.length === 0) return new Map();
    const answers = await lane.run(() => read(mints, mark));
    return new Map(mints.map((mint, place) => [mint, answers[place]!]));
  }

  function begin(mark: number): Gathering<T> {
    const asked = new Map<Address, number>();
    const place = lane.place();
    const answers = new SharedRead(async () => {
      await place.come();
      if (open.get(mark) === begun) open.delete(mark);
      return readAll(new Map(asked), mark);
    });
    const begun: Gathering<T> = { asked, answers, hurry: place.hurry };
    open.set(mark, begun);
    return begun;
  }

  return async (mint, mark) => {
    const known = open.get(mark);
    const gathering = known !== undefined && !known.answers.abandoned ? known : begin(mark);
    const { asked, answers } = gathering;
    asked.set(mint, (asked.get(mint) ?? 0) + 1);
    if (asked.size >= together) {
      open.delete(mark);
      gathering.hurry();
    }
    try {
      return (await answers.wait()).get(mint)!;
    } catch (error) {
      // A fault of its own says that the store was not to be had, whatever was asked.
      if (error instanceof ReadFault || asked.size === 1 || readerNow().left !== undefined) throw error;
      return (await read([mint], mark))[0]!;
    } finally {
      const others = (asked.get(mint) ?? 1) - 1;
      if (others > 0) asked.set(mint, others);
      else asked.delete(mint);
    }
  };
}

/** Where reads wait for one another to end, for so many milliseconds at most. */
function createLane(waitMs: number) {
  let underWay = 0;
  const waiting = new Set<() => void>();

  return {
    async run<T>(read: () => Promise<T>): Promise<T> {
      underWay += 1;
      try {
        return await read();
      } finally {
        underWay -= 1;
        for (const wake of [...waiting]) wake();
      }
    },
    place() {
      let isHurried = false;
      let wake = () => {};
      return {
        hurry() {
          isHurried = true;
          wake();
        },
        /** Resolves when it is its turn. */
        async come(): Promise<void> {
          // Everybody of this turn of the event loop has asked by then.
          await Promise.resolve();
          if (underWay === 0 || isHurried || waitMs === 0) return;
          await new Promise<void>((resolve) => {
            const timer = setTimeout(() => wake(), waitMs);
            wake = () => {
              clearTimeout(timer);
              waiting.delete(wake);
              resolve();
            };
            waiting.add(wake);
          });
        },
      };
    },
  };
}
