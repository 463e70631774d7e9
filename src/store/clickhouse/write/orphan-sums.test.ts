import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { openStoreHosts, type StoreHosts, takeOver } from '../../../../test/support/store-hosts.ts';
import { silentLogger } from '../../../kernel/log.ts';
import { readJson, runStatement, type StoreClient } from '../client.ts';
import { FILLED_SUMS, factsOf, readFilledSince } from '../derived/due-slots.ts';
import { fillSumsStep } from '../derived/fill-sums.ts';
import { applyRetention, readRetention, readWholeSince } from '../retention.ts';
import { verifyStore } from '../verify/verify.ts';
import { SUMMED_TABLES } from './orphan-sums.ts';

const FIRST_SLOT = 1_000_000;
const FIRST_TIME = 1_760_000_000;

let hosts: StoreHosts;
beforeAll(async () => {
  hosts = await openStoreHosts();
});
afterAll(() => hosts.close());

type Command = Parameters<StoreClient['command']>[0];

/** The same client, whose statements that nobody answers go through `run`. */
function through(client: StoreClient, run: (command: Command) => ReturnType<StoreClient['command']>): StoreClient {
  return new Proxy(client, {
    get: (target, name) => {
      if (name === 'command') return run;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function countOf(client: StoreClient, query: string): Promise<number> {
  const [row] = await readJson<{ n: string }>(client, `SELECT count() AS n FROM ${query}`);
  return Number(row?.n);
}

/** Positions are folded again by ingest: here they are only marked. */
async function mismatches(client: StoreClient) {
  const isOurs = ({ table }: { readonly table: string }) => (FILLED_SUMS as readonly string[]).includes(table);
  return (await verifyStore({ client })).mismatches.filter(isOurs);
}

async function columnsOf(client: StoreClient, table: string): Promise<string> {
  const columns = await readJson<{ name: string }>(
    client,
    `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = '${table}' AND default_kind = ''
     ORDER BY position`,
  );
  return columns.map(({ name }) => name).join(', ');
}

describe('rollups whose orphans are taken out of a store of some size', () => {
  /** Slots at five a second, eleven hours of them, each with a copy of the first one's swaps. */
  const SLOTS = 200_000;
  const SWAPS = 2;
  const HOUR_SLOTS = 18_000;
  const GRANULE = 8_192;

  it('are made of the swaps of the hours that they lie in', async () => {
    const maker = createFactsMaker({
      seed: 31,
      firstSlot: FIRST_SLOT,
      firstTime: FIRST_TIME,
      swapsPerBlock: SWAPS,
      mints: 2,
    });
    const client = await hosts.openDatabase();
    const first = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    const facts = maker.next();
    const swaps = facts.swaps.map((swap, at) => ({ ...swap, mint: maker.mints[at]!, tip: 7n }));
    await first.flush([maker.toBatch({ ...facts, swaps })]);
    await first.close(1_000);
    for (const table of ['swaps', 'blocks']) {
      const columns = await columnsOf(client, table);
      await runStatement(
        client,
        `INSERT INTO ${table} (${columns})
         SELECT ${columns.replace('slot,', 'toUInt32(slot + number),').replace('time,', 'time + intDiv(number, 5),')}
         FROM ${table} CROSS JOIN numbers(1, ${SLOTS}) AS more`,
      );
      await runStatement(client, `OPTIMIZE TABLE ${table} FINAL`);
    }
    // A flush that never ended, in the middle of what is there: its slot is in no range.
    const orphan = FIRST_SLOT + SLOTS / 2;
    await runStatement(client, 'TRUNCATE TABLE coverage');
    await runStatement(
      client,
      `INSERT INTO coverage VALUES (${FIRST_SLOT}, ${orphan - 1}), (${orphan + 1}, ${FIRST_SLOT + SLOTS})`,
    );
    const read = new Map<string, number>();
    const counted = through(client, async (command) => {
      // However slow the machine: what is read is the question here.
      const clickhouse_settings = { ...command.clickhouse_settings, max_execution_time: 0 };
      const answer = await client.command({ ...command, clickhouse_settings });
      const [, table] = /^INSERT INTO (\w+)/.exec(command.query) ?? [];
      if (table !== undefined) read.set(table, Number(answer.summary?.read_rows));
      return answer;
    });
    const successor = await takeOver(counted, { folder: await hosts.newFolder(), epoch: 2 });
    await successor.close(1_000);
    expect(await countOf(client, 'swaps')).toBe(SLOTS * SWAPS);
    // Of each mint the granules that the hour begins and ends in besides; the orphan's own are looked up several times.
    // Of a slot nothing else is in its row: it goes, and nothing is read.
    expect(read.has('slot_economics')).toBe(false);
    for (const table of FILLED_SUMS.filter((name) => name in SUMMED_TABLES && name !== 'slot_economics')) {
      // Nothing reverted.
      if (factsOf(table) === 'attempts') continue;
      const rows = read.get(table)!;
      expect({ table, isOfItsHour: rows < HOUR_SLOTS * SWAPS + 12 * GRANULE }).toEqual({ table, isOfItsHour: true });
    }
    await client.close();
  });
});

describe('rollups that cannot be put right in time', () => {
  const daysAgo = (days: number) => Math.floor(Date.now() / 1_000) - days * 86_400;
  const tooLong = () => Promise.reject(Object.assign(new Error('Timeout exceeded'), { code: '159' }));
  const ofRollup = ({ query }: Command) =>
    /^INSERT INTO (?:venue_minutes|fee_minutes|tipper_hours|mint_hours|router_minutes|router_reverts) /.test(query);

  /** A store whose writer was lost with its host behind some of the tables of a flush. */
  async function afterLoss(firstTime = FIRST_TIME) {
    const maker = createFactsMaker({ seed: 32, firstSlot: FIRST_SLOT, firstTime });
    const client = await hosts.openDatabase();
    const before = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    await before.flush(Array.from({ length: 12 }, () => maker.nextBatch()));
    await before.close(1_000);
    const lost = await takeOver(client, { folder: await hosts.newFolder(), epoch: 2, asks: 16 });
    const flush = [maker.nextBatch(), maker.nextBatch()];
    await expect(lost.flush(flush)).rejects.toThrow('killed');
    await lost.close(0);
    return { client, maker, flush };
  }

  async function filled(client: StoreClient) {
    const lacking = await Promise.all(FILLED_SUMS.map((table) => readFilledSince(client, table)));
    for (const table of FILLED_SUMS) while ((await fillSumsStep(client, table, { maxSlots: 5 })) !== undefined);
    expect(await mismatches(client)).toEqual([]);
    const rows = await readJson<Record<string, string>>(
      client,
      `SELECT (SELECT count() FROM swaps) AS swaps, (SELECT sum(swaps) FROM fee_minutes) AS fees,
         (SELECT sum(buys + sells) FROM venue_minutes) AS trades, (SELECT sum(swaps) FROM mint_hours) AS volumes,
         (SELECT sum(swaps) FROM slot_economics) AS slots, (SELECT sum(swaps) FROM router_minutes) AS routed`,
    );
    const [all] = rows.map((row) => new Set(Object.values(row)).size);
    return { lacking: lacking.map((since) => since > 0), all };
  }

  it('begin anew beside the service: the start goes on', async () => {
    const { client, maker, flush } = await afterLoss();
    const slow = through(client, (command) => (ofRollup(command) ? tooLong() : client.command(command)));
    const successor = await takeOver(slow, { folder: await hosts.newFolder(), epoch: 3 });
    expect(await countOf(client, 'fee_minutes WHERE partial_slot = 0')).toBe(0);
    await successor.flush([...flush, maker.nextBatch()]);
    await successor.close(1_000);
    expect(await mismatches(client)).toEqual([]);
    expect(await filled(client)).toEqual({
      lacking: [true, true, true, true, false, false, true, false, false],
      all: 1,
    });
    await client.close();
  });

  it('say from when on they are whole when they begin anew once more, and swaps that they lacked are gone', async () => {
    const { client } = await afterLoss(daysAgo(5));
    const slow = through(client, (command) => (ofRollup(command) ? tooLong() : client.command(command)));
    await (await takeOver(slow, { folder: await hosts.newFolder(), epoch: 3 })).close(1_000);
    await applyRetention(client, readRetention('swaps=2d'), silentLogger);
    const keptSince = (await readWholeSince(client)).get('swaps')!;
    const maker = createFactsMaker({ seed: 33, firstSlot: FIRST_SLOT + 100, firstTime: daysAgo(0) });
    const lost = await takeOver(client, { folder: await hosts.newFolder(), epoch: 4, asks: 16 });
    await expect(lost.flush([maker.nextBatch(), maker.nextBatch()])).rejects.toThrow('killed');
    await lost.close(0);
    await (await takeOver(slow, { folder: await hosts.newFolder(), epoch: 5 })).close(1_000);
    for (const table of FILLED_SUMS) while ((await fillSumsStep(client, table)) !== undefined);
    const told = await Promise.all(FILLED_SUMS.map((table) => readFilledSince(client, table)));
    expect(told).toEqual([keptSince, keptSince, keptSince, keptSince, 0, 0, keptSince, 0, 0]);
    await client.close();
  });

  it('keep what they have of swaps that are gone when they begin anew, also where swaps are kept for longer by now', async () => {
    const old = createFactsMaker({ seed: 34, firstSlot: FIRST_SLOT, firstTime: daysAgo(40) });
    const fresh = createFactsMaker({ seed: 35, firstSlot: FIRST_SLOT + 20_000_000, firstTime: daysAgo(1) });
    const client = await hosts.openDatabase();
    const before = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    await before.flush(Array.from({ length: 6 }, () => old.nextBatch()));
    await before.flush(Array.from({ length: 6 }, () => fresh.nextBatch()));
    await before.close(1_000);
    await applyRetention(client, readRetention('swaps=30d'), silentLogger);
    await runStatement(client, 'OPTIMIZE TABLE swaps FINAL');
    expect(await countOf(client, 'swaps')).toBe(6 * 20);
    await applyRetention(client, readRetention('swaps=90d'), silentLogger);
    const lost = await takeOver(client, { folder: await hosts.newFolder(), epoch: 2, asks: 16 });
    await expect(lost.flush([fresh.nextBatch(), fresh.nextBatch()])).rejects.toThrow('killed');
    await lost.close(0);
    const slow = through(client, (command) => (ofRollup(command) ? tooLong() : client.command(command)));
    await (await takeOver(slow, { folder: await hosts.newFolder(), epoch: 3 })).close(1_000);
    for (const table of FILLED_SUMS) while ((await fillSumsStep(client, table)) !== undefined);
    const [sums] = await readJson<Record<string, string>>(
      client,
      `SELECT (SELECT sum(swaps) FROM fee_minutes) AS fees, (SELECT sum(buys + sells) FROM venue_minutes) AS trades,
         (SELECT sum(swaps) FROM mint_hours) AS volumes, (SELECT sum(swaps) FROM slot_economics) AS slots`,
    );
    expect(Object.values(sums!).map(Number)).toEqual([240, 240, 240, 240]);
    await client.close();
  });

  it('begin anew once, though the process is killed while they do', async () => {
    const { client, flush } = await afterLoss();
    const killed = through(client, (command) => {
      if (ofRollup(command)) return tooLong();
      const isForgetting = /^DELETE FROM tipper_hours WHERE \(partial_slot = 0 AND hour >=/.test(command.query);
      return isForgetting ? Promise.reject(new Error('killed')) : client.command(command);
    });
    await expect(takeOver(killed, { folder: await hosts.newFolder(), epoch: 3 })).rejects.toThrow('killed');
    const successor = await takeOver(client, { folder: await hosts.newFolder(), epoch: 4 });
    await successor.flush(flush);
    await successor.close(1_000);
    expect(await mismatches(client)).toEqual([]);
    expect(await filled(client)).toMatchObject({ all: 1 });
    await client.close();
  });
});
