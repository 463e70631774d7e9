import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../chain/address.ts';
import { MAX_EVENTS } from './contract-limits.ts';
import { EventLog, type EventPage } from './event-log.ts';
import { EVENTS_S, type ListedEvent, type ListedTrade, listedGraduation, sizeClass } from './event-rules.ts';

const MINT = '2i29BGMb2w6dDgTLiBQDuLd9SWd49g2PP1vg9AgfxQRs' as Address;
const START = 1_790_000_000;
const LEAST = 100_000_000n;
const DAY_BLOCKS = 90_000;
/** Blocks that may still be withdrawn. */
const OPEN = 3;

interface Block {
  readonly time: number;
  readonly lamports: readonly bigint[];
  readonly graduates: boolean;
}

const place = (slot: number, time: number, ix: number) => ({
  ...{ slot, time, block_index: 0, ix_index: ix, mint: MINT, actor: MINT, partial: false },
});

function eventsOf(slot: number, { time, lamports, graduates }: Block) {
  const trades = lamports.map(
    (amount, ix): ListedTrade => ({
      ...place(slot, time, ix),
      trade: { isBuy: true, lamports: amount, size: sizeClass(amount) },
    }),
  );
  const graduations: ListedEvent[] = graduates ? [{ ...place(slot, time, 999), trade: undefined }] : [];
  return { firstSlot: slot, lastSlot: slot, time, trades, graduations };
}

/** All of a chain's events in plain lists. */
function openOracle(log: EventLog) {
  const blocks: ReturnType<typeof eventsOf>[] = [];
  return {
    add(block: Block) {
      const slot = blocks.length + 1;
      blocks.push(eventsOf(slot, block));
      log.add(blocks.at(-1)!, slot - OPEN);
    },
    takeBack() {
      const gone = blocks.pop();
      if (gone !== undefined) expect(log.takeBack(gone.firstSlot, gone.lastSlot)).toBe(true);
    },
    newest(least: bigint, limit: number): readonly ListedEvent[] {
      const now = Math.max(START, ...blocks.map(({ time }) => time));
      return blocks
        .flatMap(({ trades, graduations }): ListedEvent[] => [...trades, ...graduations])
        .filter(({ time, trade }) => time >= now - EVENTS_S && (trade === undefined || trade.lamports >= least))
        .reverse()
        .slice(0, limit);
    },
  };
}

/** Of a log that begins with one block: the clock on the wall is behind no time of these blocks. */
const atStart = { blocks: [{ slot: 0, time: START }], wall: () => 2 ** 32 };
const emptyLog = () => new EventLog({ ...atStart, trades: [], graduations: [] });
const keys = (events: readonly ListedEvent[]) => events.map(({ slot, ix_index }) => `${slot}:${ix_index}`);
/** Repeats itself: the same at each run. */
const draw = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

describe('the log of large trades and graduations', () => {
  it('tells what plain lists of everything tell, through blocks that are taken back', () => {
    const amount = fc.bigInt({ min: LEAST, max: LEAST * 64n });
    const block = fc.record({
      pause: fc.constantFrom(0, 1, 400, 30_000),
      lamports: fc.array(amount, { maxLength: 4 }),
      graduates: fc.boolean(),
    });
    const step = fc.oneof({ weight: 5, arbitrary: block }, { weight: 1, arbitrary: fc.integer({ min: 1, max: OPEN }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), amount, fc.integer({ min: 1, max: 20 }), (steps, least, limit) => {
        const log = emptyLog();
        const oracle = openOracle(log);
        let time = START;
        let settled = 0;
        for (const each of steps) {
          if (typeof each === 'number') {
            for (let left = Math.min(each, settled); left > 0; left -= 1) oracle.takeBack();
            settled = 0;
          } else {
            time += each.pause;
            settled = Math.min(settled + 1, OPEN);
            oracle.add({ time, lamports: each.lamports, graduates: each.graduates });
          }
          const page = log.newest(least, limit);
          expect(keys(page.events)).toEqual(keys(oracle.newest(least, limit)));
          expect(page.lostAt).toBeUndefined();
        }
      }),
      { numRuns: 60 },
    );
  });

  it('keeps a few thousand of a day’s trades, and the newest of any least size are all there', () => {
    const log = emptyLog();
    const oracle = openOracle(log);
    const random = draw(7);
    for (let block = 0; block < DAY_BLOCKS / 3; block += 1) {
      // As on the chain: half as many for each doubling.
      const lamports = [BigInt(Math.floor(Number(LEAST) / (1 - random()))), LEAST + BigInt(block % 7)];
      oracle.add({ time: START + block, lamports, graduates: block % 500 === 0 });
      if (block % 5_000 === 1) oracle.takeBack();
    }
    for (const least of [LEAST, LEAST + 6n, LEAST + 7n, 150_000_000n, 1_000_000_000n, 3_000_000_000n, 10n ** 11n]) {
      const page = log.newest(least, MAX_EVENTS);
      expect(keys(page.events)).toEqual(keys(oracle.newest(least, MAX_EVENTS)));
      expect(page.lostAt).toBeUndefined();
    }
    expect(log.size).toBeLessThan(16_000);
  });

  it('does not let those go whose place others take in a block that is withdrawn', () => {
    const log = emptyLog();
    const oracle = openOracle(log);
    const random = draw(11);
    for (let block = 0; block < 60; block += 1) {
      oracle.add({ time: START + block, lamports: [LEAST * 2n], graduates: false });
    }
    // More than makes it tidy up, all in blocks that are taken back.
    for (let block = 0; block < OPEN; block += 1) {
      const lamports = Array.from({ length: 6_000 }, () => LEAST * 3n + BigInt(Math.floor(random() * 1e6)));
      oracle.add({ time: START + 61, lamports, graduates: true });
    }
    for (let block = 0; block < OPEN; block += 1) oracle.takeBack();
    expect(keys(log.newest(LEAST, MAX_EVENTS).events)).toEqual(keys(oracle.newest(LEAST, MAX_EVENTS)));
    expect(log.newest(LEAST, MAX_EVENTS).events).toHaveLength(60);
  });

  it('is bounded where every trade is a little smaller than the one before, and says from when on it is whole', () => {
    const log = emptyLog();
    const oracle = openOracle(log);
    const large = LEAST * 1_000n;
    oracle.add({ time: START, lamports: [large], graduates: false });
    for (let block = 1; block <= 20_000; block += 1) {
      oracle.add({ time: START + block, lamports: [LEAST * 2n - BigInt(block)], graduates: false });
    }
    expect(log.size).toBeLessThan(14_000);
    // In the attacked class, of the sizes that the oldest had: a list that says since when it is whole, and is.
    const { lostAt = 0 } = log.newest(LEAST * 2n - 1n, MAX_EVENTS);
    const least = LEAST * 2n - BigInt(lostAt - START + 50);
    const page = log.newest(least, MAX_EVENTS);
    expect(page.lostAt).toBe(lostAt);
    expect(page.events).toHaveLength(50);
    expect(keys(page.events)).toEqual(keys(oracle.newest(least, MAX_EVENTS).filter(({ time }) => time > lostAt)));
    // Others do not notice.
    const above = log.newest(LEAST * 4n, MAX_EVENTS);
    expect([keys(above.events), above.lostAt]).toEqual([['1:0'], undefined]);
    const newest = log.newest(LEAST, MAX_EVENTS);
    expect([keys(newest.events), newest.lostAt]).toEqual([keys(oracle.newest(LEAST, MAX_EVENTS)), undefined]);
  });

  it('stands where it stood while a block is one of tomorrow or of last year, and behind it', () => {
    const wall = START + 30;
    const told = (odd: number | undefined) => {
      const log = new EventLog({ ...atStart, wall: () => wall, trades: [], graduations: [] });
      const answers: unknown[] = [];
      for (let slot = 1; slot <= 40; slot += 1) {
        const time = slot === 20 && odd !== undefined ? odd : START + slot;
        log.add(eventsOf(slot, { time, lamports: slot === 20 ? [] : [LEAST], graduates: false }), slot - OPEN);
        answers.push([log.now - (log.now % 60), keys(log.newest(LEAST, 5).events)]);
      }
      return answers;
    };
    const steady = told(undefined);
    for (const odd of [wall + 86_400, 0xffff_ffff, START - 400 * 86_400, 0]) expect(told(odd)).toEqual(steady);
  });

  it('lists no event of a time that has not come, and every one behind an event of last year', () => {
    const log = new EventLog({ ...atStart, wall: () => START + 30, trades: [], graduations: [] });
    const times = [START + 1, START + 2, START + 86_400 * 3, START + 3, START - 400 * 86_400, START + 4];
    for (const [at, time] of times.entries()) {
      log.add(eventsOf(at + 1, { time, lamports: [LEAST], graduates: false }), at - OPEN);
    }
    expect(keys(log.newest(LEAST, 9).events)).toEqual(['6:0', '4:0', '2:0', '1:0']);
    expect(log.newest(LEAST, 9).from).toBe(START + 4 - EVENTS_S);
  });

  it('puts a whole block in the place of what was known of it', () => {
    const trade = { isBuy: true, lamports: LEAST, size: sizeClass(LEAST) };
    const partial = [{ ...place(5, START, 3), partial: true, trade }];
    const log = new EventLog({ ...atStart, trades: partial, graduations: [] });
    log.add(eventsOf(5, { time: START, lamports: [LEAST, LEAST], graduates: false }), 4);
    const told = (page: EventPage) => page.events.map(({ ix_index, partial: is }) => [ix_index, is]);
    expect(told(log.newest(LEAST, 9))).toEqual([
      [1, false],
      [0, false],
    ]);
    // What was there before is not known any more.
    expect(log.takeBack(5, 5)).toBe(false);
  });

  it('has blocks that come behind a single transaction of a later slot', () => {
    const trade = { isBuy: true, lamports: LEAST, size: sizeClass(LEAST) };
    const ahead = { ...place(9, START, 3), partial: true };
    const known = { ...atStart, trades: [{ ...ahead, trade }], graduations: [{ ...ahead, trade: undefined }] };
    const log = new EventLog(known);
    log.add(eventsOf(5, { time: START, lamports: [LEAST], graduates: true }), 4);
    log.add(eventsOf(6, { time: START, lamports: [LEAST], graduates: true }), 4);
    expect(keys(log.newest(LEAST, 9).events)).toEqual(['9:3', '9:3', '6:999', '6:0', '5:999', '5:0']);
    // It stays where a block before it goes.
    expect(log.takeBack(6, 6)).toBe(false);
  });

  it('does not end at a graduation that nobody knows the time of', () => {
    const row = { ...place(6, 0, 0), user: MINT, partial: false };
    expect(listedGraduation(row)).toBeUndefined();
    expect(listedGraduation({ ...row, time: START })).toMatchObject({ slot: 6, actor: MINT, trade: undefined });
  });
});

describe('classes of size', () => {
  it('begin with powers of two', () => {
    expect([1n, 2n, 3n, 4n, LEAST, 2n ** 63n, 2n ** 64n - 1n].map(sizeClass)).toEqual([0, 1, 1, 2, 26, 63, 63]);
  });
});
