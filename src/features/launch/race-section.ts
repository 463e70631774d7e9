import type { Section } from '../../books/book-set.ts';
import type { SectionSource } from '../../books/book-shelf.ts';
import { KeptBodies } from '../../books/kept-bodies.ts';
import type { Address } from '../../chain/address.ts';
import type { AttemptRow, SwapRow } from '../../store/clickhouse/schema/tables.ts';
import { SWAP_BYTES } from '../../token/first-swaps.ts';
import { MAX_RACE_SLOTS } from './contract-limits.ts';
import { type LaunchReads, MAX_RACE_ROWS } from './launch-reads.ts';

const ATTEMPT_BYTES = 700;

/** Buys that landed and buys that reverted in a token's first slots. */
export interface RaceSection extends Section {
  /** In order of place. */
  readonly swaps: readonly SwapRow[];
  readonly attempts: readonly AttemptRow[];
  /** The last slot up to which everything is held: the race's end, unless there is more of either than is held. */
  readonly wholeTo: number;
  /** Answers made of the rows. */
  readonly bodies: KeptBodies;
}

/** The longest race there is, of which shorter ones are the beginning. */
export function raceSection(
  reads: Pick<LaunchReads, 'raceSwaps' | 'raceAttempts'>,
  mint: Address,
  createdSlot: number,
): SectionSource<RaceSection> {
  const last = createdSlot + MAX_RACE_SLOTS - 1;
  return {
    // A creation that is replaced by its whole block's takes the book with it.
    key: 'race',
    async load(mark) {
      const range = { first: createdSlot, last, limit: MAX_RACE_ROWS };
      const [storedSwaps, storedAttempts] = await Promise.all([
        reads.raceSwaps(mint, mark, range),
        reads.raceAttempts(mint, mark, range),
      ]);
      const swaps = [...storedSwaps];
      const attempts = [...storedAttempts];
      const bodies = new KeptBodies();
      return {
        swaps,
        attempts,
        bodies,
        get wholeTo() {
          return Math.min(wholeTo(swaps, last), wholeTo(attempts, last));
        },
        get bytes() {
          return swaps.length * SWAP_BYTES + attempts.length * ATTEMPT_BYTES + bodies.bytes;
        },
        apply(rows) {
          const added = [fill(swaps, rows.swaps, last), fill(attempts, rows.attempts, last)];
          if (added.some((count) => count > 0)) bodies.clear();
          return true;
        },
      };
    },
    isWorthKeeping: () => true,
  };
}

/** Of rows as many as there is room for, the last slot's may be cut. */
function wholeTo(held: readonly { readonly slot: number }[], last: number): number {
  const newest = held.at(-1);
  return newest === undefined || held.length < MAX_RACE_ROWS ? last : newest.slot - 1;
}

/** Takes in later rows up to the race's end, as many as there is room for, and tells how many. */
function fill<R extends { readonly slot: number }>(held: R[], later: readonly R[], last: number): number {
  const inside = later.filter(({ slot }) => slot <= last).slice(0, MAX_RACE_ROWS - held.length);
  held.push(...inside);
  return inside.length;
}
