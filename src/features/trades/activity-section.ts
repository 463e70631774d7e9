import type { Section } from '../../books/book-set.ts';
import type { SectionSource } from '../../books/book-shelf.ts';
import type { Address } from '../../chain/address.ts';
import type { Clock } from '../../kernel/clock.ts';
import {
  type ActivitySwap,
  activitySince,
  RECENT_SWAPS,
  type RecentSwap,
  recentSince,
  recentSwap,
} from './activity.ts';
import type { ActivityRow } from './activity-reads.ts';
import type { TradeReads } from './trade-reads.ts';

const SWAP_BYTES = 140;
/** A number and a text of up to 94 characters. */
const RECENT_BYTES = 160;

/** The swaps of the last 24 hours, oldest first. */
export interface ActivitySection extends Section {
  readonly swaps: readonly ActivitySwap[];
  /** The newest of them by their ids, oldest first: those that an answer may list, and no fewer. */
  readonly recent: readonly RecentSwap[];
  /** False when there are more than a book holds. */
  readonly whole: boolean;
}

export function activitySection(
  reads: TradeReads,
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
      let swaps = whole ? newest.map(activitySwap).reverse() : [];
      let recent = whole ? recentOf(newest, now) : [];
      return {
        get swaps() {
          return swaps;
        },
        get recent() {
          return recent;
        },
        whole,
        get bytes() {
          return swaps.length * SWAP_BYTES + recent.length * RECENT_BYTES;
        },
        apply(rows) {
          // A token that outgrew the book is read again when it is asked for: it may have calmed down.
          if (!whole) return false;
          const time = nowSeconds();
          for (const row of rows.swaps) {
            swaps.push(activitySwap(row));
            recent.push(recentSwap(row));
          }
          if (recent.length > 2 * RECENT_SWAPS) recent = recent.slice(-RECENT_SWAPS);
          if (swaps.length > size) swaps = swaps.filter((swap) => swap.time >= activitySince(time));
          return swaps.length <= size;
        },
      };
    },
    isWorthKeeping: ({ whole }) => whole,
  };
}

/** Rows newest first. Ids are costly to write, and few are ever listed. */
function recentOf(newest: readonly ActivityRow[], now: number): RecentSwap[] {
  const [first] = newest;
  if (first === undefined) return [];
  const since = recentSince(recentSwap(first), now);
  return newest
    .slice(0, RECENT_SWAPS)
    .filter(({ time }) => time >= since)
    .map(recentSwap)
    .reverse();
}

function activitySwap(row: ActivityRow): ActivitySwap {
  const { time, trader, is_buy, quote_mint, quote_decimals, quote_amount, protocol_actor } = row;
  return { time, trader, is_buy, quote_mint, quote_decimals, quote_amount, protocol_actor };
}
