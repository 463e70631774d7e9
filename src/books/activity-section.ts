import type { Address } from '../chain/address.ts';
import type { Clock } from '../kernel/clock.ts';
import type { ActivityRow, TokenReads } from '../queries/token-reads.ts';
import { type ActivitySwap, activitySince, recentSince, swapId } from './activity.ts';
import type { Section } from './book-set.ts';
import type { SectionSource } from './book-shelf.ts';

const SWAP_BYTES = 140;

/** The swaps of the last 24 hours, oldest first. */
export interface ActivitySection extends Section {
  readonly swaps: readonly ActivitySwap[];
  /** False when there are more than a book holds. */
  readonly whole: boolean;
}

export function activitySection(
  reads: TokenReads,
  mint: Address,
  clock: Clock,
  size: number,
): SectionSource<ActivitySection> {
  const nowSeconds = () => Math.floor(clock.now() / 1000);
  return {
    key: 'activity',
    async load(mark) {
      const now = nowSeconds();
      const newest = await reads.activitySwaps(mint, mark, activitySince(now), size + 1);
      const whole = newest.length <= size;
      let swaps = whole ? newest.map((row) => activitySwap(row, now)).reverse() : [];
      return {
        get swaps() {
          return swaps;
        },
        whole,
        get bytes() {
          return swaps.length * SWAP_BYTES;
        },
        apply(rows) {
          // A token that outgrew the book is read again when it is asked for: it may have calmed down.
          if (!whole) return false;
          const time = nowSeconds();
          for (const row of rows.swaps) swaps.push(activitySwap(row, time));
          if (swaps.length > size) swaps = swaps.filter((swap) => swap.time >= activitySince(time));
          return swaps.length <= size;
        },
      };
    },
    isWorthKeeping: ({ whole }) => whole,
  };
}

/** Ids are only ever listed of recent swaps, and costly to write. */
function activitySwap(row: ActivityRow, now: number): ActivitySwap {
  const { time, trader, is_buy, quote_mint, quote_decimals, quote_amount, protocol_actor } = row;
  const id = time >= recentSince(now) ? swapId(row) : '';
  return { time, trader, is_buy, quote_mint, quote_decimals, quote_amount, protocol_actor, id };
}
