import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { mountSmallDisk } from '../../../../test/support/small-disk.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { silentLogger } from '../../../kernel/log.ts';
import { readJson, readRows, runStatement, streamRows } from '../client.ts';
import type { TableLayout } from '../schema/table-layout.ts';
import { openStore, type Store } from '../store.ts';

const DISK = '160m';
/** Less than the reserve of that disk, and far more than any write here takes. */
const LITTLE_BYTES = 12 * 1024 ** 2;
const NUMBERS = { name: 'numbers', columns: { number: 'u64' } } as const satisfies TableLayout;
const FEW = 5;
/** Longer than what the server keeps in memory of an answer. */
const MANY = 400_000;

const dir = mkdtempSync(join(tmpdir(), 'mintscope-full-'));
/** Undefined where we may not mount one. */
const disk = mountSmallDisk(dir, DISK);

const smallDir = mkdtempSync(join(tmpdir(), 'mintscope-nearly-full-'));
const small = mountSmallDisk(smallDir, DISK);

afterAll(() => {
  for (const each of [dir, smallDir]) rmSync(each, { recursive: true });
});

describe.runIf(disk !== undefined)('a store whose disk is full', () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore({ url: undefined, dataDir: join(dir, 'data'), log: silentLogger, clock: systemClock });
    await runStatement(store.client, 'INSERT INTO coverage (first_slot, last_slot) VALUES (1, 9)');
    disk?.fill();
  });
  afterAll(async () => {
    await store.close();
    disk?.unmount();
  });

  const numbers = (rows: number) => `SELECT number FROM numbers(${rows})`;
  async function stream(rows: number): Promise<number> {
    let come = 0;
    for await (const piece of streamRows(store.client, NUMBERS, numbers(rows))) come += piece.length;
    return come;
  }

  it('has no room for what it answers, which the engine tells with 200 and a body that is cut off', async () => {
    const { stream: body, summary } = await store.client.exec({
      query: `${numbers(FEW)} FORMAT RowBinary`,
      clickhouse_settings: { wait_end_of_query: 1 },
    });
    const bytes = Buffer.concat(await body.toArray());
    expect([bytes.length, summary?.result_rows]).toEqual([0, String(FEW)]);
  });

  it('answers short questions as ever', async () => {
    expect(await readRows(store.client, NUMBERS, numbers(FEW))).toHaveLength(FEW);
    expect(await readJson(store.client, 'SELECT first_slot FROM coverage')).toEqual([{ first_slot: 1 }]);
    expect(await stream(FEW)).toBe(FEW);
  });

  it('fails long ones, and never answers them in part', async () => {
    const incomplete = { name: 'ReadFault', code: 'incomplete' };
    await expect(readRows(store.client, NUMBERS, numbers(MANY))).rejects.toMatchObject(incomplete);
    await expect(readJson(store.client, numbers(MANY))).rejects.toMatchObject(incomplete);
    await expect(stream(MANY)).rejects.toMatchObject(incomplete);
  });

  it('says that it takes no rows', async () => {
    const insert = 'INSERT INTO coverage (first_slot, last_slot) VALUES (20, 30)';
    await expect(runStatement(store.client, insert)).rejects.toThrow();
  });

  it('takes none while less is free than the engine needs to end what it begins', async () => {
    disk?.fill(LITTLE_BYTES);
    const insert = 'INSERT INTO coverage (first_slot, last_slot) VALUES (40, 50)';
    await expect(runStatement(store.client, insert)).rejects.toThrow('Cannot reserve');
    expect(await readJson(store.client, 'SELECT first_slot FROM coverage')).toEqual([{ first_slot: 1 }]);
  });

  it('answers everything again once there is room', async () => {
    disk?.makeRoom();
    expect(await readRows(store.client, NUMBERS, numbers(MANY))).toHaveLength(MANY);
    expect(await stream(MANY)).toBe(MANY);
  });
});

describe.runIf(small !== undefined)('a start on a disk that is nearly full', () => {
  const dataDir = join(smallDir, 'data');
  const open = () => openStore({ url: undefined, dataDir, log: silentLogger, clock: systemClock });
  afterAll(() => small?.unmount());

  it('with something to write ends and says what to do, and goes on from there once there is room', async () => {
    const first = await open();
    small?.fill(LITTLE_BYTES);
    const batch = createFactsMaker({ seed: 5, firstSlot: 700, swapsPerBlock: 3 }).nextBatch();
    const flushed = first.writer.flush([batch]);
    const refused = expect(flushed).rejects.toMatchObject({ code: 'store_closed' });
    await eventually(() => expect(readdirSync(join(dataDir, 'outbox'))).toHaveLength(1));
    const closed = first.close();
    await refused;
    await closed;
    // Fills again the room that the engine freed at its end.
    small?.fill(LITTLE_BYTES);
    await expect(open()).rejects.toMatchObject({ code: 'no_room', message: expect.stringContaining('make room') });
    small?.makeRoom();
    const second = await open();
    expect(await readJson(second.client, 'SELECT count() AS rows FROM swaps')).toEqual([{ rows: '3' }]);
    await second.close();
  });
});
