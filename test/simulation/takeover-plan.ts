import { createRandom, type Random } from '../../src/simulator/random.ts';

/** A life that another host goes on from, which has nothing of it but the database. */
export interface Takeover {
  readonly at: number;
  /**
   * `kill` is from one moment to the next; `killInsert` in the middle of a flush's insert, `killAnswer` behind one
   * whose answer never came. `freeze` stands still in a flush, before an insert of it, `freezeInInsert` in the middle
   * of one, and goes on when another has the lease.
   */
  readonly how: 'kill' | 'killInsert' | 'killAnswer' | 'freeze' | 'freezeInInsert';
  /** Inserts of flushes that go through before that one: half of a flush is there then. */
  readonly inserts: number;
  /** The data folder of who goes on: one that is new, or the run's first, with what was left in its outbox. */
  readonly folder: 'new' | 'first';
  /** The moment when a frozen one goes on: while its successor puts the store right, or once that has written. */
  readonly thaw: 'recovery' | 'commit';
  /** The chain waits until somebody is back. */
  readonly chainWaits: boolean;
}

/** More than a flush's first four tables, and fewer than all it has with its rollups. */
const MAX_INSERTS = 14;
const KILLS = ['kill', 'killInsert', 'killInsert', 'killAnswer'] as const;
/** The second is the dear one: whoever stands still within an insert is waited for by the server's own clock. */
const FREEZES = ['freeze', 'freeze', 'freeze', 'freezeInInsert'] as const;
/** Sequences of takeovers: hosts that are killed or frozen, and the first that comes back with its outbox. */
const STORIES: readonly (readonly ('kill' | 'freeze' | 'return')[])[] = [
  ['kill'],
  ['kill', 'return'],
  ['kill', 'kill', 'return'],
  ['freeze'],
  ['freeze', 'return'],
  ['freeze', 'kill', 'return'],
];
/** Of the seeds. */
const SHARE = 0.6;

/** Drawn from a stream of its own: what else a seed means stays as it is. */
export function planTakeovers(seed: string, firstAt: number, lastAt: number): Takeover[] {
  const random = createRandom(`takeovers/${seed}`);
  if (!random.chance(SHARE)) return [];
  const story = random.pick(STORIES);
  const places = story.map(() => random.between(firstAt, lastAt)).sort((a, b) => a - b);
  return story.map((what, place) => planTakeover(random, what, places[place] ?? lastAt));
}

function planTakeover(random: Random, what: 'kill' | 'freeze' | 'return', at: number): Takeover {
  return {
    at,
    how: what === 'freeze' ? random.pick(FREEZES) : random.pick(KILLS),
    inserts: random.between(0, MAX_INSERTS),
    folder: what === 'return' ? 'first' : 'new',
    thaw: random.pick(['recovery', 'commit']),
    chainWaits: random.chance(0.5),
  };
}
