import { describe, expect, it } from 'vitest';
import { batchListener } from '../../test/support/batch-listener.ts';
import type { Address } from '../chain/address.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import { createFeed } from './in-process.ts';

const batch = (slot: number, closesSlots = true): RowBatch => ({
  firstSlot: slot,
  lastSlot: slot,
  closesSlots,
  tables: new Map(),
});

describe('the in-process feed', () => {
  it('gives every listener every batch in order, until it stops', () => {
    const feed = createFeed({ maxHeldBatches: 8 });
    const seen: number[] = [];
    const stop = feed.subscribe(batchListener(({ lastSlot }) => seen.push(lastSlot)));
    feed.publish(batch(5));
    feed.publish(batch(6));
    stop();
    feed.publish(batch(7));
    expect(seen).toEqual([5, 6]);
    expect(feed.headSlot).toBe(7);
  });

  it('holds batches until the store has committed them', () => {
    const feed = createFeed({ maxHeldBatches: 8 });
    for (const slot of [5, 6, 7]) feed.publish(batch(slot));
    expect(feed.since(5).map(({ lastSlot }) => lastSlot)).toEqual([6, 7]);
    feed.commit(6, 2);
    expect(feed.committedSlot).toBe(6);
    expect(feed.since(0).map(({ lastSlot }) => lastSlot)).toEqual([7]);
    expect(feed.held).toBe(1);
  });

  it('commits by slot alone when no count is given', () => {
    const feed = createFeed({ maxHeldBatches: 8 });
    for (const slot of [5, 6, 7]) feed.publish(batch(slot));
    feed.commit(6);
    expect(feed.since(0).map(({ lastSlot }) => lastSlot)).toEqual([7]);
    feed.commit(7);
    expect(feed.held).toBe(0);
  });

  it('keeps partial input reachable until it is committed, whatever its slot', () => {
    const feed = createFeed({ maxHeldBatches: 8 });
    feed.commit(100, 0);
    feed.publish(batch(3, false));
    expect(feed.since(100)).toHaveLength(1);
    feed.commit(3, 1);
    expect(feed.since(0)).toHaveLength(0);
    expect(feed.committedSlot).toBe(100);
  });

  it('takes the newest batch back, also one that closes the skipped slots before it', () => {
    const feed = createFeed({ maxHeldBatches: 8 });
    const withdrawn: RowBatch[] = [];
    feed.subscribe({ batch() {}, changed() {}, withdrawn: (each) => withdrawn.push(each) });
    const behindSkipped = { ...batch(9), firstSlot: 7 };
    feed.publish(batch(6));
    feed.publish(behindSkipped);
    expect(() => feed.withdraw(7)).toThrow(RangeError);
    feed.withdraw(9);
    expect(withdrawn).toEqual([behindSkipped]);
    expect(feed.headSlot).toBe(6);
  });

  it('leaves no hole between a mark and what follows it: warm-up sees every batch once', () => {
    const feed = createFeed({ maxHeldBatches: 8 });
    const stored: number[] = [];
    for (const slot of [1, 2, 3, 4]) feed.publish(batch(slot));
    stored.push(1, 2);
    feed.commit(2, 2);

    const live: number[] = [];
    feed.subscribe(batchListener(({ lastSlot }) => live.push(lastSlot)));
    const mark = feed.committedSlot;
    const warm = stored.filter((slot) => slot <= mark);
    const caughtUp = feed.since(mark).map(({ lastSlot }) => lastSlot);
    feed.publish(batch(5));
    expect([...warm, ...caughtUp, ...live]).toEqual([1, 2, 3, 4, 5]);
  });

  it('is bounded', () => {
    const feed = createFeed({ maxHeldBatches: 1 });
    feed.publish(batch(1));
    expect(() => feed.publish(batch(2))).toThrow(RangeError);
  });
});

describe('a feed over a chain that is not sure yet', () => {
  it('takes its newest held batch back, tells everybody, and goes back to the slot before', () => {
    const feed = createFeed({ maxHeldBatches: 8 });
    const told: string[] = [];
    feed.subscribe({
      batch: ({ lastSlot }) => told.push(`+${lastSlot}`),
      withdrawn: ({ lastSlot }) => told.push(`-${lastSlot} of ${feed.headSlot}`),
      changed: (mints) => told.push(mints.join()),
    });
    for (const slot of [5, 6, 8]) feed.publish(batch(slot));
    feed.commit(5, 1);
    feed.withdraw(8);
    feed.withdraw(6);
    feed.publish(batch(7));
    feed.changed(['A' as Address, 'B' as Address]);
    feed.changed([]);
    expect(told).toEqual(['+5', '+6', '+8', '-8 of 6', '-6 of 5', '+7', 'A,B']);
    expect(feed.since(0).map(({ lastSlot }) => lastSlot)).toEqual([7]);
    expect(feed.headSlot).toBe(7);
  });

  it('refuses to take back what is not its newest held batch', () => {
    const feed = createFeed({ maxHeldBatches: 8 });
    for (const slot of [5, 6]) feed.publish(batch(slot));
    expect(() => feed.withdraw(5)).toThrow(RangeError);
    feed.commit(6, 2);
    // The store has it: nothing takes that back.
    expect(() => feed.withdraw(6)).toThrow(RangeError);
  });
});
