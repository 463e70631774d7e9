import { describe, expect, it } from 'vitest';
import { LIST_NOW, listWorld } from '../../../test/support/list-world.ts';
import { handBlock } from '../../../test/support/market-chain.ts';
import { randomBetween } from '../../../test/support/random.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import { DEFAULT_LIST_LIMITS } from '../../books/book-limits.ts';
import type { Address } from '../../chain/address.ts';
import type { TokenListRow } from '../../contract/token.ts';
import type { TokenFilter } from './lists.ts';
import type { ScreenFilter } from './screen-rules.ts';

const DAY_S = 86_400;
const FROM = LIST_NOW - DAY_S;
/** Tokens of the day, one every quarter of an hour, and the blocks that are there before anybody reads. */
const TOKENS = 96;
const BEFORE = 60;
const LOOKED_AT = 7;
const SOL = 1_000_000_000n;

const mintOf = (number: number): Address => address(60 + number);
const isMayhem = (number: number) => number % 3 === 0;

/** A day on which every block makes a token and trades it and others. */
function openDay() {
  const live = listWorld();
  const traded = new Map<Address, number>();
  let next = 0;
  /** Comes with trades of some tokens that are there. */
  const grow = (others: readonly number[]) => {
    const numbers = [next, ...others.filter((number) => number < next)];
    const swaps = numbers.map((number) => ({ mint: mintOf(number), quote_mint: '' as const, quote_amount: SOL }));
    const births = [{ mint: mintOf(next), mayhem: isMayhem(next) }];
    live.publish(handBlock(next, FROM + next * (DAY_S / TOKENS), { births, swaps }), true);
    for (const { mint } of swaps) traded.set(mint, next);
    next += 1;
    live.commit(2);
    live.wait(10);
  };
  return { live, grow, traded, made: () => next };
}

/** Mints of all pages, in order, while blocks come between them. */
async function readWhileTrading(filter: Omit<TokenFilter, 'limit' | 'cursor'>) {
  const { live, grow, traded, made } = openDay();
  while (made() < BEFORE) grow([made() - 1]);
  live.commit(0);
  const lists = live.lists(DEFAULT_LIST_LIMITS, undefined, LOOKED_AT);
  const read: Address[] = [];
  let pages = 0;
  for (let cursor: string | undefined; ; pages += 1) {
    const body = JSON.parse((await lists.list({ ...filter, limit: 5, cursor })).toString());
    read.push(...body.data.map((row: TokenListRow) => row.mint));
    cursor = body.next_cursor;
    if (cursor === undefined) break;
    if (made() < TOKENS) grow([randomBetween(0, BEFORE - 1), randomBetween(0, BEFORE - 1)]);
  }
  return { read, traded, pages };
}

const ORDER = { graduated: undefined, creator: undefined, from: undefined, to: undefined } as const;
const screens: readonly [string, ScreenFilter | undefined, (number: number) => boolean][] = [
  ['unfiltered', undefined, () => true],
  ['filtered', { mayhem: true }, isMayhem],
  ['filtered twice', { mayhem: false, quote: '' }, (number) => !isMayhem(number)],
];

describe('a day that is read page by page while tokens come and trade', () => {
  it.each(screens)(
    'loses and repeats none of its tokens in the order of their creation, %s',
    async (_name, screen, passes) => {
      for (const range of [{}, { from: FROM * 1_000, to: (FROM + DAY_S) * 1_000 }]) {
        const { read, pages } = await readWhileTrading({ ...ORDER, ...range, sort: 'newest', screen });
        const known = Array.from({ length: BEFORE }, (_, number) => BEFORE - 1 - number).filter(passes);
        expect(read).toEqual(known.map(mintOf));
        expect(pages).toBeGreaterThanOrEqual(Math.floor(BEFORE / LOOKED_AT));
      }
    },
  );

  it.each(screens)(
    'misses no token that does not trade meanwhile in the order of trades, %s',
    async (_name, screen, passes) => {
      const { read, traded } = await readWhileTrading({ ...ORDER, sort: 'last_trade', screen });
      const still = Array.from({ length: BEFORE }, (_, number) => number).filter(
        (number) => passes(number) && traded.get(mintOf(number))! < BEFORE,
      );
      expect(still.length).toBeGreaterThan(5);
      expect(still.map(mintOf).filter((mint) => !read.includes(mint))).toEqual([]);
      expect(new Set(read).size).toBe(read.length);
    },
  );
});
