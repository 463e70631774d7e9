import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../../test/support/store.ts';
import type { StoreClient } from '../client.ts';
import type { RowBatch } from '../schema/row-batch.ts';
import { decodeRows } from '../schema/row-codec.ts';
import { SWAPS } from '../schema/tables.ts';

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test.close());

async function one(client: StoreClient, query: string): Promise<Record<string, string>> {
  const answer = await client.query({ query, format: 'JSONEachRow' });
  return (await answer.json<Record<string, string>>())[0] ?? {};
}

const COUNTS = `SELECT
  (SELECT count() FROM swaps) AS swaps,
  (SELECT count() FROM swaps_by_trader) AS by_trader,
  (SELECT sum(buys + sells) FROM mint_minutes) AS minutes,
  (SELECT sum(buys + sells) FROM venue_minutes) AS venue_minutes,
  (SELECT sum(swaps) FROM fee_minutes) AS fee_minutes,
  (SELECT sum(swaps) FROM slot_economics) AS slot_economics,
  (SELECT sum(swaps) FROM router_minutes) AS router_minutes,
  (SELECT sum(transactions) FROM router_reverts) AS router_reverts,
  (SELECT uniqExact(slot, block_index, router) FROM attempts) AS reverted,
  (SELECT sum(lamports) FROM slot_tips) AS tipped,
  (SELECT sum(lamports) FROM tip_quarters) AS tip_quarters,
  (SELECT sum(transactions) FROM tipper_hours) AS tipper_hours,
  (SELECT sum(swaps) FROM mint_hours) AS mint_hours,
  (SELECT countIf(quote_mint = toFixedString('', 32) AND venue < 2) FROM swaps) AS in_sol,
  (SELECT countIf(tip > 0 AND network_fee > 0 AND venue < 2) FROM swaps) AS tips,
  (SELECT countIf(priced) FROM swaps) AS priced,
  (SELECT sum(trades) FROM candles WHERE seconds = 60) AS candles,
  (SELECT count() FROM blocks) AS blocks,
  (SELECT sum(blocks) FROM block_minutes) AS block_minutes`;

describe('the store writer', () => {
  it('writes whole blocks with copies and rollups, marks them covered and empties the outbox', async () => {
    const maker = createFactsMaker({ seed: 1, firstSlot: 1_000 });
    const batches = Array.from({ length: 5 }, () => maker.nextBatch());
    await test.store.writer.flush(batches);
    const swaps = batches.reduce((sum, { tables }) => sum + tables.get('swaps')!.rows, 0);
    const counts = await one(test.store.client, COUNTS);
    expect(counts).toMatchObject({
      swaps: `${swaps}`,
      by_trader: `${swaps}`,
      minutes: `${swaps}`,
      venue_minutes: `${swaps}`,
      fee_minutes: `${swaps}`,
      slot_economics: `${swaps}`,
      router_minutes: `${swaps}`,
      router_reverts: counts.reverted,
      tip_quarters: counts.tipped,
      tipper_hours: counts.tips,
      mint_hours: counts.in_sol,
    });
    expect(Number(counts.tips)).toBeGreaterThan(0);
    expect(counts).toMatchObject({ blocks: '5', block_minutes: '5', candles: counts.priced });
    expect(test.store.committedSlot).toBe(1_004);
    expect(test.store.coverage).toEqual([{ first: 1_000, last: 1_004 }]);
    expect(await readdir(join(test.dataDir, 'outbox'))).toEqual([]);
  });

  it('changes nothing when a block comes a second time', async () => {
    const before = await one(test.store.client, COUNTS);
    const again = createFactsMaker({ seed: 1, firstSlot: 1_000 });
    await test.store.writer.flush(Array.from({ length: 5 }, () => again.nextBatch()));
    expect(await one(test.store.client, COUNTS)).toEqual(before);
  });

  it('fills a hole behind the tip without holding the tip back', async () => {
    const maker = createFactsMaker({ seed: 2, firstSlot: 2_000 });
    const [hole, tip] = [maker.nextBatch(), maker.nextBatch()] as [RowBatch, RowBatch];
    await test.store.writer.flush([tip]);
    expect(test.store.committedSlot).toBe(2_001);
    await test.store.writer.flush([hole]);
    expect(test.store.coverage).toContainEqual({ first: 2_000, last: 2_001 });
  });

  it('takes flushes in the order of the calls, without the caller waiting for each', async () => {
    const maker = createFactsMaker({ seed: 3, firstSlot: 3_000, swapsPerBlock: 3 });
    const flushes = Array.from({ length: 6 }, () => test.store.writer.flush([maker.nextBatch()]));
    const done: number[] = [];
    await Promise.all(flushes.map((flush, place) => flush.then(() => done.push(place))));
    expect(done).toEqual([0, 1, 2, 3, 4, 5]);
    expect(test.store.coverage).toContainEqual({ first: 3_000, last: 3_005 });
    expect(test.store.writer.pendingBytes).toBe(0);
  });

  it('replaces rows of single transactions, in facts and rollups, when their whole block comes', async () => {
    const maker = createFactsMaker({ seed: 4, firstSlot: 4_000, mints: 2 });
    const whole = maker.next();
    const part = { ...whole, whole: false, blockhash: '', swaps: whole.swaps.slice(0, 3), created: [] };
    const ours = 'slot = 4000';
    await test.store.writer.flush([
      maker.toBatch({ ...part, swaps: part.swaps.map((swap, i) => ({ ...swap, blockIndex: i })) }),
    ]);
    expect(test.store.committedSlot).toBe(4_000);
    expect(test.store.coverage.some(({ last }) => last === 4_000)).toBe(false);
    expect(await one(test.store.client, `SELECT count() AS n FROM swaps WHERE ${ours} AND partial`)).toEqual({
      n: '3',
    });

    await test.store.writer.flush([maker.toBatch(whole)]);
    const after = await one(
      test.store.client,
      `SELECT count() AS n, countIf(partial) AS partial,
         (SELECT count() FROM swaps_by_trader WHERE ${ours}) AS by_trader,
         (SELECT sum(buys + sells) FROM mint_minutes WHERE mint IN (SELECT mint FROM swaps WHERE ${ours})) AS minutes,
         (SELECT count() FROM partial_slots) AS open
       FROM swaps WHERE ${ours}`,
    );
    expect(after).toEqual({ n: '20', partial: '0', by_trader: '20', minutes: '20', open: '0' });

    await test.store.writer.flush([maker.toBatch(part)]);
    expect(await one(test.store.client, `SELECT count() AS n FROM swaps WHERE ${ours}`)).toEqual({ n: '20' });
  });

  it('stores the very values it was given', async () => {
    const maker = createFactsMaker({ seed: 5, firstSlot: 5_000 });
    const batch = maker.nextBatch();
    await test.store.writer.flush([batch]);
    const { stream } = await test.store.client.exec({
      query: `SELECT ${Object.keys(SWAPS.columns).join(', ')} FROM swaps WHERE slot = 5000 ORDER BY block_index FORMAT RowBinary`,
    });
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    expect(decodeRows(SWAPS, Buffer.concat(chunks))).toEqual(decodeRows(SWAPS, batch.tables.get('swaps')!.bytes));
  });
});
