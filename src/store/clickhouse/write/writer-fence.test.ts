import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { openStoreHosts, type StoreHosts, takeOver } from '../../../../test/support/store-hosts.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { readJson, type StoreClient } from '../client.ts';
import { LeaseUnsure } from './lease-deadline.ts';
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
    const fence = createWriterFence(client, HOLDER, () => 0);
    await Promise.all([1, 2, 3, 4].map((slot) => insertSlot(client, slot, fence)));
    expect(looks).toBe(1);
    expect(await slotsOf(client)).toEqual([1, 2, 3, 4]);
    await client.close();
  });

  it('asks again behind a second', async () => {
    const client = await hosts.openDatabase();
    let nowMs = 0;
    const fence = createWriterFence(client, HOLDER, () => nowMs);
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

  it('is unsure where nothing comes in time', async () => {
    const client = await hosts.openDatabase();
    // As if each insert took a minute to get there: nothing but the moments in it tells the server.
    const exec = client.exec.bind(client);
    client.exec = ((params: Parameters<typeof exec>[0]) => {
      const query = params.query.replace(/BETWEEN (\d+) AND (\d+)/, 'BETWEEN $1 - 60000 AND $2 - 60000');
      return exec({ ...params, query });
    }) as typeof client.exec;
    await expect(insertSlot(client, 1)).rejects.toThrow(LeaseUnsure);
    expect(await slotsOf(client)).toEqual([]);
    await client.close();
  });

  it('refuses where the clock of the server was set back meanwhile', async () => {
    const client = await hosts.openDatabase();
    const exec = client.exec.bind(client);
    client.exec = ((params: Parameters<typeof exec>[0]) => {
      const query = params.query.replace(/BETWEEN (\d+) AND (\d+)/, 'BETWEEN $1 + 60000 AND $2 + 60000');
      return exec({ ...params, query });
    }) as typeof client.exec;
    await expect(insertSlot(client, 1)).rejects.toThrow(LeaseUnsure);
    expect(await slotsOf(client)).toEqual([]);
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
