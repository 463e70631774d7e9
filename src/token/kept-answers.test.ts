import { describe, expect, it } from 'vitest';
import { address } from '../../test/support/token-world-rows.ts';
import type { Section } from '../books/book-set.ts';
import { createBookShelf, type SectionSource } from '../books/book-shelf.ts';
import { slotOfBody } from '../contract/stamp.ts';
import { createFeed } from '../feed/in-process.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import { createKeptAnswers } from './kept-answers.ts';

const mint = address(7);
const block = (slot: number): RowBatch => ({ firstSlot: slot, lastSlot: slot, closesSlots: true, tables: new Map() });

/** A shelf that keeps nothing, while a block comes and is stored with every read. */
function openRestless() {
  const feed = createFeed({ maxHeldBatches: 100 });
  feed.commit(10, 0);
  const shelf = createBookShelf({ feed, limits: { maxBytes: 0, maxBooks: 0, maxSections: 0 } });
  const marks: number[] = [];
  const restless = (key: string): SectionSource<Section> => ({
    key,
    async load(mark) {
      marks.push(mark);
      feed.publish(block(feed.headSlot + 1));
      feed.commit(feed.headSlot);
      return { bytes: 1, apply: () => true };
    },
    isWorthKeeping: () => false,
  });
  const traces = { known: true, decimals: 6 };
  const facts = { creation: undefined, completion: undefined, graduation: undefined, creatorChange: undefined };
  const reads = { token: async () => ({ ...facts, lastSwap: undefined, lastPriced: undefined, traces }) };
  return { shelf, restless, reads, marks };
}

describe('an answer whose sections are let go while blocks come', () => {
  it('is of one slot in the end, which it is stamped with', async () => {
    const { shelf, restless, reads, marks } = openRestless();
    const answer = createKeptAnswers({ reads, shelf });
    const body = await answer(mint, undefined, async ({ open, mark }) => {
      await open(mint, restless('first'));
      await open(mint, restless('second'));
      marks.push(mark());
      return Buffer.from('{}');
    });
    const last = marks.slice(-3);
    expect(new Set(last).size).toBe(1);
    expect(body instanceof Buffer && slotOfBody(body)).toBe(last[0]);
  });
});
