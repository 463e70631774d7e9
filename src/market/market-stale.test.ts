import { afterEach, describe, expect, it } from 'vitest';
import { CHAIN_WALL, FIRST_SLOT, handBlock, marketChain } from '../../test/support/market-chain.ts';
import { WORLD_MINTS } from '../../test/support/token-world-rows.ts';
import type { WindowReads } from './market-reads.ts';

const START = CHAIN_WALL - 100;
const [HOUR_S, DAY_S] = [3_600, 86_400];
/** So that slots of long before have an index as well. */
const OFFSET = 10_000_000;

const chains: { close(): void }[] = [];
afterEach(() => {
  for (const chain of chains.splice(0)) chain.close();
});

const block = (index: number, time: number) => handBlock(OFFSET + index, time, { swaps: [{ mint: WORLD_MINTS[0]! }] });

/** A chain with a block a second, but for slots that are missing, and a store that can be made to refuse. */
async function startChain(missing: readonly number[] = [], before: readonly [number, number][] = []) {
  const store = { isDown: false };
  const reading = (reads: WindowReads): WindowReads => ({
    ...reads,
    async minutes(slots) {
      if (store.isDown) throw new Error('the store is down');
      return reads.minutes(slots);
    },
  });
  const live = marketChain({ reading });
  chains.push(live);
  live.publish(...before.map(([index, time]) => block(index, time)));
  for (let at = 0; at < 20; at += 1) if (!missing.includes(at)) live.publish(block(at, START + at));
  live.commit();
  await live.settle();
  return { ...live, store, market: live.deps.market };
}

describe('the second from which on windows are whole', () => {
  it('is unknown while nothing is stale', async () => {
    const { market } = await startChain();
    expect([market.staleSpans, market.staleSince]).toEqual([0, undefined]);
  });

  it('is behind the next block of a slot that came late, until that is read', async () => {
    const live = await startChain([5, 6]);
    live.store.isDown = true;
    live.arriveLate(block(5, START + 5));
    expect(live.market.staleSince).toBe(START + 8);
    await live.settle();
    expect([live.market.staleSpans, live.market.staleSince]).toEqual([1, START + 8]);
    live.store.isDown = false;
    await live.settle();
    expect([live.market.staleSpans, live.market.staleSince]).toEqual([0, undefined]);
  });

  it('is behind the newest of several, and behind the newest block where nothing newer is known', async () => {
    const live = await startChain([5, 19]);
    live.store.isDown = true;
    live.arriveLate(block(5, START + 5));
    live.arriveLate(block(19, START + 19));
    expect(live.market.staleSince).toBe(START + 19);
  });

  it('is not moved by slots of long before all windows', async () => {
    const live = await startChain();
    live.store.isDown = true;
    live.arriveLate(block(-9_000_000, START - 40 * DAY_S));
    await live.settle();
    expect([live.market.staleSpans, live.market.staleSince]).toEqual([1, undefined]);
  });

  it('is the end of a minute that is to be summed up again, and of an hour beyond the day', async () => {
    const old = START - 2 * HOUR_S;
    const older = START - 3 * DAY_S;
    const live = await startChain(
      [],
      [
        [-300_000, older],
        [-9_000, old],
        [-8_998, old + 600],
      ],
    );
    live.arriveLate(block(-299_999, older));
    await live.clock.advance(600);
    expect(live.market.staleSince).toBe(older - (older % HOUR_S) + HOUR_S);
    live.arriveLate(block(-8_999, old));
    await live.clock.advance(600);
    expect(live.market.staleSince).toBe(old - (old % 60) + 60);
    await live.settle();
    expect(live.market.staleSince).toBeUndefined();
  });

  it('leaves alone what is told while windows are read', async () => {
    const live = marketChain();
    chains.push(live);
    expect(live.deps.market.staleSince).toBeUndefined();
    live.arriveLate(block(5, START + 5));
    expect([FIRST_SLOT > 0, live.deps.market.staleSince]).toEqual([true, undefined]);
  });
});

describe('a bucket that is summed up again', () => {
  it.each([100, 5_000, 30_000, 172_800])(
    'keeps a block that the store got behind it, %i seconds before the newest',
    async (gap) => {
      const live = marketChain();
      chains.push(live);
      const then = START - gap;
      live.publish(block(1, then));
      live.commit();
      await live.settle();
      live.publish(block(2, then + 1), block(3, START));
      await live.settle();
      live.arriveLate(block(0, then - 1));
      await live.settle();
      live.commit();
      await live.settle();
      const { book } = await live.deps.market.open();
      expect(book.market('', 0, 'week')?.buys).toBe(4);
      expect(book.market('', 0, 'day')?.buys).toBe(gap > DAY_S ? 1 : 4);
      expect([live.deps.market.staleSpans, live.deps.market.staleSince]).toEqual([0, undefined]);
    },
  );
});
