import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../../test/support/store.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { silentLogger } from '../../../kernel/log.ts';
import { TIP_PROVIDERS } from '../../../programs/registry/index.ts';
import { insertRows } from '../client.ts';
import { decodeRows, encodeRows } from '../schema/row-codec.ts';
import { TRANSFERS } from '../schema/tables.ts';
import { joinBatches } from './flush-batches.ts';
import { type Flush, openOutbox } from './outbox.ts';
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

/** The flush as it was written before transfers could be hidden. */
function beforeHidden(flush: Flush): Flush {
  const { hidden: _, ...columns } = TRANSFERS.columns;
  const tables = flush.tables.map((table) => {
    if (table.table !== 'transfers') return table;
    const rows = decodeRows(TRANSFERS, table.bytes);
    const { bytes } = encodeRows({ name: 'transfers', columns }, rows);
    return { ...table, columns: Object.keys(columns), bytes };
  });
  return { ...flush, tables };
}

it('sends a flush that was left by a version whose rows lack a column, once, whatever was sent of it', async () => {
  const maker = createFactsMaker({ seed: 2, firstSlot: 2_000 });
  const dir = join(test.dataDir, 'older');
  const outbox = await openOutbox(dir);
  const flushes = [maker.nextBatch(), maker.nextBatch()].flatMap((batch) => joinBatches([batch])).map(beforeHidden);
  const { client } = test.store;
  // A part of the first came through before its sender was killed.
  const transfers = flushes[0]!.tables.find(({ table }) => table === 'transfers')!;
  await insertRows(client, { ...transfers, token: undefined });
  for (const flush of flushes) await outbox.write(flush);
  const slotIndex = await readSlotIndex(client);
  const later = await openOutbox(dir);
  const shared = { client, slotIndex, assertLease() {}, log: silentLogger, clock: systemClock };
  const writer = createWriter({ ...shared, outbox: later });
  await writer.recover();
  const counts = `SELECT
    (SELECT count() FROM transfers WHERE slot >= 2000 AND NOT hidden) AS transfers,
    (SELECT count() FROM transfers_by_wallet WHERE slot >= 2000 AND NOT hidden) AS by_wallet`;
  const answer = await client.query({ query: counts, format: 'JSONEachRow' });
  expect(await answer.json()).toEqual([{ transfers: '2', by_wallet: '4' }]);
  expect(await later.countDamaged()).toBe(0);
  await writer.close(0);
});

it('sums up the tips of a flush that was left, where the first of them is of no lamports', async () => {
  const maker = createFactsMaker({ seed: 3, firstSlot: 3_000 });
  const facts = maker.next();
  const [free, paying] = TIP_PROVIDERS[0]!.accounts.map(({ address }) => address);
  const tipsByWallet = [
    { tipWallet: free!, count: 2, repeated: 0, lamports: 0n, paid: [0n, 0n] },
    { tipWallet: paying!, count: 3, repeated: 0, lamports: 600n, paid: [100n, 200n, 300n] },
  ];
  const batch = maker.toBatch({ ...facts, economics: { ...facts.economics, tipsByWallet } });
  const dir = join(test.dataDir, 'free-tips');
  for (const flush of joinBatches([batch])) await (await openOutbox(dir)).write(flush);
  const { client } = test.store;
  const slotIndex = await readSlotIndex(client);
  const outbox = await openOutbox(dir);
  const writer = createWriter({
    ...{ client, slotIndex, outbox, assertLease() {}, log: silentLogger, clock: systemClock },
  });
  await writer.recover();
  await writer.close(0);
  const ofBoth = `WHERE tip_wallet IN (SELECT toFixedString(base58Decode(arrayJoin(['${free}', '${paying}'])), 32))`;
  const query = `SELECT
    (SELECT sum(count) FROM tip_minutes ${ofBoth}) AS minutes,
    (SELECT sum(count) FROM tip_quarters ${ofBoth}) AS quarters`;
  const answer = await client.query({ query, format: 'JSONEachRow' });
  expect(await answer.json()).toEqual([{ minutes: '5', quarters: '5' }]);
});
