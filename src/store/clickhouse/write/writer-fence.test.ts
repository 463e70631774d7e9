import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { openStoreHosts, type StoreHosts, takeOver } from '../../../../test/support/store-hosts.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { readJson, runStatement, type StoreClient } from '../client.ts';
import { createLeaseDeadline, LeaseUnsure } from './lease-deadline.ts';
import { createWriterFence, FENCE_MS, insertFenced, type LeaseHolder } from './writer-fence.ts';

const LAYOUT = { name: 'partial_slots', columns: { slot: 'u32' } } as const;
const HOLDER: LeaseHolder = { epoch: 3, owner: "host-b'\\" };
/** Behind which an insert is too late, however the server counts. */
const LATE_MS = FENCE_MS + 500;

let hosts: StoreHosts;
beforeAll(async () => {
  hosts = await openStoreHosts();
});
afterAll(() => hosts.close());

function insertSlot(client: StoreClient, slot: number, fence = createWriterFence(client, HOLDER)): Promise<void> {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(slot);
  return insertFenced(
    client,
    { table: LAYOUT.name, layout: LAYOUT, columns: ['slot'], bytes, token: undefined },
    fence,
  );
}

async function slotsOf(client: StoreClient): Promise<number[]> {
  const rows = await readJson<{ slot: number }>(
    client,
    'SELECT toUInt32(slot) AS slot FROM partial_slots ORDER BY slot',
  );
  return rows.map(({ slot }) => slot);
}

async function takeLease(client: StoreClient, { epoch, owner }: LeaseHolder): Promise<void> {
  await client.insert({
    table: 'writer_lease',
    values: [{ epoch, owner, renewal: 1, released: false }],
    format: 'JSONEachRow',
    columns: ['epoch', 'owner', 'renewal', 'released'],
  });
}

/** Holds what the client inserts back, as if its process stood still with it: so often, and for so long. */
function delayInserts(client: StoreClient, times: number, wait: () => Promise<unknown>): { readonly sent: string[] } {
  const exec = client.exec.bind(client);
  const sent: string[] = [];
  client.exec = (async (params: Parameters<typeof exec>[0]) => {
    if (!params.query.startsWith('INSERT')) return exec(params);
    sent.push(params.query);
    if (sent.length <= times) await wait();
    return exec(params);
  }) as typeof client.exec;
  return { sent };
}

describe('the fence of a lease', () => {
  it('lets in what comes in time, and asks once for what comes together', async () => {
    const client = await hosts.openDatabase();
    let looks = 0;
    const exec = client.exec.bind(client);
    client.exec = ((params: Parameters<typeof exec>[0]) => {
      if (params.query.startsWith('SELECT')) looks += 1;
      return exec(params);
    }) as typeof client.exec;
    const fence = createWriterFence(client, HOLDER, { now: () => 0 });
    await Promise.all([1, 2, 3, 4].map((slot) => insertSlot(client, slot, fence)));
    expect(looks).toBe(1);
    expect(await slotsOf(client)).toEqual([1, 2, 3, 4]);
    await client.close();
  });

  it('asks again behind a second', async () => {
    const client = await hosts.openDatabase();
    let nowMs = 0;
    const fence = createWriterFence(client, HOLDER, { now: () => nowMs });
    await insertSlot(client, 1, fence);
    await takeLease(client, { epoch: 4, owner: 'another' });
    nowMs = 1_001;
    await expect(insertSlot(client, 2, fence)).rejects.toMatchObject({ code: 'lease_lost' });
    expect(await slotsOf(client)).toEqual([1]);
    await client.close();
  });

  it('sends again what came too late, once', async () => {
    const client = await hosts.openDatabase();
    const { sent } = delayInserts(client, 1, () => systemClock.sleep(LATE_MS));
    await insertSlot(client, 7);
    expect(sent).toHaveLength(2);
    expect(await slotsOf(client)).toEqual([7]);
    await client.close();
  });

  it.each([
    ['comes a minute late', /BETWEEN (\d+) AND (\d+)\n/, 'BETWEEN $1 - 60000 AND $2 - 60000\n'],
    ['meets a clock that was set back by a minute', /BETWEEN (\d+) AND (\d+)\n/, 'BETWEEN $1 + 60000 AND $2 + 60000\n'],
    [
      'comes late by the uptime, whatever the wall clock says',
      /uptime\(\) BETWEEN (\d+) AND (\d+)/,
      'uptime() BETWEEN 0 AND -1',
    ],
  ])('is unsure of what always %s', async (_name, moments, moved) => {
    const client = await hosts.openDatabase();
    const exec = client.exec.bind(client);
    let refused = 0;
    client.exec = ((params: Parameters<typeof exec>[0]) => {
      if (!params.query.startsWith('INSERT')) return exec(params);
      refused += 1;
      expect(params.query).toMatch(moments);
      return exec({ ...params, query: params.query.replace(moments, moved) });
    }) as typeof client.exec;
    await expect(insertSlot(client, 1)).rejects.toThrow(LeaseUnsure);
    expect([refused, await slotsOf(client)]).toEqual([5, []]);
    await client.close();
  });

  it('asks another server for its wall clock alone', async () => {
    const client = await hosts.openDatabase();
    const exec = client.exec.bind(client);
    client.exec = ((params: Parameters<typeof exec>[0]) => {
      const elsewhere = params.query
        .replace(/!= '[0-9a-f-]+'/, "!= 'of another'")
        .replace(/uptime\(\) BETWEEN \d+/, 'uptime() BETWEEN 1e9');
      return exec({ ...params, query: elsewhere });
    }) as typeof client.exec;
    await insertSlot(client, 1);
    expect(await slotsOf(client)).toEqual([1]);
    await client.close();
  });

  it('counts from before it looked, and gives up a look that takes the server long', async () => {
    const client = await hosts.openDatabase();
    const exec = client.exec.bind(client);
    let pause = 0.8;
    client.exec = ((params: Parameters<typeof exec>[0]) => {
      const slow = `toUInt32((SELECT sum(sleepEachRow(${pause})) FROM numbers(1))) AS successors`;
      const query = params.query.replace(/toUInt32\(\(SELECT.*\)\) AS successors/, slow);
      return exec({ ...params, query });
    }) as typeof client.exec;
    await takeLease(client, HOLDER);
    const fence = createWriterFence(client, HOLDER);
    const clause = await fence.within(async (told) => told);
    const [, from = ''] = /BETWEEN (\d+)/.exec(clause) ?? [];
    expect(Date.now() - (Number(from) + 1_000)).toBeGreaterThanOrEqual(800);
    pause = 1.5;
    await expect(createWriterFence(client, HOLDER).within(async (told) => told)).rejects.toMatchObject({ code: '159' });
    await client.close();
  });

  it('asks for the lease behind each look, and sends a statement that is no insert again as well', async () => {
    const client = await hosts.openDatabase();
    const deadline = createLeaseDeadline();
    const assertHeld = vi.fn();
    const fence = createWriterFence(client, HOLDER, { assertHeld });
    let tries = 0;
    await fence.within((clause) => {
      tries += 1;
      const late = tries === 1 ? clause.replace(/BETWEEN (\d+) AND (\d+)\n/, 'BETWEEN 0 AND 1\n') : clause;
      return runStatement(client, `INSERT INTO partial_slots SELECT toUInt32(5) ${late}`);
    });
    expect([tries, assertHeld.mock.calls.length, await slotsOf(client)]).toEqual([2, 2, [5]]);
    const unsure = createWriterFence(client, HOLDER, { assertHeld: () => deadline.assertHeld() });
    await expect(insertSlot(client, 6, unsure)).rejects.toThrow(LeaseUnsure);
    expect(await slotsOf(client)).toEqual([5]);
    await client.close();
  });

  it('lets no row of a flush in whose writer was replaced while its inserts stood still', async () => {
    const client = await hosts.openDatabase();
    const maker = createFactsMaker({ seed: 5, firstSlot: 1_000 });
    const frozen = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    const wait = async () => {
      await takeLease(client, { epoch: 2, owner: 'another' });
      await systemClock.sleep(LATE_MS);
    };
    const { sent } = delayInserts(client, Number.POSITIVE_INFINITY, wait);
    await expect(frozen.flush([maker.nextBatch()])).rejects.toMatchObject({ code: 'lease_lost' });
    expect(sent.length).toBeGreaterThan(0);
    for (const table of ['swaps', 'blocks', 'coverage', 'candles']) {
      expect(await readJson(client, `SELECT count() AS n FROM ${table}`)).toEqual([{ n: '0' }]);
    }
    await frozen.close(0);
    await client.close();
  });
});
