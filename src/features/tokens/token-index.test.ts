import { describe, expect, it } from 'vitest';
import { worldMint } from '../../../test/support/token-world.ts';
import { WORLD_MINTS } from '../../../test/support/token-world-rows.ts';
import { createFeed } from '../../feed/in-process.ts';
import type { ListPlace, ListWindow } from './mint-reads.ts';
import { createTokenIndex } from './token-index.ts';

const MINT = worldMint(WORLD_MINTS[0]!, 0);
const PLACE: ListPlace = { mint: MINT, slot: 7, block_index: 0, ix_index: 0 };
const WINDOW: ListWindow = {
  sort: 'newest',
  graduated: undefined,
  creator: undefined,
  from: undefined,
  to: undefined,
  limit: 5,
  cursor: undefined,
};

/** A token index over a store that answers when it is told to. */
function slowMarket() {
  let elapsed = 0;
  let broken = false;
  let impatient = false;
  const waiting: ((places: ListPlace[]) => void)[] = [];
  let reads = 0;
  const feed = createFeed({ maxHeldBatches: 4 });
  const book = createTokenIndex({
    reads: {
      listMints() {
        reads += 1;
        if (broken) return Promise.reject(new Error('away'));
        return new Promise<ListPlace[]>((resolve) => waiting.push(resolve));
      },
    },
    feed,
    clock: {
      now: () => 0,
      elapsed: () => elapsed,
      sleep: () => (impatient ? Promise.resolve() : new Promise(() => {})),
    },
    size: 10,
  });
  return {
    feed,
    book,
    reads: () => reads,
    answer(places = [PLACE]) {
      for (const resolve of waiting.splice(0)) resolve([...places]);
    },
    pass(ms: number) {
      elapsed += ms;
    },
    breakStore() {
      broken = true;
    },
    setImpatient(value: boolean) {
      impatient = value;
    },
  };
}

describe('the token index while it is read', () => {
  it('holds a question for a while and then says that it is warming up, and answers once it stands', async () => {
    const { book, answer, setImpatient, reads } = slowMarket();
    setImpatient(true);
    await expect(book.reach(WINDOW)).rejects.toMatchObject({ code: 'warming_up' });
    await expect(book.reach(WINDOW)).rejects.toMatchObject({ code: 'warming_up' });
    // One read of each order, whoever asks.
    expect(reads()).toBe(2);
    setImpatient(false);
    const held = book.reach(WINDOW);
    answer();
    expect(await held).toEqual({ places: [PLACE], ends: true });
    expect(reads()).toBe(2);
  });

  it('says why when the store fails', async () => {
    const book = createTokenIndex({
      reads: { listMints: () => Promise.reject(new Error('away')) },
      feed: createFeed({ maxHeldBatches: 1 }),
      clock: { now: () => 0, elapsed: () => 0, sleep: () => new Promise(() => {}) },
      size: 1,
    });
    await expect(book.reach(WINDOW)).rejects.toThrow('away');
  });
});

describe('the token index over a store whose holes are being filled', () => {
  it('is read again at most every ten seconds, and answers from what stands meanwhile', async () => {
    const { book, feed, answer, pass, reads, setImpatient } = slowMarket();
    const first = book.reach(WINDOW);
    answer();
    await first;
    for (let change = 0; change < 100; change += 1) {
      feed.changed([MINT]);
      expect(await book.reach(WINDOW)).toEqual({ places: [PLACE], ends: true });
    }
    expect(reads()).toBe(2);
    pass(10_000);
    setImpatient(true);
    // The store is slow: what stands is better than nothing.
    expect(await book.reach(WINDOW)).toEqual({ places: [PLACE], ends: true });
    expect(reads()).toBe(4);
  });

  it('does not answer from a read that was under way when the rows changed, long before the question', async () => {
    const { book, feed, answer, pass, reads } = slowMarket();
    const early = book.reach(WINDOW);
    feed.changed([MINT]);
    pass(10_000);
    const late = book.reach(WINDOW);
    answer([]);
    await expect.poll(reads).toBe(4);
    answer([PLACE]);
    expect(await late).toEqual({ places: [PLACE], ends: true });
    expect(await early).toEqual({ places: [PLACE], ends: true });
    expect(reads()).toBe(4);
  });

  it('is read once more at most for one question, however often the rows change meanwhile', async () => {
    const { book, feed, answer, pass, reads } = slowMarket();
    const asked = book.reach(WINDOW);
    for (const each of [2, 4]) {
      await expect.poll(reads).toBe(each);
      feed.changed([MINT]);
      pass(10_000);
      answer();
    }
    expect(await asked).toEqual({ places: [PLACE], ends: true });
    expect(reads()).toBe(4);
  });

  it('is not read again for what describes tokens: their order is the same, and lists are made anew', async () => {
    const { book, feed, answer, pass, reads } = slowMarket();
    const first = book.reach(WINDOW);
    answer();
    await first;
    const { version } = book;
    feed.described([MINT]);
    expect(book.version).toBeGreaterThan(version);
    pass(10_000);
    expect(await book.reach(WINDOW)).toEqual({ places: [PLACE], ends: true });
    expect(reads()).toBe(2);
  });

  it('answers from what stands while the store fails', async () => {
    const { book, feed, answer, pass, reads, breakStore } = slowMarket();
    const first = book.reach(WINDOW);
    answer();
    await first;
    feed.changed([MINT]);
    pass(10_000);
    breakStore();
    expect(await book.reach(WINDOW)).toEqual({ places: [PLACE], ends: true });
    expect(reads()).toBe(4);
  });
});
