import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchListener } from '../../test/support/batch-listener.ts';
import { blockUpdate, SlotStatus, slotUpdate, startGeyserServer } from '../../test/support/geyser-server.ts';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import { createFeed, type InProcessFeed } from '../feed/in-process.ts';
import { systemClock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import { writeBlockFile } from '../sources/block-file.ts';
import type { SourceOptions } from '../sources/create-source.ts';
import { readRows } from '../store/clickhouse/client.ts';
import { decodeRows } from '../store/clickhouse/schema/row-codec.ts';
import type { TableLayout } from '../store/clickhouse/schema/table-layout.ts';
import { BLOCKS } from '../store/clickhouse/schema/tables.ts';
import { IngestFailed, type IngestThread, startIngestThread } from './thread.ts';

const SLOT = { name: 'slot', columns: { slot: 'u32' } } as const satisfies TableLayout;

let test: TestStore;
let folder = '';
beforeAll(async () => {
  test = await openTestStore();
  folder = await mkdtemp(join(tmpdir(), 'ingest-thread-'));
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

async function blocksFile(first: number, last: number): Promise<SourceOptions> {
  const path = join(folder, `${first}-${last}.blocks`);
  const slots = Array.from({ length: last - first + 1 }, (_, place) => first + place);
  await writeBlockFile(
    path,
    slots.map((slot) => blockUpdate(slot)),
  );
  return { kind: 'replay', path };
}

function start(source: SourceOptions, feed: InProcessFeed, url = test.store.connection.url): Promise<IngestThread> {
  return startIngestThread({
    worker: {
      source,
      store: { connection: { ...test.store.connection, url }, dataDir: test.dataDir },
      logLevel: 'silent',
      limits: { flushIntervalMs: 20 },
    },
    feed,
    clock: systemClock,
    log: silentLogger,
  });
}

async function storedSlots(from: number): Promise<number[]> {
  const rows = await readRows(test.store.client, SLOT, `SELECT slot FROM blocks WHERE slot >= ${from} ORDER BY slot`);
  return rows.map(({ slot }) => slot);
}

describe('the ingest thread', () => {
  it('brings blocks to the store and their rows, in order, to the feed of this thread', async () => {
    const feed = createFeed({ maxHeldBatches: 600 });
    const seen: number[] = [];
    feed.subscribe(
      batchListener(({ tables }) => {
        for (const { slot } of decodeRows(BLOCKS, tables.get('blocks')!.bytes)) seen.push(slot);
      }),
    );
    const ingest = await start(await blocksFile(1_000, 1_199), feed);
    await ingest.finished;
    const expected = Array.from({ length: 200 }, (_, place) => 1_000 + place);
    expect(seen).toEqual(expected);
    expect(await storedSlots(1_000)).toEqual(expected);
    expect(feed.committedSlot).toBe(1_199);
    expect(feed.held).toBe(0);
    expect(ingest.stats()).toMatchObject({ source: 'replay', ended: true, blocks: 200, committedSlot: 1_199 });
    await ingest.stop();
  });

  it('tells at the start what the store has, and leaves it out', async () => {
    const feed = createFeed({ maxHeldBatches: 600 });
    const ingest = await start(await blocksFile(1_190, 1_210), feed);
    expect(feed.committedSlot).toBeGreaterThanOrEqual(1_199);
    await ingest.finished;
    expect(ingest.stats().blocks).toBe(11);
    expect((await storedSlots(1_190)).length).toBe(21);
  });

  it('has everything it derived in the store when a stop resolves, in good time', async () => {
    const feed = createFeed({ maxHeldBatches: 600 });
    const ingest = await start({ kind: 'simulator', seed: 1, load: 'desk' }, feed);
    while (feed.headSlot < 1_215) await systemClock.sleep(20);
    const startedAt = systemClock.elapsed();
    await ingest.stop();
    expect(systemClock.elapsed() - startedAt).toBeLessThan(4_000);
    expect(feed.held).toBe(0);
    const { headSlot, committedSlot, ended, lagMs } = ingest.stats();
    expect(committedSlot).toBe(headSlot);
    expect((await storedSlots(1_211)).at(-1)).toBe(headSlot);
    expect(ended).toBe(false);
    // Nothing comes from the thread any more: whoever asks sees that its blocks grow old.
    await systemClock.sleep(5);
    expect(ingest.stats().lagMs).toBeGreaterThan(lagMs!);
    await expect(ingest.finished).resolves.toBeUndefined();
  });

  it('says plainly why it could not start', async () => {
    const feed = createFeed({ maxHeldBatches: 600 });
    // A login does not come by itself: nothing is waited for.
    const words = 'Code: 516. DB::Exception: mintscope: the password is incorrect. (AUTHENTICATION_FAILED)';
    const server = createServer((_request, response) => void response.writeHead(403).end(words)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const failed = start(await blocksFile(2_000, 2_001), feed, `http://127.0.0.1:${port}`);
    await expect(failed).rejects.toThrow(IngestFailed);
    await expect(failed).rejects.toThrow(/^ingest failed: .*the password is incorrect/);
    server.closeAllConnections();
    server.close();
  });

  it('fails with the fault of its source', async () => {
    const feed = createFeed({ maxHeldBatches: 600 });
    const ingest = await start({ kind: 'replay', path: join(folder, 'missing') }, feed);
    await expect(ingest.finished).rejects.toThrow(/ingest failed: Error: ENOENT/);
    await ingest.stop();
  });

  it('takes a block back from the feed when its slot is dead, and brings what took its place', async () => {
    let first = 0;
    const server = await startGeyserServer(({ send, request }) => {
      // The slot behind those that the tests before stored.
      first = Number(request.fromSlot);
      send(blockUpdate(first));
      send(slotUpdate(first, SlotStatus.SLOT_CONFIRMED));
      send(blockUpdate(first + 1));
      send(slotUpdate(first + 1, SlotStatus.SLOT_DEAD));
      send(blockUpdate(first + 2, first));
      send(slotUpdate(first + 2, SlotStatus.SLOT_CONFIRMED, first));
    });
    const feed = createFeed({ maxHeldBatches: 600 });
    const told: string[] = [];
    feed.subscribe({
      batch: ({ lastSlot }) => told.push(`+${lastSlot - first}`),
      withdrawn: ({ lastSlot }) => told.push(`-${lastSlot - first}`),
      changed() {},
    });
    const ingest = await start(
      { kind: 'yellowstone', url: server.url, token: undefined, commitment: 'processed' },
      feed,
    );
    while (first === 0 || feed.committedSlot < first + 2) await systemClock.sleep(20);
    await ingest.stop();
    server.close();
    expect(told).toEqual(['+0', '+1', '-1', '+2']);
    expect(await storedSlots(first)).toEqual([first, first + 2]);
    expect(ingest.stats()).toMatchObject({ withdrawnBlocks: 1 });
  });

  it('stops for good when a listener of the feed breaks, instead of going on with a wrong book', async () => {
    const feed = createFeed({ maxHeldBatches: 600 });
    feed.subscribe(
      batchListener(() => {
        throw new Error('a book is broken');
      }),
    );
    const ingest = await start(await blocksFile(500_000_000, 500_000_010), feed);
    await expect(ingest.finished).rejects.toThrow('ingest failed: Error: a book is broken');
  });
});
