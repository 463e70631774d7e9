import { describe, expect, it } from 'vitest';
import type { Address } from '../chain/address.ts';
import { foldSwap } from '../facts/average-cost.ts';
import { createFeed } from '../feed/in-process.ts';
import { toPositionRow } from '../store/clickhouse/schema/position-rows.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import { encodeRows } from '../store/clickhouse/schema/row-codec.ts';
import { POSITIONS } from '../store/clickhouse/schema/tables.ts';
import type { Section } from './book-set.ts';
import { createBookShelf, type SectionSource } from './book-shelf.ts';

const A = '2i29BGMb2w6dDgTLiBQDuLd9SWd49g2PP1vg9AgfxQRs' as Address;
const B = 'ETghYmaLuWDJjm7vHKTq1m1sHYuGpckNZmgNTMGqc4Y7' as Address;

const block = (slot: number): RowBatch => ({ firstSlot: slot, lastSlot: slot, closesSlots: true, tables: new Map() });

/** A block behind newer ones, in which somebody bought A: until the store has it, the store alone is asked. */
function lateBlock(slot: number): RowBatch {
  const place = { slot, blockIndex: 0, ixIndex: 0, time: 1_790_000_000 };
  const sides = { mint: A, trader: B, quoteMint: undefined, isBuy: true, protocolActor: false };
  const position = foldSwap(undefined, { ...place, ...sides, tokenAmount: 5n, quoteAmount: 5n });
  return { ...block(slot), tables: new Map([['positions', encodeRows(POSITIONS, [toPositionRow(position)])]]) };
}

function source(load: () => Promise<void> = async () => {}, kept = true): SectionSource<Section> {
  return {
    key: 'section',
    async load() {
      await load();
      return { apply: () => true, bytes: 1 };
    },
    isWorthKeeping: () => kept,
  };
}

function openShelf(maxBooks = 8) {
  const feed = createFeed({ maxHeldBatches: 16 });
  feed.commit(10);
  feed.publish(block(11));
  return { feed, shelf: createBookShelf({ feed, limits: { maxBytes: 1_000, maxBooks, maxSections: 4 } }) };
}

describe('how far sections go', () => {
  it('is the newest slot for those in a book, whatever the store has', async () => {
    const { feed, shelf } = openShelf();
    const following = shelf.follow();
    await following.open(A, source());
    await following.open(B, source());
    feed.publish(block(12));
    expect(following.stand()).toEqual({ least: 12, most: 12, live: true });
  });

  it('is where they were let go, when that happens before they are used', async () => {
    const { feed, shelf } = openShelf(1);
    const following = shelf.follow();
    await following.open(A, source());
    feed.publish(block(12));
    await following.open(B, source());
    feed.publish(block(13));
    expect(following.stand()).toEqual({ least: 12, most: 13, live: false });
  });

  it('is one slot for those out of the store alone, whatever comes meanwhile', async () => {
    const { feed, shelf } = openShelf();
    const marks: number[] = [];
    const following = shelf.followStore();
    for (const mint of [A, B]) {
      const { load, ...rest } = source(async () => feed.publish(block(12 + marks.length)));
      await following.open(mint, { ...rest, load: (mark) => load(marks.push(mark)) });
      feed.commit(11 + marks.length);
    }
    expect([marks, following.mark(), following.stand()]).toEqual([[10, 10], 10, { least: 10, most: 10, live: false }]);
  });

  it('is not before the newest of what was read as it stands', async () => {
    const { shelf } = openShelf();
    const following = shelf.followStore();
    const { load, ...rest } = source();
    await following.open(A, { ...rest, load: async (mark) => ({ ...(await load(mark)), readAt: 11 }) });
    expect(following.stand()).toMatchObject({ least: 11, most: 11 });
  });

  it('is where they were read, for those that no book keeps', async () => {
    const { feed, shelf } = openShelf();
    const following = shelf.follow();
    await following.open(
      A,
      source(async () => feed.publish(block(12)), false),
    );
    feed.publish(block(13));
    expect(following.stand()).toEqual({ least: 12, most: 12, live: false });
  });

  it('is that of the store while rows that came late are in neither', async () => {
    const { feed, shelf } = openShelf();
    const following = shelf.follow();
    await following.open(
      A,
      source(async () => feed.changed([A])),
    );
    expect(following.stand()).toEqual({ least: 11, most: 11, live: false });
  });

  it('is where they say that they were read, of rows that the store has no older ones of', async () => {
    const { feed, shelf } = openShelf();
    feed.publish(lateBlock(9));
    const following = shelf.follow();
    const newest = source(async () => {}, false);
    await following.open(A, { ...newest, load: async (mark) => ({ ...(await newest.load(mark)), readAt: mark + 1 }) });
    expect(following.stand()).toEqual({ least: 11, most: 11, live: false });
  });
});
