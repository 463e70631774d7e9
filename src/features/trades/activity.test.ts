import { describe, expect, it } from 'vitest';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import { type ActivitySwap, activityOfSums, activitySince, foldActivity, RECENT_SWAPS } from './activity.ts';

const NOW = 1_790_000_000;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const OTHER = address(31);

/** The quote that an answer over swaps in these quotes is in, by both ways of making one. */
function answerQuotes(quotes: readonly (Address | '')[]): readonly string[] {
  const swaps = quotes.map(
    (quote_mint, i): ActivitySwap => ({
      time: NOW - i,
      trader: address(21),
      is_buy: true,
      quote_mint,
      quote_decimals: 6,
      quote_amount: 1n,
      protocol_actor: false,
    }),
  );
  const counts = { buys: quotes.length, sells: 0, buyers: 1, sellers: 0 };
  const sums = {
    windows: [counts, counts, counts],
    quotes: [...new Set(quotes)].map((quote_mint) => ({
      quote_mint,
      quote_decimals: 6,
      swaps: quotes.filter((each) => each === quote_mint).length,
      volumes: [1n, 1n, 1n],
    })),
    flow: [],
    recent: [],
  };
  return [foldActivity(swaps, [], NOW).quote, activityOfSums(sums, NOW).quote];
}

describe('the quote of an activity answer', () => {
  it.each([
    ['SOL without a trade', [], ''],
    ['SOL when all swaps are in it', ['', ''], ''],
    ['the token of more than half of the swaps', [USDC, '', USDC], USDC],
    ['SOL when just half are in another', [USDC, ''], ''],
    ['SOL with several others at once, even when one leads', [USDC, USDC, USDC, OTHER], ''],
  ] as const)('is %s', (_name, quotes, expected) => {
    expect(answerQuotes(quotes)).toEqual([expected, expected]);
  });
});

/** Ids that an answer lists of swaps at these times, oldest first, and the second from which it lists them. */
function listed(times: readonly number[]) {
  const recent = times.map((time, place) => ({ time, id: `${place}` })).slice(-RECENT_SWAPS);
  const { recentSince, recentIds } = foldActivity([], recent, NOW);
  return { since: recentSince, ids: recentIds };
}

describe('the ids of recent swaps', () => {
  it('are those of the last minute', () => {
    expect(listed([NOW - 61, NOW - 60, NOW - 1])).toEqual({ since: NOW - 60, ids: ['1', '2'] });
  });

  it('reach back to the newest swap when the chain is behind the clock: what comes next is no older', () => {
    expect(listed([NOW - 500, NOW - 300, NOW - 300])).toEqual({ since: NOW - 300, ids: ['1', '2'] });
  });

  it('are none since the beginning of the day when nobody traded in it', () => {
    expect(listed([])).toEqual({ since: activitySince(NOW), ids: [] });
    expect(listed([activitySince(NOW) - 1])).toEqual({ since: activitySince(NOW), ids: [] });
  });

  it('are as many whole seconds of the newest as fit', () => {
    const times = Array.from({ length: 2_500 }, (_, place) => NOW - 24 + Math.floor(place / 100));
    const { since, ids } = listed(times);
    expect(since).toBe(NOW - 9);
    expect(ids).toEqual(Array.from({ length: 1_000 }, (_, place) => `${place + 1_500}`));
  });
});
