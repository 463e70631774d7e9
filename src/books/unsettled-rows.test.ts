import { expect, it } from 'vitest';
import type { Feed } from '../feed/feed.ts';
import type { RowBatch } from '../store/clickhouse/schema/row-batch.ts';
import { createUnsettledRows } from './unsettled-rows.ts';

const late = (slot: number): RowBatch => ({ firstSlot: slot, lastSlot: slot, closesSlots: true, tables: new Map() });

function openFeed() {
  let held: readonly RowBatch[] = [];
  let looks = 0;
  const feed = {
    headSlot: 1_000,
    committedSlot: 0,
    subscribe: () => () => {},
    since() {
      looks += 1;
      return held;
    },
  } satisfies Feed;
  return { feed, hold: (...batches: readonly RowBatch[]) => (held = batches), looks: () => looks };
}

it('looks at keys that wait for the store a few times, however many they are, and forgets those that it has', () => {
  const { feed, hold, looks } = openFeed();
  const [stored, waiting] = [late(5), late(6)];
  hold(stored, waiting);
  const unsettled = createUnsettledRows<number>(feed);
  for (let key = 0; key < 12_000; key += 1) unsettled.note(key, key % 2 === 0 ? stored : waiting);
  for (let key = 12_000; key < 60_000; key += 1) unsettled.note(key, waiting);
  expect(looks()).toBeLessThan(10);
  expect([unsettled.has(0), unsettled.has(1), unsettled.has(59_999)]).toEqual([true, true, true]);
  hold(waiting);
  const before = looks();
  for (let key = 60_000; key < 200_000; key += 1) unsettled.note(key, waiting);
  expect(looks() - before).toBeLessThan(10);
  expect([unsettled.has(0), unsettled.has(1), unsettled.has(199_999)]).toEqual([false, true, true]);
});
