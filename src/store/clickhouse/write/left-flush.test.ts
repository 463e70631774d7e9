import { describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { decodeRows } from '../schema/row-codec.ts';
import { STALE_POSITIONS } from '../schema/tables.ts';
import { flushOf } from './flush-batches.ts';
import { lackingOf } from './left-flush.ts';
import type { Flush } from './outbox.ts';
import { withStale } from './stale-positions.ts';

const maker = createFactsMaker({ seed: 8, swapsPerBlock: 4 });
const facts = maker.next();
const { slot } = facts;
const batch = maker.toBatch({ ...facts, whole: false });
const flush: Flush = { ...flushOf(batch.tables), partialSlots: [slot] };
const mints = new Set(facts.swaps.map(({ mint }) => mint));

const indexOf = (partial: readonly number[], whole: readonly number[] = []) => {
  return { coverage: whole.map((each) => ({ first: each, last: each })), partialSlots: new Set(partial) };
};

function markedBy(lacking: Flush | undefined) {
  const bytes = lacking?.tables.find(({ table }) => table === 'stale_positions')?.bytes;
  return decodeRows(STALE_POSITIONS, bytes ?? new Uint8Array(0));
}

describe('a flush that was left behind', () => {
  it('has all mints folded again that it moved, also when its single transactions are let go', () => {
    const lacking = lackingOf(flush, indexOf([slot]), 7);
    expect(lacking?.tables.map(({ table }) => table)).toEqual(['stale_positions']);
    expect(new Set(markedBy(lacking).map(({ mint }) => mint))).toEqual(mints);
    // What is lost half-way may be of any slot that the wallets moved in.
    expect(markedBy(lacking).every((row) => row.first_slot === 0 && !row.done && row.mark > 7)).toBe(true);
  });

  it('takes over the marks that it carries, and leaves out what is answered', () => {
    const mark = { mint: maker.mints.at(-1)!, mark: 3, slot, firstSlot: slot, holdingsOnly: false };
    const { tables } = withStale({ ...batch, tables: new Map() }, [mark]);
    const left = { ...flushOf(tables), partialSlots: [slot] };
    expect(markedBy(lackingOf(left, indexOf([slot]), 7)).map(({ mint }) => mint)).toEqual([mark.mint]);
  });

  it('lacks nothing where its slots are whole by now', () => {
    expect(lackingOf(flush, indexOf([], [slot]), 7)).toBeUndefined();
  });
});
