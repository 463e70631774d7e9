import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../../test/support/store.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { silentLogger } from '../../../kernel/log.ts';
import { joinBatches } from './flush-batches.ts';
import { openOutbox } from './outbox.ts';
import { readSlotIndex } from './slot-index.ts';
import { createWriter } from './writer.ts';

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test.close());

it('sends what an earlier run left, and makes a hole of the slots whose flush was damaged, which are taken again', async () => {
  const maker = createFactsMaker({ seed: 1, firstSlot: 1_000 });
  const batches = [maker.nextBatch(), maker.nextBatch(), maker.nextBatch()];
  const dir = join(test.dataDir, 'left');
  const outbox = await openOutbox(dir);
  const entries = [];
  for (const flush of batches.flatMap((batch) => joinBatches([batch]))) entries.push(await outbox.write(flush));
  const file = await readFile(entries[1]!.path);
  // A byte of a row: a store would take it.
  file[file.length - 20]! ^= 1;
  await writeFile(entries[1]!.path, file);

  const { client } = test.store;
  const slotIndex = await readSlotIndex(client);
  const later = await openOutbox(dir);
  const writer = createWriter({
    client,
    outbox: later,
    slotIndex,
    assertLease() {},
    log: silentLogger,
    clock: systemClock,
  });
  await writer.recover();
  expect(slotIndex.coverage).toEqual([
    { first: 1_000, last: 1_000 },
    { first: 1_002, last: 1_002 },
  ]);
  expect(await later.countDamaged()).toBe(1);
  expect((await openOutbox(dir)).leftovers).toEqual([]);
  await writer.flush([batches[1]!]);
  expect(slotIndex.coverage).toEqual([{ first: 1_000, last: 1_002 }]);
  const answer = await client.query({ query: 'SELECT count() AS n FROM swaps', format: 'JSONEachRow' });
  const swaps = batches.reduce((sum, { tables }) => sum + tables.get('swaps')!.rows, 0);
  expect(await answer.json()).toEqual([{ n: `${swaps}` }]);
  await writer.close(0);
});
