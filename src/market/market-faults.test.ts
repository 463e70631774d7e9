import { afterEach, describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { createMemoryWindows } from '../../test/support/memory-windows.ts';
import { worldBatch } from '../../test/support/token-world.ts';
import { addHappening, WORLD_MINTS, type WorldBlock } from '../../test/support/token-world-rows.ts';
import { toldBy } from '../../test/support/told-windows.ts';
import { createFeed } from '../feed/in-process.ts';
import { silentLogger } from '../kernel/log.ts';
import { createMarket, type Market } from './market.ts';
import type { WindowReads } from './market-reads.ts';

const WALL = 1_790_000_000;
const START = WALL - 100;
const FIRST_SLOT = 400_000_000;
const DAY_S = 86_400;

const markets: Market[] = [];
afterEach(() => {
  for (const market of markets.splice(0)) market.close();
});

/** A block with one swap of a mint, that costs as many lamports as its slot tells. */
function block(index: number, time: number, mint = 0): WorldBlock {
  const [creations, completions, graduations, creatorChanges] = [[], [], [], []];
  const rows = { creations, completions, graduations, creatorChanges, swaps: [], attempts: [], transfers: [] };
  const made: WorldBlock = { slot: FIRST_SLOT + index, time, ...rows, positions: [] };
  const numbers = { mint, trader: index % 5, quote: 0, venue: 0, amount: BigInt(1 + index), tokens: 1_000_000n };
  addHappening(made, { kind: 'swap', flag: true, odd: false, ...numbers }, 0);
  return made;
}

/** A chain whose blocks are stored when the test says so, and a market that follows it. */
function chain({ wall = WALL, reading = (reads: WindowReads) => reads } = {}) {
  const stored: WorldBlock[] = [];
  const waiting: WorldBlock[] = [];
  const feed = createFeed({ maxHeldBatches: 1_000 });
  const clock = createHandClock(wall * 1_000);
  const follow = (reads: WindowReads) => {
    const market = createMarket({ reads, feed, clock, log: silentLogger });
    markets.push(market);
    return market;
  };
  const settle = async () => {
    for (let round = 0; round < 20; round += 1) await clock.advance(500);
  };
  const market = follow(reading(createMemoryWindows(() => stored)));
  return {
    clock,
    market,
    settle,
    publish(...blocks: readonly WorldBlock[]) {
      for (const each of blocks) {
        waiting.push(each);
        feed.publish(worldBatch(each));
      }
    },
    commit() {
      for (const each of waiting.splice(0)) {
        stored.push(each);
        feed.commit(each.slot, 1);
      }
    },
    withdraw(slot: number) {
      waiting.pop();
      feed.withdraw(slot);
    },
    /** A block that the store gets beside the feed. */
    arriveLate(late: WorldBlock) {
      stored.push(late);
      feed.changed([WORLD_MINTS[0]!], { first: late.slot, last: late.slot });
    },
    async told() {
      await settle();
      return toldBy(await market.open(), WORLD_MINTS);
    },
    /** Another market over the same store, that follows beside this one. */
    async restart() {
      const again = follow(createMemoryWindows(() => stored));
      await settle();
      return async () => {
        await settle();
        return toldBy(await again.open(), WORLD_MINTS);
      };
    },
    /** What windows tell that are read anew. */
    async toldAnew() {
      const anew = follow(createMemoryWindows(() => stored));
      await settle();
      return toldBy(await anew.open(), WORLD_MINTS);
    },
  };
}

const steady = (from: number, to: number, start = START) =>
  Array.from({ length: to - from }, (_, at) => block(from + at, start + from + at));

const hourOf = ({ market }: { readonly market: readonly { readonly hour: { readonly buys: number } }[] }) =>
  market[0]!.hour.buys;

describe('a market whose node gets times wrong', () => {
  it('stands where it stood behind a block of tomorrow, whose swaps nobody can place', async () => {
    const live = chain();
    await live.settle();
    live.publish(...steady(0, 20), block(20, WALL + DAY_S), ...steady(21, 30));
    const before = await live.told();
    expect([before.now, hourOf(before)]).toEqual([START + 29, 29]);
    live.commit();
    expect(await live.told()).toEqual(before);
    expect(await live.toldAnew()).toEqual(before);
  });

  it('stands where it stood while the newest block is one of tomorrow', async () => {
    const live = chain();
    await live.settle();
    live.publish(...steady(0, 20), block(20, 0xffff_ffff));
    live.commit();
    const told = await live.told();
    expect([told.now, hourOf(told)]).toEqual([START + 19, 20]);
    expect(await live.toldAnew()).toEqual(told);
  });

  it('counts blocks ahead of a wrong clock once half of the newest are, though the store has none of them', async () => {
    const live = chain();
    await live.settle();
    live.publish(...steady(0, 20));
    live.commit();
    live.publish(...Array.from({ length: 20 }, (_, at) => block(20 + at, START + 1_000 + at)));
    const told = await live.told();
    expect([told.now, hourOf(told)]).toEqual([START + 1_019, 40]);
    live.withdraw(FIRST_SLOT + 39);
    expect(hourOf(await live.told())).toBe(39);
    live.commit();
    expect(hourOf(await live.toldAnew())).toBe(39);
  });

  it('counts a block of yesterday yesterday', async () => {
    const live = chain();
    await live.settle();
    live.publish(...steady(0, 20), block(20, START - DAY_S / 2), ...steady(21, 30));
    live.commit();
    const told = await live.told();
    expect([told.now, hourOf(told), told.market[0]!.day.buys]).toEqual([START + 29, 29, 30]);
    expect(await live.toldAnew()).toEqual(told);
  });

  it('counts no block that tells no time', async () => {
    const live = chain();
    await live.settle();
    live.publish(...steady(0, 10), block(10, 0), ...steady(11, 12));
    live.commit();
    const told = await live.told();
    expect([told.now, told.market[0]!.week.buys]).toEqual([START + 11, 11]);
    expect(await live.toldAnew()).toEqual(told);
  });

  it('follows a chain that goes on ahead of the clock on the wall, and counts what came first once it is believed', async () => {
    const live = chain();
    await live.settle();
    live.publish(...steady(0, 20), ...steady(20, 40, WALL + 7_200));
    live.commit();
    const told = await live.told();
    expect([told.now, hourOf(told)]).toEqual([WALL + 7_239, 20]);
    expect(await live.toldAnew()).toEqual(told);
  });

  it('counts what ran ahead of the chain before a restart, once the chain has come so far', async () => {
    const live = chain();
    await live.settle();
    live.publish(...steady(0, 20), ...Array.from({ length: 5 }, (_, at) => block(20 + at, START + 1_000 + at)));
    live.commit();
    const before = await live.told();
    expect([before.now, hourOf(before)]).toEqual([START + 19, 20]);
    const toldAgain = await live.restart();
    expect(await toldAgain()).toEqual(before);
    live.publish(...Array.from({ length: 20 }, (_, at) => block(25 + at, START + 1_005 + at)));
    live.commit();
    const told = await live.told();
    expect([told.now, hourOf(told)]).toEqual([START + 1_024, 45]);
    expect(await toldAgain()).toEqual(told);
  });

  it('follows a chain on a machine whose clock was never set', async () => {
    const live = chain({ wall: 0 });
    await live.settle();
    live.publish(...steady(0, 20));
    expect(await live.told()).toMatchObject({ now: START + 19 });
  });

  it('takes the time of a withdrawn block back', async () => {
    const live = chain();
    await live.settle();
    live.publish(...steady(0, 20));
    const before = await live.told();
    live.publish(block(20, START + 30));
    expect(await live.told()).not.toEqual(before);
    live.withdraw(FIRST_SLOT + 20);
    expect(await live.told()).toEqual(before);
  });
});

describe('a market whose store fails', () => {
  /** Refuses prices of one token, with whatever else is asked for beside it. */
  const refusing =
    (mint: string, asked: number[] = []) =>
    (reads: WindowReads): WindowReads => ({
      ...reads,
      async prices(pairs, range) {
        asked.push(pairs.length);
        if (pairs.some((pair) => pair.mint === mint)) throw new Error('too many rows');
        return reads.prices(pairs, range);
      },
    });

  it('knows earlier prices of all tokens but the one whose price it does not get', async () => {
    const live = chain({ reading: refusing(WORLD_MINTS[0]!) });
    live.publish(block(0, START - 9_000, 0), block(1, START - 9_000, 1), block(2, START - 9_000, 2));
    live.publish(block(3, START, 0), block(4, START, 1), block(5, START, 2));
    live.commit();
    const [unknown, ...known] = (await live.told()).mints.map(({ series }) => series[0]!.before[1]);
    expect([unknown, known]).toEqual([0, [2, 3].map((lamports) => lamports / 1_000_000)]);
  });

  it('reads late slots again while no price is to be had', async () => {
    const live = chain({ reading: refusing(WORLD_MINTS[0]!) });
    live.publish(...steady(0, 5), ...steady(6, 10));
    live.commit();
    await live.told();
    live.arriveLate(block(5, START + 5));
    expect(hourOf(await live.told())).toBe(10);
    expect(live.market.staleSpans).toBe(0);
  });

  it('tells what it knows while slots can not be read again, and reads them once they can', async () => {
    let isDown = false;
    const live = chain({
      reading: (reads) => ({
        ...reads,
        async minutes(slots) {
          if (isDown) throw new Error('the store is down');
          return reads.minutes(slots);
        },
      }),
    });
    live.publish(...steady(0, 5), ...steady(6, 10));
    live.commit();
    await live.told();
    isDown = true;
    live.arriveLate(block(5, START + 5));
    expect([hourOf(await live.told()), live.market.staleSpans]).toEqual([9, 1]);
    isDown = false;
    expect([hourOf(await live.told()), live.market.staleSpans]).toEqual([10, 0]);
  });
});

describe('a market that starts beside a chain', () => {
  it('has what was stored, what came and what was withdrawn while it was reading', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const live = chain({
      reading: (reads) => ({
        ...reads,
        async *swaps(...question) {
          yield* reads.swaps(...question);
          await held;
        },
      }),
    });
    live.publish(...steady(0, 5));
    live.commit();
    await live.settle();
    expect(live.market.windows).toBeUndefined();
    live.publish(...steady(5, 10));
    live.commit();
    live.publish(...steady(10, 13));
    live.withdraw(FIRST_SLOT + 12);
    release();
    const told = await live.told();
    expect([told.now, hourOf(told)]).toEqual([START + 11, 12]);
    live.commit();
    expect(await live.toldAnew()).toEqual(told);
  });
});
