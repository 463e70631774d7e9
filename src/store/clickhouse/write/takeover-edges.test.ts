import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { extent } from '../../../../test/support/extent.ts';
import { contentOf, openStoreHosts, type StoreHosts, takeOver } from '../../../../test/support/store-hosts.ts';
import { insertRows, runStatement, type StoreClient } from '../client.ts';
import type { RowBatch } from '../schema/row-batch.ts';
import { createLeaseDeadline } from './lease-deadline.ts';
import { leaseOwner } from './lease-rows.ts';
import { readStale } from './stale-positions.ts';
import { CLOCK_SLACK_MS, deleteRows, FENCE_MS, FENCED_INSERT_SECONDS } from './writer-fence.ts';
import { HANDOVER_MS } from './writer-lease.ts';

const FIRST_SLOT = 1_000;

let hosts: StoreHosts;
beforeAll(async () => {
  hosts = await openStoreHosts();
});
afterAll(() => hosts.close());

/** Whole blocks, and behind them single transactions of three more slots. */
function makeBatches(seed: number): { readonly whole: RowBatch[]; readonly captured: RowBatch[] } {
  const maker = createFactsMaker({ seed, firstSlot: FIRST_SLOT });
  const whole = Array.from({ length: 3 }, () => maker.nextBatch());
  const captured = Array.from({ length: 3 }, () =>
    maker.toBatch({ ...maker.next(), whole: false, blockhash: '', parentSlot: 0 }),
  );
  return { whole, captured };
}

async function countOf(client: StoreClient, table: string, where = 'true'): Promise<number> {
  const answer = await client.query({
    query: `SELECT count() AS n FROM ${table} WHERE ${where}`,
    format: 'JSONEachRow',
  });
  return Number((await answer.json<{ n: string }>())[0]?.n);
}

/** Positions and holdings are folded again by ingest: here they are only marked. */
function withoutStates({ positions: _, positions_by_trader: __, holdings: ___, ...facts }: Record<string, string>) {
  return facts;
}

describe('a flush of single transactions', () => {
  it('is in the store once though its host was killed twice before it was through', async () => {
    const { whole, captured } = makeBatches(11);
    const truth = await hosts.contentAfter([...whole, ...captured]);
    const kills = [
      [6, 2],
      [2, 1],
      [11, 4],
    ] as const;
    for (const [firstKill, secondKill] of kills.slice(0, extent(1, 3))) {
      const client = await hosts.openDatabase();
      const folder = await hosts.newFolder();
      const life = (epoch: number, asks?: number) =>
        takeOver(client, { folder, epoch, owner: `life-${epoch}`, ...(asks === undefined ? {} : { asks }) });
      const first = await life(1);
      await first.flush(whole);
      await first.close(1_000);
      const killed = await life(2, firstKill);
      await expect(killed.flush(captured)).rejects.toThrow('killed');
      await killed.close(0);
      await expect(life(3, secondKill)).rejects.toThrow('killed');
      const last = await life(4);
      expect({ firstKill, content: await contentOf(client) }).toEqual({ firstKill, content: truth });
      await last.close(1_000);
      await client.close();
    }
  });

  it('leaves no position that its swaps did not move, when it is lost half-way with its host', async () => {
    const { whole, captured } = makeBatches(12);
    const client = await hosts.openDatabase();
    const first = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    await first.flush([...whole, captured[0]!]);
    const before = await countOf(client, 'positions FINAL', `slot = ${FIRST_SLOT + 3}`);
    expect(before).toBeGreaterThan(0);
    // Tables of a flush come in no order: its note, and its positions alone, may be there.
    await runStatement(client, `INSERT INTO partial_slots VALUES (${FIRST_SLOT + 4})`);
    await first.amend(new Map([['positions', captured[1]!.tables.get('positions')!]]));
    await first.close(1_000);
    const successor = await takeOver(client, { folder: await hosts.newFolder(), epoch: 2 });
    expect(await countOf(client, 'positions', `slot = ${FIRST_SLOT + 4}`)).toBe(0);
    expect((await readStale(client)).mints.length).toBeGreaterThan(0);
    await successor.close(1_000);
    await client.close();
  });

  it('is brought back though its host is killed once more while it sends what another host left lacking', async () => {
    const { whole, captured } = makeBatches(19);
    const truth = withoutStates(await hosts.contentAfter([...whole, ...captured]));
    const client = await hosts.openDatabase();
    const home = await hosts.newFolder();
    const first = await takeOver(client, { folder: home, epoch: 1, asks: 0 });
    await expect(first.flush([...whole, ...captured])).rejects.toThrow('killed');
    await first.close(0);
    const other = await takeOver(client, { folder: await hosts.newFolder(), epoch: 2 });
    await other.flush(whole.slice(0, 1));
    await other.close(1_000);
    // Behind its first insert, which notes the slots that it has single transactions of.
    const killed = takeOver(client, { folder: home, epoch: 3, owner: 'second', asks: 1 });
    await expect(killed).rejects.toThrow('killed');
    const back = await takeOver(client, { folder: home, epoch: 4, owner: 'third' });
    await back.close(1_000);
    expect(withoutStates(await contentOf(client))).toEqual(truth);
    expect(await readdir(home)).toEqual([]);
    await client.close();
  });

  it('stays in the outbox while another store is open', async () => {
    const { whole, captured } = makeBatches(13);
    const [client, other] = [await hosts.openDatabase(), await hosts.openDatabase()];
    const folder = await hosts.newFolder();
    const first = await takeOver(client, { folder, epoch: 1, asks: 4 });
    await expect(first.flush([...whole, ...captured])).rejects.toThrow('killed');
    await first.close(0);
    const elsewhere = await takeOver(other, { folder, epoch: 1 });
    await elsewhere.close(1_000);
    expect([await countOf(other, 'swaps'), (await readdir(folder)).length]).toEqual([0, 1]);
    const back = await takeOver(client, { folder, epoch: 2, owner: 'back' });
    expect(await contentOf(client)).toEqual(await hosts.contentAfter([...whole, ...captured]));
    expect(await readdir(folder)).toEqual([]);
    await back.close(1_000);
    for (const each of [client, other]) await each.close();
  });
});

describe('a flush of whole blocks', () => {
  it('is sent as far as it is lacking, when a copy of its folder was another host meanwhile', async () => {
    const { whole, captured } = makeBatches(16);
    const truth = await hosts.contentAfter([...whole, ...captured]);
    for (const covered of [whole.slice(0, 2), whole.slice(1)]) {
      const client = await hosts.openDatabase();
      const [home, copy] = [await hosts.newFolder(), await hosts.newFolder()];
      const first = await takeOver(client, { folder: home, epoch: 1, outbox: 'copied', asks: 8 });
      await expect(first.flush(whole)).rejects.toThrow('killed');
      await first.close(0);
      const other = await takeOver(client, { folder: copy, epoch: 2, outbox: 'copied', owner: 'copy' });
      await other.flush(covered);
      await other.close(1_000);
      const back = await takeOver(client, { folder: home, epoch: 3, outbox: 'copied', owner: 'back' });
      await back.flush(captured);
      await back.close(1_000);
      expect(withoutStates(await contentOf(client))).toEqual(withoutStates(truth));
      await client.close();
    }
  });
});

describe('buckets that are made anew', () => {
  it('are made in parts where the server takes too long for all of them', async () => {
    const { whole, captured } = makeBatches(20);
    const client = await hosts.openDatabase();
    const killed = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1, asks: 14 });
    await expect(killed.flush(whole)).rejects.toThrow('killed');
    await killed.close(0);
    const command = client.command.bind(client);
    let refused = 0;
    client.command = (params) => {
      const isLarge = params.query.startsWith('INSERT INTO') && params.query.includes(`slot IN (${FIRST_SLOT}, `);
      if (!isLarge) return command(params);
      refused += 1;
      return Promise.reject(Object.assign(new Error('it took too long'), { code: '159' }));
    };
    const successor = await takeOver(client, { folder: await hosts.newFolder(), epoch: 2 });
    await successor.flush([...whole, ...captured]);
    await successor.close(1_000);
    expect(refused).toBeGreaterThan(1);
    expect(await contentOf(client)).toEqual(await hosts.contentAfter([...whole, ...captured]));
    await client.close();
  });
});

describe('buckets of tokens that are made anew', () => {
  it('are made of some tokens after the others where the server takes too long for those of one slot', async () => {
    const { whole, captured } = makeBatches(21);
    const client = await hosts.openDatabase();
    const killed = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1, asks: 14 });
    await expect(killed.flush(whole)).rejects.toThrow('killed');
    await killed.close(0);
    const command = client.command.bind(client);
    const made = new Set<string>();
    client.command = (params) => {
      const [, table] = /^INSERT INTO (candles|mint_minutes) /.exec(params.query) ?? [];
      if (table === undefined) return command(params);
      const bounds = [...params.query.matchAll(/mint (?:>=|<) toFixedString\(unhex\('(\w{4})/g)].map(([, at]) => at);
      if (bounds.some((at) => at !== '0000')) {
        made.add(table);
        return command(params);
      }
      return Promise.reject(Object.assign(new Error('it took too long'), { code: '159' }));
    };
    const successor = await takeOver(client, { folder: await hosts.newFolder(), epoch: 2 });
    await successor.flush([...whole, ...captured]);
    await successor.close(1_000);
    expect([...made].sort()).toEqual(['candles', 'mint_minutes']);
    expect(await contentOf(client)).toEqual(await hosts.contentAfter([...whole, ...captured]));
    await client.close();
  });
});

describe('what is under way', () => {
  it('has ended when the store has all of it, and not where an insert failed', async () => {
    const { whole, captured } = makeBatches(17);
    const client = await hosts.openDatabase();
    const underWay = createLeaseDeadline();
    const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1, underWay, asks: 40 });
    expect(underWay.isIdle).toBe(true);
    await writer.flush(whole.slice(0, 1));
    expect(underWay.isIdle).toBe(true);
    await expect(Promise.all([writer.flush(whole.slice(1)), writer.flush(captured)])).rejects.toThrow('killed');
    expect(underWay.isIdle).toBe(false);
    await writer.close(0);
    await client.close();
  });

  it('may take the server so many seconds, whatever is inserted', async () => {
    const { whole } = makeBatches(18);
    const client = await hosts.openDatabase();
    const asked: { readonly query: string; readonly seconds: unknown }[] = [];
    const exec = client.exec.bind(client);
    client.exec = ((params: Parameters<typeof exec>[0]) => {
      const seconds = params.clickhouse_settings?.max_execution_time;
      if (params.query.startsWith('INSERT')) asked.push({ query: params.query.slice(0, 60), seconds });
      return exec(params);
    }) as typeof client.exec;
    const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
    await writer.flush(whole);
    await writer.close(1_000);
    expect(asked.length).toBeGreaterThan(15);
    expect(asked.filter(({ seconds }) => seconds !== FENCED_INSERT_SECONDS)).toEqual([]);
    await client.close();
  });
});

describe('the server', () => {
  it('stops an insert that takes longer than it may, and has no row of it', async () => {
    const client = await hosts.openDatabase();
    const slow = insertRows(client, {
      table: 'partial_slots',
      columns: ['slot'],
      bytes: new Uint8Array(0),
      token: undefined,
      select: '(slot) SELECT toUInt32(number + sleepEachRow(0.5)) FROM numbers(20) SETTINGS max_block_size = 1 --',
      maxSeconds: 1,
    });
    await expect(slow).rejects.toMatchObject({ code: '159' });
    expect(await countOf(client, 'partial_slots')).toBe(0);
    await client.close();
  });

  it('refuses one of two who took the same epoch, the one who has it not', async () => {
    const { whole } = makeBatches(14);
    const client = await hosts.openDatabase();
    const loser = await takeOver(client, { folder: await hosts.newFolder(), epoch: 7, owner: 'host-b' });
    const winner = await takeOver(client, { folder: await hosts.newFolder(), epoch: 7, owner: "host-a'\\" });
    await expect(loser.flush(whole)).rejects.toMatchObject({ code: 'lease_lost' });
    expect(await countOf(client, 'swaps')).toBe(0);
    await winner.flush(whole);
    expect(await countOf(client, 'blocks')).toBe(3);
    for (const writer of [loser, winner]) await writer.close(1_000);
    await client.close();
  });

  it('deletes nothing for a writer that was replaced before its statement came', async () => {
    const { whole } = makeBatches(15);
    const client = await hosts.openDatabase();
    const [home, other] = [await hosts.newFolder(), await hosts.newFolder()];
    await takeOver(client, { folder: home, epoch: 1 });
    const successor = await takeOver(client, { folder: other, epoch: 2 });
    await successor.flush(whole);
    await deleteRows(client, 'swaps', 'true', { epoch: 1, owner: leaseOwner('', home) });
    expect(await countOf(client, 'swaps')).toBeGreaterThan(0);
    await deleteRows(client, 'swaps', 'true', { epoch: 2, owner: leaseOwner('', other) });
    expect(await countOf(client, 'swaps')).toBe(0);
    await successor.close(1_000);
    await client.close();
  });

  it('has ended every insert that it let in before the next writer begins', () => {
    expect(HANDOVER_MS).toBeGreaterThanOrEqual(FENCE_MS + CLOCK_SLACK_MS + (FENCED_INSERT_SECONDS + 2) * 1_000);
  });
});
