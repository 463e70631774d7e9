import type { BookShelf } from '../../books/book-shelf.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';

/** Asks for one part of a pack. Called again when the chain moved on while others were waited for. */
export type PartRead<T> = () => T | Promise<T | undefined>;

/** Outcome of a part: an answer, undefined when there is none, or the fault that it failed with. */
export type PartOutcome<T> = { readonly answer: T | undefined } | { readonly fault: unknown };

export interface PackAnswers {
  /**
   * Many answers as of one slot: they are asked for again until no block came
   * from the first word to the last, which out of memory is one turn of the event
   * loop. A part that takes longer than {@link PART_DEADLINE_MS} fails with
   * `query_timeout`, or stays as it was when it was told before; either way it
   * holds nobody up, is read no further once the pack is answered, and nothing is newer than the head of the feed. Rejects on
   * account of no part.
   */
  together<K extends string, T>(reads: ReadonlyMap<K, PartRead<T>>): Promise<ReadonlyMap<K, PartOutcome<T>>>;
}

export interface PackDeps {
  readonly feed: Pick<Feed, 'headSlot'>;
  readonly shelf: Pick<BookShelf, 'epoch'>;
  readonly clock: Clock;
  /** Times that parts are asked for at most. */
  readonly rounds?: number;
}

/** For every part, from the beginning of the pack. */
export const PART_DEADLINE_MS = 2_000;
/** The first reads what has to be read, and the second tells all of it again if a block came meanwhile; in the last nothing is waited for. */
const MAX_ROUNDS = 4;

export function createPackAnswers({ feed, shelf, clock, rounds = MAX_ROUNDS }: PackDeps): PackAnswers {
  /** Another one with every batch that comes, in order or late, and with every one that is taken back. */
  const moment = () => `${feed.headSlot} ${shelf.epoch}`;

  async function waitFor(parts: Promise<unknown>, ms: number): Promise<void> {
    const patience = new AbortController();
    const late = clock.sleep(ms, patience.signal);
    try {
      await Promise.race([parts, late]);
    } finally {
      patience.abort();
    }
  }

  return {
    async together<K extends string, T>(reads: ReadonlyMap<K, PartRead<T>>) {
      const deadline = clock.elapsed() + PART_DEADLINE_MS;
      const outcomes = new Map<K, PartOutcome<T>>([...reads.keys()].map((name) => [name, TOO_LATE]));
      let asked = reads;
      for (let left = rounds; left > 0; left -= 1) {
        const telling = ask(asked, moment);
        await promisesAtHand();
        const patience = left === 1 ? 0 : Math.max(0, deadline - clock.elapsed());
        const isWhole = () => telling.outcomes.size === asked.size;
        if (!isWhole() && patience > 0) await waitFor(telling.done, patience);
        for (const [name, outcome] of telling.outcomes) {
          // A part that fails when it is asked once more was good before.
          const isWorse = 'fault' in outcome && 'answer' in outcomes.get(name)!;
          if (!isWorse) outcomes.set(name, outcome);
        }
        if (telling.agrees() && (isWhole() || patience === 0)) break;
        asked = new Map([...asked].filter(([name]) => 'answer' in outcomes.get(name)!));
      }
      return outcomes;
    },
  };
}

/** One asking of several parts. */
interface Round<K, T> {
  /** Of the parts that have come to something so far. */
  readonly outcomes: ReadonlyMap<K, PartOutcome<T>>;
  /** Resolves when all have. */
  readonly done: Promise<unknown>;
  /** True while every part that has come to something did so at the moment at which all were asked. */
  agrees(): boolean;
}

function ask<K, T>(reads: ReadonlyMap<K, PartRead<T>>, moment: () => string): Round<K, T> {
  const asked = moment();
  const outcomes = new Map<K, PartOutcome<T>>();
  let agree = true;
  const done = Promise.all(
    Array.from(reads, async ([name, read]) => {
      outcomes.set(name, await outcomeOf(read));
      agree &&= moment() === asked;
    }),
  );
  return { outcomes, done, agrees: () => agree };
}

async function outcomeOf<T>(read: PartRead<T>): Promise<PartOutcome<T>> {
  try {
    return { answer: await read() };
  } catch (fault) {
    return { fault };
  }
}

const TOO_LATE = { fault: new ApiError('query_timeout', { message: 'this part took too long' }) };

/**
 * Resolves when every promise that waits for no event has been through: ticks
 * come after the whole queue of promises and before any event, so that no block
 * can come in between.
 */
function promisesAtHand(): Promise<void> {
  return new Promise((resolve) => {
    queueMicrotask(() => process.nextTick(resolve));
  });
}
