import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { extent } from '../../../../test/support/extent.ts';
import { contentOf, openStoreHosts, type StoreHosts, takeOver } from '../../../../test/support/store-hosts.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { silentLogger } from '../../../kernel/log.ts';
import { runStatement } from '../client.ts';
import { DERIVED_TABLES } from '../derived/derived-tables.ts';
import type { RowBatch } from '../schema/row-batch.ts';
import { verifyStore } from '../verify/verify.ts';
import { TABLES_WITH_SLOTS } from './orphan-slots.ts';
import { SUMMED_TABLES } from './orphan-sums.ts';
import { openOutbox } from './outbox.ts';
import { readSlotIndex } from './slot-index.ts';
import { readStale } from './stale-positions.ts';
import { createWriter } from './writer.ts';

const FIRST_SLOT = 1_000;

let hosts: StoreHosts;
beforeAll(async () => {
  hosts = await openStoreHosts();
});
afterAll(() => hosts.close());

function makeBatches(seed: number, count: number): RowBatch[] {
  const maker = createFactsMaker({ seed, firstSlot: FIRST_SLOT });
  return Array.from({ length: count }, () => maker.nextBatch());
}

/** Counts the times that a flush of these blocks asks for the lease: each is a place to be killed at. */
async function countAsks(batches: readonly RowBatch[]): Promise<number> {
  const client = await hosts.openDatabase();
  let asks = 0;
  const writer = createWriter({
    client,
    outbox: await openOutbox(await hosts.newFolder()),
    slotIndex: await readSlotIndex(client),
    assertLease() {
      asks += 1;
    },
    log: silentLogger,
    clock: systemClock,
  });
  await writer.flush(batches);
  await writer.close(1_000);
  await client.close();
  return asks;
}

describe('what is looked for', () => {
  it('is every table with a slot for each row, and every rollup that adds up', async () => {
    const client = await hosts.openDatabase();
    const read = async (query: string) => {
      const answer = await client.query({ query, format: 'JSONEachRow' });
      return (await answer.json<{ table: string }>()).map(({ table }) => table).sort();
    };
    const withSlots = await read(
      `SELECT DISTINCT table FROM system.columns WHERE database = currentDatabase() AND name = 'slot' AND default_kind = ''`,
    );
    // Rows that are no fact of a block: marks, notes, answers of the chain at some slot, what is swept up of covered slots,
    // and sums of a slot, which are taken out with its swaps.
    const noFacts = [
      'dev_sales',
      'equity_mints',
      'funding_lookups',
      'holdings',
      'hydrated_pools',
      'hydrated_tokens',
      'mempool_buyers',
      'partial_slots',
      'positions',
      'slot_economics',
      'stale_positions',
    ];
    expect(TABLES_WITH_SLOTS.toSorted()).toEqual(withSlots.filter((table) => !noFacts.includes(table)));
    const sums = DERIVED_TABLES.filter(({ select }) => /\b(?:sum|count)(?:If)?\(/.test(select)).map(({ name }) => name);
    expect(Object.keys(SUMMED_TABLES).sort()).toEqual(sums.sort());
    await client.close();
  });
});

describe('a database that another host takes over', () => {
  it('has every row once, wherever in a flush the host before was killed, its outbox gone with it', async () => {
    const batches = makeBatches(1, 12);
    const [first, second] = [batches.slice(0, 4), batches.slice(4)];
    const whole = await hosts.contentAfter(batches);
    const asks = await countAsks(second);
    expect(asks).toBeGreaterThan(15);
    for (let at = 1; at <= asks; at += extent(14, 1)) {
      const client = await hosts.openDatabase();
      const before = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
      await before.flush(first);
      await before.close(1_000);
      const killed = await takeOver(client, { folder: await hosts.newFolder(), epoch: 2, asks: at - 1 });
      await expect(killed.flush(second)).rejects.toThrow('killed');
      await killed.close(0);
      const successor = await takeOver(client, { folder: await hosts.newFolder(), epoch: 3 });
      // As a source does that begins again a little before the store's end, and in flushes of another size.
      await successor.flush(batches.slice(2, 7));
      await successor.flush(batches.slice(7));
      await successor.close(1_000);
      expect({ at, content: await contentOf(client) }).toEqual({ at, content: whole });
      expect((await verifyStore({ client })).mismatches).toEqual([]);
      await client.close();
    }
  });

  it('has every row once when the first host comes back with its outbox, which had more than was taken over', async () => {
    const batches = makeBatches(2, 16);
    const whole = await hosts.contentAfter(batches);
    const client = await hosts.openDatabase();
    const home = await hosts.newFolder();
    const first = await takeOver(client, { folder: home, epoch: 1, asks: 9 });
    await expect(first.flush(batches.slice(0, 8))).rejects.toThrow('killed');
    await first.close(0);
    expect(await readdir(home)).toHaveLength(1);
    const second = await takeOver(client, { folder: await hosts.newFolder(), epoch: 2 });
    // It does not come to the end of what the first had: the rest is in that one's outbox alone.
    await second.flush(batches.slice(0, 5));
    await second.flush(batches.slice(8, 12));
    await second.close(1_000);
    const back = await takeOver(client, { folder: home, epoch: 3 });
    expect(await readdir(home)).toEqual([]);
    const marked = new Set((await readStale(client)).mints.map(({ mint }) => mint));
    expect(marked.size).toBeGreaterThan(0);
    await back.flush(batches.slice(12));
    await back.close(1_000);
    expect(withoutStates(await contentOf(client))).toEqual(withoutStates(whole));
    await client.close();
  });

  it('takes nothing from a host that was frozen in the middle of an insert and goes on', async () => {
    const batches = makeBatches(3, 6);
    const client = await hosts.openDatabase();
    const frozen = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    await frozen.flush(batches.slice(0, 3));
    const successor = await takeOver(client, { folder: await hosts.newFolder(), epoch: 2 });
    const before = await contentOf(client);
    // Its own check has passed: only the server can tell by now.
    await expect(frozen.flush(batches.slice(3))).rejects.toMatchObject({ code: 'lease_lost' });
    expect(await contentOf(client)).toEqual(before);
    expect((await readSlotIndex(client)).coverage).toEqual([{ first: FIRST_SLOT, last: FIRST_SLOT + 2 }]);
    await successor.flush(batches.slice(3));
    await successor.close(1_000);
    expect(await contentOf(client)).toEqual(await hosts.contentAfter(batches));
    await frozen.close(0);
    await client.close();
  });

  it('is opened with hundreds of holes and thousands of single transactions, and clean again behind them', async () => {
    const batches = makeBatches(5, 5);
    const client = await hosts.openDatabase();
    const first = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    await first.flush(batches.slice(0, 3));
    await first.close(1_000);
    await runStatement(
      client,
      'INSERT INTO coverage SELECT toUInt32(2000 + number * 3), toUInt32(2001 + number * 3) FROM numbers(600)',
    );
    await runStatement(client, 'INSERT INTO partial_slots SELECT toUInt32(20000 + number) FROM numbers(40000)');
    const killed = await takeOver(client, { folder: await hosts.newFolder(), epoch: 2, asks: 12 });
    await expect(killed.flush(batches.slice(3))).rejects.toThrow('killed');
    await killed.close(0);
    const successor = await takeOver(client, { folder: await hosts.newFolder(), epoch: 3 });
    await successor.flush(batches.slice(3));
    await successor.close(1_000);
    expect(await contentOf(client)).toEqual(await hosts.contentAfter(batches));
    await client.close();
  });

  it('is left alone where its coverage is what was lost', async () => {
    const client = await hosts.openDatabase();
    const blocks = `INSERT INTO blocks (slot, blockhash, parent_slot, time, transactions, failed, votes, swaps, attempts, fees, priority_fees, tips)
      SELECT toUInt32(1 + number), toString(number), toUInt32(number), toDateTime(1760000000, 'UTC'), 0, 0, 0, 0, 0, 0, 0, 0 FROM numbers(60000)`;
    await runStatement(client, blocks);
    const opened = takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    await expect(opened).rejects.toMatchObject({
      code: 'server_unusable',
      message: expect.stringContaining('coverage'),
    });
    const answer = await client.query({ query: 'SELECT count() AS n FROM blocks', format: 'JSONEachRow' });
    expect(await answer.json()).toEqual([{ n: '60000' }]);
    await client.close();
  });

  it('folds positions again that a killed host had written ahead of its swaps', async () => {
    const batches = makeBatches(4, 6);
    const client = await hosts.openDatabase();
    const first = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    await first.flush(batches.slice(0, 3));
    // Tables of a flush come in no order: positions alone may be there.
    await first.amend(new Map([['positions', batches[5]!.tables.get('positions')!]]));
    await first.close(1_000);
    const successor = await takeOver(client, { folder: await hosts.newFolder(), epoch: 2 });
    const answer = await client.query({
      query: `SELECT toUInt32(max(slot)) AS slot FROM positions`,
      format: 'JSONEachRow',
    });
    expect((await answer.json<{ slot: number }>())[0]?.slot).toBeLessThanOrEqual(FIRST_SLOT + 2);
    expect((await readStale(client)).mints.length).toBeGreaterThan(0);
    await successor.close(1_000);
    await client.close();
  });
});

/** Positions are folded again by ingest: here they are only marked. */
function withoutStates({ positions: _, positions_by_trader: __, ...facts }: Record<string, string>) {
  return facts;
}
