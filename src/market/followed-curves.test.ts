import { afterEach, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { answerOf, CHAIN_WALL, FIRST_SLOT, handBlock } from '../../test/support/market-chain.ts';
import { createMemoryCurves } from '../../test/support/memory-curves.ts';
import { worldBatch } from '../../test/support/token-world.ts';
import { address, type WorldBlock } from '../../test/support/token-world-rows.ts';
import type { Address } from '../chain/address.ts';
import { createFeed } from '../feed/in-process.ts';
import { silentLogger } from '../kernel/log.ts';
import { USUAL_TOKENS } from '../token/curve-progress.ts';
import type { CurveReads } from './curve-reads.ts';
import { createFollowedCurves } from './followed-curves.ts';

const NOW = CHAIN_WALL - 100;
const [MOON, DOGE, FROG] = [41, 42, 43].map(address) as [Address, Address, Address];

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

function open(reading = (reads: CurveReads): CurveReads => reads) {
  const stored: WorldBlock[] = [];
  let asked = 0;
  const memory = createMemoryCurves(() => stored);
  const feed = createFeed({ maxHeldBatches: 1_000 });
  const clock = createHandClock(CHAIN_WALL * 1_000);
  const counted: CurveReads = {
    ...memory,
    newest(mark) {
      asked += 1;
      return memory.newest(mark);
    },
  };
  const curves = createFollowedCurves({ reads: reading(counted), feed, clock, log: silentLogger });
  opened.push(curves);
  const waiting: WorldBlock[] = [];
  return {
    curves,
    feed,
    clock,
    asked: () => asked,
    publish(block: WorldBlock, closesSlots = true) {
      waiting.push(block);
      feed.publish(worldBatch(block, closesSlots));
    },
    commit() {
      for (const block of waiting.splice(0)) {
        stored.push(block);
        feed.commit(Math.max(block.slot, feed.committedSlot), 1);
      }
    },
    store: (block: WorldBlock) => stored.push(block),
    async listed(now = NOW) {
      const book = await answerOf(clock, curves.get());
      return [...book.mints()].filter((mint) => book.figures(mint, { now }) !== undefined).sort();
    },
  };
}

const buy = (mint: Address) => ({
  ...{ mint, venue: 0, quote_mint: '' as const, quote_decimals: 9, is_buy: true, token_amount: 1_000n },
  real_token_reserves: USUAL_TOKENS / 2n,
});
const block = (at: number, time: number, ...mints: readonly Address[]) =>
  handBlock(at, time, { swaps: mints.map(buy) });

it('a read that fails is no fault of the question, and is not begun anew by every one', async () => {
  let isBroken = true;
  let tried = 0;
  const live = open((reads) => ({
    ...reads,
    newest(mark) {
      tried += 1;
      return isBroken ? Promise.reject(new Error('TOO_MANY_ROWS_OR_BYTES')) : reads.newest(mark);
    },
  }));
  live.publish(block(1, NOW, MOON));
  live.commit();
  for (let at = 0; at < 5; at += 1) await expect(live.listed()).rejects.toMatchObject({ code: 'warming_up' });
  expect(tried).toBe(1);
  isBroken = false;
  await live.clock.advance(10_000);
  expect(await live.listed()).toEqual([MOON]);
});

it('a read that lasts is told as such, and goes on', async () => {
  let finish: () => void = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const live = open((reads) => ({ ...reads, newest: async (mark) => done.then(() => reads.newest(mark)) }));
  live.publish(block(1, NOW - 9, MOON));
  live.commit();
  await expect(live.listed()).rejects.toMatchObject({ code: 'warming_up' });
  live.publish(block(2, NOW - 8, DOGE));
  live.publish(block(3, NOW - 7, FROG));
  live.feed.withdraw(FIRST_SLOT + 3);
  finish();
  expect(await live.listed()).toEqual([MOON, DOGE].sort());
  expect(live.asked()).toBe(1);
});

it('news without slots changes what is known of tokens, and nothing is read again', async () => {
  const live = open();
  live.publish(block(1, NOW, MOON, DOGE));
  live.commit();
  await live.listed();
  const { book } = live.curves;
  book?.learn(MOON, { initial: undefined, bornAt: undefined });
  expect(await live.listed()).toEqual([DOGE]);
  const { version } = live.curves;
  await live.clock.advance(60_000);
  // Its accounts were read: they may tell now what it started with.
  live.feed.changed([MOON]);
  live.feed.described([DOGE]);
  expect(await live.listed()).toEqual([MOON, DOGE].sort());
  expect([live.asked(), live.curves.wholeSince, live.curves.version - version]).toEqual([1, 0, 2]);
});

it('slots from before the hour change no curve', async () => {
  const live = open();
  live.publish(block(100, NOW, MOON));
  live.commit();
  await live.listed();
  await live.clock.advance(60_000);
  live.store(block(50, NOW - 7_000, DOGE));
  live.feed.changed([DOGE], { first: FIRST_SLOT + 50, last: FIRST_SLOT + 50 });
  expect([await live.listed(), live.asked(), live.curves.wholeSince]).toEqual([[MOON], 1, 0]);
});

it('curves stand while a block that came late is not stored, say that it is missing, and are read again then', async () => {
  const live = open();
  live.publish(block(1, NOW - 50, MOON));
  live.publish(block(5, NOW - 5, MOON));
  live.commit();
  await live.listed();
  await live.clock.advance(60_000);
  live.publish(block(3, NOW - 30, DOGE));
  for (let at = 0; at < 3; at += 1) expect(await live.listed()).toEqual([MOON]);
  expect([live.asked(), live.curves.wholeSince]).toEqual([1, NOW - 5]);
  live.publish(block(6, NOW, FROG));
  expect(await live.listed()).toEqual([MOON, FROG].sort());
  live.commit();
  expect(await live.listed()).toEqual([MOON, DOGE, FROG].sort());
  expect([live.asked(), live.curves.wholeSince]).toEqual([2, 0]);
});

it('a question does not wait for long where curves stand that are to be read again', async () => {
  let isStuck = false;
  const live = open((reads) => ({
    ...reads,
    newest: (mark) => (isStuck ? new Promise<never>(() => {}) : reads.newest(mark)),
  }));
  live.publish(block(1, NOW - 50, MOON));
  live.publish(block(5, NOW - 5, MOON));
  live.commit();
  await live.listed();
  await live.clock.advance(60_000);
  isStuck = true;
  live.feed.changed([DOGE], { first: FIRST_SLOT + 3, last: FIRST_SLOT + 3 });
  const before = live.clock.elapsed();
  expect(await live.listed()).toEqual([MOON]);
  expect(live.clock.elapsed() - before).toBeLessThan(500);
  expect(await live.listed()).toEqual([MOON]);
  expect(live.clock.elapsed() - before).toBeLessThan(600);
});

it('a block that is withdrawn takes its curves along, whether its time was believed or not', async () => {
  const live = open();
  live.publish(block(1, NOW - 3, MOON));
  live.commit();
  live.publish(block(2, NOW + 86_400, DOGE));
  live.publish(block(3, NOW, FROG));
  expect(await live.listed()).toEqual([MOON, FROG].sort());
  live.feed.withdraw(FIRST_SLOT + 3);
  live.feed.withdraw(FIRST_SLOT + 2);
  expect(await live.listed()).toEqual([MOON]);
  for (let at = 2; at < 30; at += 1) live.publish(block(at, NOW + 86_400 + at, MOON));
  expect(await live.listed(NOW + 86_440)).toEqual([MOON]);
});

it('tells what it holds', async () => {
  const live = open();
  expect(live.curves.memory).toMatchObject({ books: 0, bytes: 0, evicted: 0 });
  live.publish(block(1, NOW, MOON, DOGE));
  live.curves.warm();
  await live.listed();
  expect(live.curves.memory.books).toBe(2);
  expect(live.curves.memory.bytes).toBeGreaterThan(0);
});
