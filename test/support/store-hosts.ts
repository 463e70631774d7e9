import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { createStoreClient, type StoreClient } from '../../src/store/clickhouse/client.ts';
import { DERIVED_TABLES } from '../../src/store/clickhouse/derived/derived-tables.ts';
import { fillStep } from '../../src/store/clickhouse/derived/fill.ts';
import type { RowBatch } from '../../src/store/clickhouse/schema/row-batch.ts';
import { FACT_TABLES } from '../../src/store/clickhouse/schema/tables.ts';
import { StoreError } from '../../src/store/clickhouse/store-error.ts';
import { readStoreId } from '../../src/store/clickhouse/store-id.ts';
import type { LeaseDeadline } from '../../src/store/clickhouse/write/lease-deadline.ts';
import { leaseOwner, readTerm } from '../../src/store/clickhouse/write/lease-rows.ts';
import { openOutbox } from '../../src/store/clickhouse/write/outbox.ts';
import { readSlotIndex } from '../../src/store/clickhouse/write/slot-index.ts';
import { createWriter, type StoreWriter } from '../../src/store/clickhouse/write/writer.ts';
import { createWriterFence } from '../../src/store/clickhouse/write/writer-fence.ts';
import { copyDatabase, openTestStore } from './store.ts';

/** Databases that several hosts write to, one after the other. */
export interface StoreHosts {
  openDatabase(): Promise<StoreClient>;
  /** A data folder for a host. */
  newFolder(): Promise<string>;
  /** The content of the store when one process writes the blocks and nothing happens to it. */
  contentAfter(batches: readonly RowBatch[]): Promise<Record<string, string>>;
  close(): Promise<void>;
}

export interface Host {
  /** Its data folder: the outbox in it stays. */
  readonly folder: string;
  readonly epoch: number;
  /** It is killed when it asks for the lease so many times; never when left out. */
  readonly asks?: number;
  /** The name of its outbox; that of the folder when left out. */
  readonly outbox?: string;
  /** Told of what it sends. */
  readonly underWay?: Pick<LeaseDeadline, 'began' | 'ended'>;
  /** Beginning of its name in the lease, before that of its folder. */
  readonly owner?: string;
}

/** Tables to compare. Rows that a mark leaves when its positions were folded again are no facts. */
const TABLES = [...FACT_TABLES, ...DERIVED_TABLES].map(({ name }) => name).filter((name) => name !== 'stale_positions');

export async function openStoreHosts(): Promise<StoreHosts> {
  const test = await openTestStore();
  const scratch = await mkdtemp(join(tmpdir(), 'mintscope-hosts-'));
  let databases = 0;

  async function openDatabase(): Promise<StoreClient> {
    databases += 1;
    return createStoreClient(await copyDatabase(test.store, `shared_${databases}`));
  }

  const newFolder = () => mkdtemp(join(scratch, 'outbox-'));

  return {
    openDatabase,
    newFolder,
    async contentAfter(batches) {
      const client = await openDatabase();
      const writer = await takeOver(client, { folder: await newFolder(), epoch: 1 });
      await writer.flush(batches);
      await writer.close(1_000);
      const content = await contentOf(client);
      await client.close();
      return content;
    },
    async close() {
      await test.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

/** A process that takes the lease: the row in the database, and what it finds there put right. */
export async function takeOver(
  client: StoreClient,
  { folder, epoch, asks = Number.POSITIVE_INFINITY, owner: process = '', outbox: name = folder, underWay }: Host,
): Promise<StoreWriter> {
  const holder = { epoch, owner: leaseOwner(process, name) };
  await client.insert({
    table: 'writer_lease',
    values: [{ ...holder, renewal: 1, released: false }],
    format: 'JSONEachRow',
    columns: ['epoch', 'owner', 'renewal', 'released'],
  });
  const term = await readTerm(client, holder, name);
  const fence = createWriterFence(client, term);
  const slotIndex = await readSlotIndex(client, fence);
  const outbox = await openOutbox(folder);
  const storeId = await readStoreId(client);
  let left = asks;
  const assertLease = () => {
    if (left-- <= 0) throw new StoreError('store_closed', 'killed');
  };
  const writer = createWriter({
    client,
    outbox,
    slotIndex,
    assertLease,
    term,
    fence,
    underWay,
    storeId,
    log: silentLogger,
    clock: systemClock,
  });
  await writer.recover();
  return writer;
}

/** Everything in every table, as far as one number tells it; what is filled beside the service is filled first. */
export async function contentOf(client: StoreClient): Promise<Record<string, string>> {
  while (await fillStep(client));
  const answer = await client.query({
    query: 'SELECT name, engine FROM system.tables WHERE database = currentDatabase()',
    format: 'JSONEachRow',
  });
  const engines = new Map(
    (await answer.json<{ name: string; engine: string }>()).map(({ name, engine }) => [name, engine]),
  );
  const content: Record<string, string> = {};
  for (const table of TABLES) {
    const told = await client.query({
      query: `SELECT concat(toString(count()), ' ', toString(sum(cityHash64(*)))) AS content FROM ${table}${engines.get(table) === 'MergeTree' ? '' : ' FINAL'}`,
      format: 'JSONEachRow',
    });
    content[table] = (await told.json<{ content: string }>())[0]!.content;
  }
  return content;
}
