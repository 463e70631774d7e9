import { ApiError } from '../api/contract/errors.ts';
import type { Feed } from '../feed/feed.ts';
import type { Clock } from '../kernel/clock.ts';
import type { BookShelf } from './book-shelf.ts';

/** Asks for one part of a pack. Called again when the chain moved on while others were waited for. */
export type PartRead<T> = () => T | Promise<T | undefined>;

/** What a part came to: an answer, undefined when there is none, or what it failed with. */
export type PartOutcome<T> = { readonly answer: T | undefined } | { readonly fault: unknown };

export interface PackAnswers {
  /**
   * Many answers as of one slot. Once everything that has to be waited for has
   * come, whatever can be told from memory is told anew within one turn of the
   * event loop, at the head of the feed, and nothing else is newer than that. A
   * part that takes longer than {@link PART_DEADLINE_MS} fails with
   * `query_timeout` and holds nobody up. Rejects on account of no part.
   */
  together<K extends string, T>(reads: ReadonlyMap<K, PartRead<T>>): Promise<ReadonlyMap<K, PartOutcome<T>>>;
}

export interface PackDeps {
  readonly feed: Pick<Feed, 'headSlot'>;
  readonly shelf: Pick<BookShelf, 'epoch'>;
  readonly clock: Clock;
}

/** For every part, from the beginning of the pack. */
export const PART_DEADLINE_MS = 2_000;
/** Tries to tell everything between two blocks. The first succeeds where blocks come by events of their own. */
const MAX_TURNS = 4;

export function createPackAnswers({ feed, shelf, clock }: PackDeps): PackAnswers {
  /** Another one with every batch that comes, in order or late, and with every one that is taken back. */
  const moment = () => `${feed.headSlot} ${shelf.epoch}`;

  async function waitFor(parts: Promise<unknown>): Promise<void> {
    const patience = new AbortController();
    const late = clock.sleep(PART_DEADLINE_MS, patience.signal);
    try {
      await Promise.race([parts, late]);
    } finally {
      patience.abort();
    }
  }

  return {
    async together(reads) {
      const first = ask(reads, moment);
      const agrees = await first.turn();
      const isWhole = first.outcomes.size === reads.size;
      if (agrees && isWhole) return first.outcomes;
      if (!isWhole) await waitFor(first.done);
      const outcomes = new Map([...reads.keys()].map((name) => [name, first.outcomes.get(name) ?? tooLate()]));
      const answered = new Map([...reads].filter(([name]) => 'answer' in outcomes.get(name)!));
      for (let turns = 0; turns < MAX_TURNS; turns += 1) {
        const round = ask(answered, moment);
        const agree = await round.turn();
        // A part that would have to be waited for again, or fails now, stays what it was: older than the rest.
        for (const [name, outcome] of round.outcomes) if ('answer' in outcome) outcomes.set(name, outcome);
        if (agree) break;
      }
      return outcomes;
    },
  };
}

interface Round<K, T> {
  /** Of the parts that have come to something so far. */
  readonly outcomes: Map<K, PartOutcome<T>>;
  /** Resolves when all have. */
  readonly done: Promise<unknown>;
  /** Waits for what needs no waiting; true when all of that was told at the moment at which it was asked for. */
  turn(): Promise<boolean>;
}

function ask<K, T>(reads: ReadonlyMap<K, PartRead<T>>, moment: () => string): Round<K, T> {
  const asked = moment();
  const outcomes = new Map<K, PartOutcome<T>>();
  let agree = true;
  const done = Promise.all(
    Array.from(reads, async ([name, read]) => {
      const outcome = await outcomeOf(read);
      outcomes.set(name, outcome);
      agree &&= moment() === asked;
    }),
  );
  return {
    outcomes,
    done,
    async turn() {
      await promisesAtHand();
      return agree;
    },
  };
}

async function outcomeOf<T>(read: PartRead<T>): Promise<PartOutcome<T>> {
  try {
    return { answer: await read() };
  } catch (fault) {
    return { fault };
  }
}

function tooLate(): { readonly fault: unknown } {
  return { fault: new ApiError('query_timeout', { message: 'this part took too long' }) };
}

/**
 * Resolves when every promise that waits for no event has been through: ticks
 * come after the whole queue of promises, and before any event, so that no block
 * can come in between.
 */
function promisesAtHand(): Promise<void> {
  return new Promise((resolve) => {
    queueMicrotask(() => process.nextTick(resolve));
  });
}
