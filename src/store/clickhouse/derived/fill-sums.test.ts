import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createFactsMaker, type FactsMaker } from '../../../../test/support/block-facts.ts';
import { createHandClock } from '../../../../test/support/hand-clock.ts';
import { spreadSwaps } from '../../../../test/support/spread-swaps.ts';
import { openStoreHosts, type StoreHosts, takeOver } from '../../../../test/support/store-hosts.ts';
import { silentLogger } from '../../../kernel/log.ts';
import { readJson, runStatement, type StoreClient } from '../client.ts';
import { readMigrations, statementsOf } from '../migrations.ts';
import { applyRetention, readRetention, readWholeSince } from '../retention.ts';
import type { RowBatch } from '../schema/row-batch.ts';
import { verifyStore } from '../verify/verify.ts';
import { FILLED_SUMS, readDueSlots, readFilledSince } from './due-slots.ts';
import { fillSumsStep, runFillSums } from './fill-sums.ts';

const FIRST_SLOT = 1_000;
const FIRST_TIME = 1_760_000_000;

let hosts: StoreHosts;
beforeAll(async () => {
  hosts = await openStoreHosts();
});
afterAll(() => hosts.close());

/** A store that had facts before it had these rollups. */
async function olderStore(batches: readonly RowBatch[]): Promise<StoreClient> {
  const client = await hosts.openDatabase();
  const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
  await writer.flush(batches);
  await writer.close(1_000);
  for (const table of ['mint_hours', 'trader_registers']) await runStatement(client, `DROP TABLE ${table}`);
  for (const script of readMigrations().filter(({ name }) => /^00(?:48|49|50|51|53|56|65)_/.test(name))) {
    for (const statement of statementsOf(script)) await runStatement(client, statement);
  }
  return client;
}

const makeBlocks = (maker: FactsMaker, count: number) => Array.from({ length: count }, () => maker.nextBatch());

/** Sums of all that the tables tell, with one of each as the facts tell it. */
async function sums(client: StoreClient) {
  const [row] = await readJson<Record<string, string>>(
    client,
    `SELECT (SELECT sum(swaps) FROM fee_minutes) AS swaps, (SELECT sum(priority_fees) FROM fee_minutes) AS fees,
       (SELECT sum(transactions) FROM tipper_hours) AS tips, (SELECT sum(buys + sells) FROM venue_minutes) AS trades,
       (SELECT sum(swaps) FROM mint_hours) AS volumes, (SELECT count() FROM trader_registers) AS registers,
       (SELECT sum(swaps) FROM slot_economics) AS slots, (SELECT sum(swaps) FROM router_minutes) AS routed,
       (SELECT sum(transactions) FROM router_reverts) AS reverted`,
  );
  return Object.fromEntries(Object.entries(row!).map(([name, value]) => [name, Number(value)]));
}

async function fill(client: StoreClient, maxSlots = 7): Promise<number> {
  let steps = 0;
  for (const table of FILLED_SUMS) while ((await fillSumsStep(client, table, { maxSlots })) !== undefined) steps += 1;
  return steps;
}

/** Positions are folded again by ingest: here they are only marked. */
async function mismatches(client: StoreClient) {
  const isOurs = ({ table }: { readonly table: string }) => (FILLED_SUMS as readonly string[]).includes(table);
  return (await verifyStore({ client })).mismatches.filter(isOurs);
}

describe('rollups that a store gets when it has facts already', () => {
  it('begin empty, are filled from the newest slots on beside flushes and late blocks, and end as if they had always been there', async () => {
    const maker = createFactsMaker({ seed: 21, firstSlot: FIRST_SLOT, firstTime: FIRST_TIME });
    const before = makeBlocks(maker, 30);
    const hole = before.splice(10, 1);
    const [single] = [maker.next()].map((facts) => maker.toBatch({ ...facts, whole: false, parentSlot: 0 }));
    const client = await olderStore([...before, single!]);
    // Rows of the single transactions alone: no pass over what is whole stands between the start and the service.
    expect(await sums(client)).toMatchObject({ swaps: 20, volumes: 20, slots: 20, routed: 20, trades: 600 });
    expect(await mismatches(client)).toEqual([]);
    expect(await readFilledSince(client, 'fee_minutes')).toBeGreaterThan(FIRST_TIME + 5);
    expect(await readFilledSince(client, 'venue_minutes')).toBe(0);

    const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 2 });
    await writer.flush(makeBlocks(maker, 3));
    expect(await mismatches(client)).toEqual([]);
    expect(await fillSumsStep(client, 'fee_minutes', { maxSlots: 7 })).toEqual({
      first: FIRST_SLOT + 23,
      last: FIRST_SLOT + 29,
    });
    expect(await mismatches(client)).toEqual([]);
    await writer.flush(hole);
    expect(await fill(client)).toBeGreaterThan(6);
    await writer.close(1_000);
    expect(await mismatches(client)).toEqual([]);
    expect(await sums(client)).toMatchObject({ swaps: 680, volumes: 680, slots: 680, routed: 680, trades: 680 });
    expect(await readFilledSince(client, 'fee_minutes')).toBe(0);
    await client.close();
  });

  it('are no longer due where an earlier version had filled them at a start', async () => {
    const maker = createFactsMaker({ seed: 26, firstSlot: FIRST_SLOT });
    const client = await hosts.openDatabase();
    const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    await writer.flush(makeBlocks(maker, 10));
    await writer.close(1_000);
    const before = await sums(client);
    const script = readMigrations().find(({ name }) => name.startsWith('0053_'))!;
    // A crash behind its last statement as well.
    for (const statement of [...statementsOf(script), ...statementsOf(script)]) await runStatement(client, statement);
    expect(await Promise.all(FILLED_SUMS.map((table) => readFilledSince(client, table)))).toEqual(
      FILLED_SUMS.map(() => 0),
    );
    expect(await sums(client)).toEqual(before);
    expect(await mismatches(client)).toEqual([]);
    await client.close();
  });

  it('have everything once though a step was cut off behind its rows', async () => {
    const maker = createFactsMaker({ seed: 22, firstSlot: FIRST_SLOT });
    const client = await olderStore(makeBlocks(maker, 20));
    for (const table of FILLED_SUMS.filter((name) => name !== 'venue_minutes')) {
      await fillSumsStep(client, table, { maxSlots: 9 });
      await runStatement(client, `DELETE FROM swept_slots WHERE swept_table = '${table}'`);
      expect(await mismatches(client)).toEqual([]);
      // The next try may be over fewer slots.
      await fillSumsStep(client, table, { maxSlots: 4 });
    }
    expect(await mismatches(client)).toEqual([]);
    await fill(client);
    expect(await mismatches(client)).toEqual([]);
    expect((await sums(client)).swaps).toBe(400);
    await client.close();
  });

  it('stay right when a host is lost in a flush meanwhile, and when its flush is sent again', async () => {
    const maker = createFactsMaker({ seed: 23, firstSlot: FIRST_SLOT });
    const client = await olderStore(makeBlocks(maker, 12));
    const next = makeBlocks(maker, 4);
    const folder = await hosts.newFolder();
    const killed = await takeOver(client, { folder, epoch: 2, outbox: 'one', asks: 14 });
    await expect(killed.flush(next)).rejects.toThrow('killed');
    await killed.close(0);
    const again = await takeOver(client, { folder, epoch: 3, outbox: 'one', owner: 'again' });
    await again.close(1_000);
    expect(await mismatches(client)).toEqual([]);
    expect((await sums(client)).swaps).toBe(80);
    const lost = await takeOver(client, { folder: await hosts.newFolder(), epoch: 4, asks: 14 });
    await expect(lost.flush(makeBlocks(maker, 4))).rejects.toThrow('killed');
    await lost.close(0);
    const successor = await takeOver(client, { folder: await hosts.newFolder(), epoch: 5 });
    await successor.close(1_000);
    expect((await sums(client)).swaps).toBe(80);
    await fill(client);
    expect(await mismatches(client)).toEqual([]);
    expect((await sums(client)).swaps).toBe(320);
    await client.close();
  });

  it('say from when on they are whole, where a day of swaps is let go while they are filled', async () => {
    const maker = createFactsMaker({ seed: 25, firstSlot: FIRST_SLOT, firstTime: FIRST_TIME });
    const client = await olderStore(makeBlocks(maker, 20));
    await fillSumsStep(client, 'fee_minutes', { maxSlots: 5 });
    const begun = (await sums(client)).swaps;
    expect(await readFilledSince(client, 'fee_minutes')).toBeLessThan(FIRST_TIME + 60);
    await applyRetention(client, readRetention('swaps=30d'), silentLogger);
    const keptSince = (await readWholeSince(client)).get('swaps')!;
    await fill(client);
    expect((await sums(client)).swaps).toBe(begun);
    const told = () => Promise.all(FILLED_SUMS.map((table) => readFilledSince(client, table)));
    // Minutes of venues had nothing to fill, and what reverted is kept.
    const late = { venue_minutes: 0, router_reverts: 0 } as Readonly<Record<string, number>>;
    const expected = FILLED_SUMS.map((table) => late[table] ?? keptSince);
    expect(await told()).toEqual(expected);
    expect(await mismatches(client)).toEqual([]);
    // What no step has stays told, also when swaps are kept for ever from now on.
    await applyRetention(client, new Map(), silentLogger);
    expect(await told()).toEqual(expected);
    await client.close();
  });

  it('keep what an earlier fill made of swaps that are gone, when they begin anew', async () => {
    const maker = createFactsMaker({ seed: 28, firstSlot: FIRST_SLOT, firstTime: FIRST_TIME });
    const client = await olderStore(makeBlocks(maker, 20));
    await fill(client);
    const before = await sums(client);
    await applyRetention(client, readRetention('swaps=30d'), silentLogger);
    // As they are forgotten: rows that nothing can make again stay.
    await runStatement(client, 'DELETE FROM swept_slots WHERE true');
    await fill(client);
    expect(await sums(client)).toEqual(before);
    await client.close();
  });

  it('read the tokens that may have been traded in the slots of a step, not all of a part', async () => {
    const [slots, slotsOfMint, stepSlots] = [1_000_000, 1_000, 10_000];
    const maker = createFactsMaker({ seed: 27, firstSlot: FIRST_SLOT, swapsPerBlock: 1 });
    const client = await olderStore([maker.nextBatch()]);
    await spreadSwaps(client, { slots, slotsOfMint });
    await runStatement(client, `INSERT INTO due_slots VALUES ('fee_minutes', ${FIRST_SLOT}, ${FIRST_SLOT + slots}, 0)`);
    let read = 0;
    const counted = new Proxy(client, {
      get(target, name, receiver) {
        if (name !== 'command') return Reflect.get(target, name, receiver);
        return async (command: Parameters<StoreClient['command']>[0]) => {
          const answer = await target.command(command);
          if (command.query.startsWith('INSERT INTO fee_minutes')) read = Number(answer.summary?.read_rows);
          return answer;
        };
      },
    });
    await fillSumsStep(counted, 'fee_minutes', { maxSlots: stepSlots });
    expect((await sums(client)).swaps).toBe(stepSlots);
    // Of each of its tokens the granules that it begins and ends in.
    expect(read).toBeLessThan(slots / 3);
    expect(read).toBeGreaterThan(stepSlots);
    await client.close();
  });

  it('are filled while one of them cannot be, which is tried again now and then', async () => {
    const maker = createFactsMaker({ seed: 29, firstSlot: FIRST_SLOT });
    const client = await olderStore(makeBlocks(maker, 3));
    const clock = createHandClock();
    const stop = new AbortController();
    let tries = 0;
    const refusing = new Proxy(client, {
      get(target, name, receiver) {
        if (name !== 'command') return Reflect.get(target, name, receiver);
        return (command: Parameters<StoreClient['command']>[0]) => {
          if (!command.query.startsWith('INSERT INTO fee_minutes')) return target.command(command);
          tries += 1;
          return Promise.reject(new Error('too much'));
        };
      },
    });
    const running = runFillSums(refusing, { clock, log: silentLogger, signal: stop.signal });
    const lacking = async () => {
      const since = await Promise.all(FILLED_SUMS.map((table) => readFilledSince(client, table)));
      return FILLED_SUMS.filter((_, at) => since[at]! > 0);
    };
    // No time passes: nobody waits for the one that rests.
    const othersAreFilled = async () => {
      await clock.advance(0);
      expect(await lacking()).toEqual(['fee_minutes']);
    };
    await vi.waitFor(othersAreFilled, { timeout: 60_000, interval: 100 });
    await vi.waitFor(() => expect(clock.sleeping).toBe(1), { timeout: 60_000 });
    expect(tries).toBe(1);
    await clock.advance(60_000);
    await vi.waitFor(() => expect(tries).toBe(2), { timeout: 60_000 });
    stop.abort();
    await running;
    await client.close();
  });

  it('are filled over fewer slots when the store does not take so many', async () => {
    const maker = createFactsMaker({ seed: 24, firstSlot: FIRST_SLOT });
    const client = await olderStore(makeBlocks(maker, 5));
    const clock = createHandClock();
    const stop = new AbortController();
    const asked: string[] = [];
    const refusing = new Proxy(client, {
      get(target, name, receiver) {
        if (name !== 'command') return Reflect.get(target, name, receiver);
        return (command: Parameters<StoreClient['command']>[0]) => {
          const [, first, last] = /BETWEEN (\d+) AND (\d+)/.exec(command.query) ?? [];
          if (first === undefined) return target.command(command);
          asked.push(`${first} ${last}`);
          return asked.length < 3 ? Promise.reject(new Error('too much')) : target.command(command);
        };
      },
    });
    const running = runFillSums(refusing, { clock, log: silentLogger, signal: stop.signal });
    const lacking = async () =>
      (await Promise.all(FILLED_SUMS.map((table) => readFilledSince(client, table)))).some(Boolean);
    for (let round = 0; round < 400 && (await lacking()); round += 1) {
      await clock.advance(60_000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    stop.abort();
    await running;
    expect(asked.length).toBeGreaterThan(3);
    expect((await readDueSlots(client, 'fee_minutes')).done).toEqual([{ first: FIRST_SLOT, last: FIRST_SLOT + 4 }]);
    expect(await mismatches(client)).toEqual([]);
    await client.close();
  });
});
