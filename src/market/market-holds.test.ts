import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { createMemoryWindows } from '../../test/support/memory-windows.ts';
import { worldBatch } from '../../test/support/token-world.ts';
import { addHappening, WORLD_MINTS, type WorldBlock } from '../../test/support/token-world-rows.ts';
import { toldBy } from '../../test/support/told-windows.ts';
import type { Address } from '../chain/address.ts';
import { createFeed } from '../feed/in-process.ts';
import { silentLogger } from '../kernel/log.ts';
import { createMarket, type Market } from './market.ts';
import type { WindowReads } from './market-reads.ts';
import { MarketWindows } from './market-windows.ts';
import type { RingCell } from './trade-cells.ts';

const START = 1_790_000_000;
const FIRST_SLOT = 400_000_000;
const [HOUR_S, DAY_S] = [3_600, 86_400];
const SWAPS = 100;

const markets: Market[] = [];
afterEach(() => {
  for (const market of markets.splice(0)) market.close();
});

/** Made once: its swaps are those of every block. */
const TEMPLATE = block(0, START);

function block(index: number, time: number): WorldBlock {
  const [creations, completions, graduations, creatorChanges] = [[], [], [], []];
  const rows = { creations, completions, graduations, creatorChanges, swaps: [], attempts: [], transfers: [] };
  const made: WorldBlock = { slot: FIRST_SLOT + index, time, ...rows, positions: [] };
  for (let at = 0; index === 0 && at < SWAPS; at += 1) {
    const numbers = { mint: at % 2, trader: at % 5, quote: 0, venue: 0, amount: BigInt(1 + at), tokens: 1_000_000n };
    addHappening(made, { kind: 'swap', flag: true, odd: false, ...numbers }, at);
  }
  if (index !== 0) made.swaps.push(...TEMPLATE.swaps.map((swap) => ({ ...swap, slot: made.slot, time })));
  return made;
}

/** Rows by the hundred: others have their turn between pieces. */
function inLargePieces(reads: WindowReads): WindowReads {
  return {
    ...reads,
    async *swaps(...question) {
      const all = [];
      for await (const rows of reads.swaps(...question)) all.push(...rows);
      for (let at = 0; at < all.length; at += 5 * SWAPS) yield all.slice(at, at + 5 * SWAPS);
    },
  };
}

/** A market over a store. Once it stands, its clock tells each time it is looked at that a portion is over. */
function chain(stored: WorldBlock[], reading = (reads: WindowReads) => reads) {
  const feed = createFeed({ maxHeldBatches: 1_000 });
  const clock = createHandClock((START + 10 * HOUR_S) * 1_000);
  let [looks, isRestless] = [0, false];
  const restless = {
    ...clock,
    elapsed() {
      if (isRestless) looks += 5;
      return clock.elapsed() + looks;
    },
  };
  const follow = () => {
    const reads = reading(inLargePieces(createMemoryWindows(() => stored)));
    const market = createMarket({ reads, feed, clock: restless, log: silentLogger });
    markets.push(market);
    return market;
  };
  const settle = async () => {
    for (let round = 0, idle = 0; idle < 20 && round < 400; round += 1) {
      await clock.advance(500);
      for (let turn = 0; turn < 10; turn += 1) await setImmediate();
      idle = markets.every(({ windows, staleSpans }) => windows !== undefined && staleSpans === 0) ? idle + 1 : 0;
    }
  };
  feed.commit(stored.at(-1)?.slot ?? 0, 0);
  return {
    market: follow(),
    settle,
    async open() {
      await settle();
      isRestless = true;
      return markets[0]!.open();
    },
    publish: (each: WorldBlock) => feed.publish(worldBatch(each)),
    /** A block that the store gets beside the feed. */
    arriveLate(...late: readonly WorldBlock[]) {
      stored.push(...late);
      feed.changed([WORLD_MINTS[0]!], { first: late[0]!.slot, last: late.at(-1)!.slot });
    },
    async toldAnew() {
      isRestless = false;
      const anew = follow();
      await settle();
      return toldBy(await anew.open(), WORLD_MINTS);
    },
  };
}

const swapsIn = (windows: MarketWindows, window: 'five' | 'hour') => {
  const { buys, sells } = windows.book.market('', 0, window)!;
  return buys + sells;
};

/** The most that windows change between two turns that others have, while something is waited for. */
async function mostAtOnce(windows: MarketWindows, work: () => Promise<void>): Promise<number> {
  const looks = () => [swapsIn(windows, 'five'), swapsIn(windows, 'hour')] as const;
  let [most, isOver, last] = [0, false, looks()];
  const watch = (async () => {
    while (!isOver) {
      const now = looks();
      most = Math.max(most, ...now.map((swaps, at) => Math.abs(swaps - last[at]!)));
      last = now;
      await setImmediate();
    }
  })();
  await work();
  isOver = true;
  await watch;
  return most;
}

describe('a market that has much to do', () => {
  it('takes in a hole block by block', async () => {
    const hole = Array.from({ length: 200 }, (_, at) => block(100 + at, START + 100 + at));
    const around = [...Array(100).keys(), ...Array.from({ length: 50 }, (_, at) => 300 + at)];
    const live = chain(around.map((at) => block(at, START + at)));
    const windows = await live.open();
    const most = await mostAtOnce(windows, async () => {
      live.arriveLate(...hole);
      await live.settle();
    });
    expect(swapsIn(windows, 'hour')).toBe(350 * SWAPS);
    expect(most).toBeLessThanOrEqual(3 * SWAPS);
    expect(toldBy(windows, WORLD_MINTS)).toEqual(await live.toldAnew());
  });

  it('lets go of what leaves behind a quarter of an hour without a block piece by piece', async () => {
    const live = chain(Array.from({ length: 730 }, (_, at) => block(at, START + 5 * at)));
    const windows = await live.open();
    const before = [swapsIn(windows, 'five'), swapsIn(windows, 'hour')];
    expect(before).toEqual([61 * SWAPS, 721 * SWAPS]);
    const most = await mostAtOnce(windows, async () => {
      live.publish(block(730, START + 5 * 729 + 900));
      await live.settle();
    });
    expect(await live.market.open()).toBe(windows);
    expect(swapsIn(windows, 'five')).toBe(SWAPS);
    expect(swapsIn(windows, 'hour')).toBe((721 - 180 + 1) * SWAPS);
    expect(most).toBeLessThanOrEqual(2_500);
  });

  it('takes in what came, and forgets what was withdrawn, while it lets go', async () => {
    const live = chain(Array.from({ length: 730 }, (_, at) => block(at, START + 5 * at)));
    const end = START + 5 * 729;
    const windows = await live.open();
    live.publish(block(730, end + 900));
    expect(live.market.windows).toBeUndefined();
    for (let at = 1; at < 20; at += 1) live.publish(block(730 + at, end + 900 + at));
    await live.settle();
    expect([await live.market.open(), swapsIn(windows, 'five')]).toEqual([windows, 20 * SWAPS]);
  });

  it('reads minutes and hours that flush after flush touches once', async () => {
    const widths: number[] = [];
    const counting = (reads: WindowReads): WindowReads => ({
      ...reads,
      cells(range, signal) {
        widths.push(range.width);
        return reads.cells(range, signal);
      },
    });
    const old = block(0, START - 3 * DAY_S);
    const live = chain([old, block(10_000, START - 2 * HOUR_S), block(20_000, START)], counting);
    const windows = await live.open();
    widths.length = 0;
    for (let at = 1; at <= 20; at += 1) {
      live.arriveLate(block(at, START - 3 * DAY_S));
      live.arriveLate(block(10_000 + at, START - 2 * HOUR_S));
      for (let turn = 0; turn < 40; turn += 1) await setImmediate();
    }
    await live.settle();
    expect([...widths].sort((a, b) => a - b)).toEqual([60, HOUR_S]);
    expect(toldBy(windows, WORLD_MINTS)).toEqual(await live.toldAnew());
  });
});

describe('windows that replace a minute', () => {
  const MINTS = 5_000;
  const cellsOf = (windows: MarketWindows, buys: number, from = 0): RingCell[] =>
    Array.from({ length: MINTS }, (_, at) => ({
      series: windows.book.take(`mint${from + at}` as Address, ''),
      venue: 0,
      counts: { buys, sells: 0, low: 3 * buys, high: 0 },
    }));

  it('do so piece by piece, and keep what is counted and forgotten in between', () => {
    const windows = new MarketWindows();
    const now = START - (START % HOUR_S) + 1_800;
    windows.moveTo(now);
    const minute = now - (now % 60) - 2 * HOUR_S;
    windows.replaceMinute(minute, cellsOf(windows, 1));
    const day = () => windows.book.market('', 0, 'day')!;
    const week = () => windows.book.market('', 0, 'week')!;
    expect([day().buys, week().buys]).toEqual([MINTS, MINTS]);
    let [pieces, most, last] = [0, 0, day().buys];
    for (const _ of windows.replacingMinute(minute, cellsOf(windows, 2, 1_000))) {
      pieces += 1;
      most = Math.max(most, Math.abs(day().buys - last));
      last = day().buys;
      expect(week()).toEqual(day());
    }
    expect(most).toBeLessThanOrEqual(2_048);
    expect(pieces).toBeGreaterThan(MINTS / 1_100);
    expect(day()).toEqual({ buys: 2 * MINTS, sells: 0, volume: BigInt(6 * MINTS) });
    expect([windows.day.cells, windows.week.cells]).toEqual([MINTS, MINTS]);
    const pieceWise = windows.replacingMinute(minute, []);
    pieceWise.next();
    // The day moves on in between, and forgets the minute.
    windows.moveTo(now + DAY_S);
    while (!pieceWise.next().done);
    expect([day().buys, windows.day.cells]).toEqual([0, 0]);
    for (const series of windows.book.all()) expect(windows.book.swaps(series, 'day')).toBe(0);
  });
});
