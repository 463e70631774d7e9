import { describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { address } from '../../test/support/token-world-rows.ts';
import type { Section } from '../books/book-set.ts';
import type { Following, Stand } from '../books/book-shelf.ts';
import { Absence, slotOfBody } from '../contract/stamp.ts';
import type { TokenFacts } from './facts.ts';
import { asOfOneSlot } from './one-slot.ts';
import { absenceAt, tokenAsOf, untilCommitted } from './settled.ts';
import type { TokenState } from './state.ts';

const NOTHING: TokenFacts = {
  creation: undefined,
  completion: undefined,
  graduation: undefined,
  creatorChange: undefined,
  lastSwap: undefined,
  lastPriced: undefined,
};
const mint = address(1);

/** A following whose sections always stand at these slots. */
function standing(least: number, most: number): Following {
  const stand: Stand = { least, most, live: false };
  return {
    mark: () => least,
    stand: () => stand,
    open: <S extends Section>() => Promise.reject<S>(new Error('unasked')),
  };
}

describe('a slot whose rows were found', () => {
  it('is waited for until the store answers for it', async () => {
    const clock = createHandClock();
    const feed = { committedSlot: 9 };
    let isOver = false;
    const waited = untilCommitted(10, { feed, clock }).then(() => {
      isOver = true;
    });
    await clock.advance(60);
    expect(isOver).toBe(false);
    feed.committedSlot = 10;
    await clock.advance(60);
    await waited;
    expect(clock.elapsed()).toBe(120);
  });

  it('that the store does not come to answer for is a refusal in good time, and no answer', async () => {
    const clock = createHandClock();
    const refused = expect(untilCommitted(10, { feed: { committedSlot: 9 }, clock })).rejects.toMatchObject({
      code: 'storage_unavailable',
      entry: { status: 503, retryable: true },
    });
    for (let at = 0; at < 60; at++) await clock.advance(50);
    await refused;
    expect(clock.elapsed()).toBeLessThanOrEqual(3_000);
  });
});

describe('an answer out of several sections', () => {
  it('comes out of the store alone when books do not come to stand at one slot', async () => {
    const shelf = { follow: () => standing(5, 7), followStore: () => standing(6, 6) };
    const body = await asOfOneSlot(shelf, async ({ mark }) => Buffer.from(String(mark())));
    expect([String(body), slotOfBody(body)]).toEqual(['6', 6]);
  });

  it('is refused when the store does not either', async () => {
    const shelf = { follow: () => standing(5, 7), followStore: () => standing(6, 8) };
    await expect(asOfOneSlot(shelf, async () => Buffer.from('{}'))).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
  });
});

describe('a token at an earlier slot', () => {
  const swap = { slot: 12 } as NonNullable<TokenState['lastSwap']>;
  const state: TokenState = { mint, ...NOTHING, lastSwap: swap };
  const unread = { token: () => Promise.reject(new Error('unasked')) };

  it('is that of its book where the book knows nothing later', async () => {
    expect(await tokenAsOf(unread, state, 12)).toBe(state);
    expect(await absenceAt(unread, state, 12)).toBeUndefined();
  });

  it('is known where anything older tells of it, for which nothing is read', async () => {
    const creation = { slot: 10 } as NonNullable<TokenState['creation']>;
    expect(await absenceAt(unread, { ...state, creation }, 11)).toBeUndefined();
    await expect(absenceAt(unread, { ...state, creation }, 9)).rejects.toThrow('unasked');
  });

  it('is absent where nothing was known of it then', async () => {
    const reads = { token: async () => NOTHING };
    expect(await tokenAsOf(reads, state, 11)).toEqual(new Absence(11));
    expect(await absenceAt(reads, state, 11)).toEqual(new Absence(11));
  });

  it('is asked for again where attempts alone tell of it, which have no slot', async () => {
    const traced = { ...NOTHING, traces: { known: true, decimals: undefined } };
    expect(await absenceAt({ token: async () => traced }, { mint, ...traced }, 11)).toBeUndefined();
    expect(await absenceAt({ token: async () => NOTHING }, { mint, ...traced }, 11)).toEqual(new Absence(11));
  });
});
