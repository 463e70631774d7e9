import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { systemClock } from '../../kernel/clock.ts';
import { silentLogger } from '../../kernel/log.ts';
import { createStoreClient, runStatement, type StoreClient } from './client.ts';
import { createLeaseDeadline, LeaseUnsure } from './lease-deadline.ts';
import { migrate, readMigrations } from './migrations.ts';
import { openOutbox } from './outbox.ts';
import { readSlotLedger } from './slot-ledger.ts';
import { createWriter, type StoreWriter } from './writer.ts';
import { takeWriterLease } from './writer-lease.ts';

/** Short, so that tests do not wait for a real writer's renewals. */
const RENEW_MS = 90;

let test: TestStore;
let scratch: string;
beforeAll(async () => {
  test = await openTestStore();
  scratch = await mkdtemp(join(tmpdir(), 'mintscope-lease-'));
});
afterAll(async () => {
  await test.close();
  await rm(scratch, { recursive: true, force: true });
});

/** A client of a database of its own. */
async function leaseDatabase(database: string): Promise<StoreClient> {
  await runStatement(test.store.client, `CREATE DATABASE ${database}`);
  const client = createStoreClient({ ...test.store.connection, database });
  await migrate(client, readMigrations(), silentLogger);
  return client;
}

async function openWriter(client: StoreClient, folder: string, assertLease: () => void): Promise<StoreWriter> {
  const ledger = await readSlotLedger(client);
  const outbox = await openOutbox(join(scratch, folder));
  return createWriter({ client, outbox, ledger, assertLease, log: silentLogger, clock: systemClock });
}

async function count(client: StoreClient, table: string): Promise<number> {
  const answer = await client.query({ query: `SELECT count() AS n FROM ${table}`, format: 'JSONEachRow' });
  return Number((await answer.json<{ n: string }>())[0]?.n);
}

/** Nothing of this process runs meanwhile, timers included. */
function freeze(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('the writer lease', () => {
  const take = (client: StoreClient) =>
    takeWriterLease({ client, clock: systemClock, log: silentLogger, renewMs: RENEW_MS });

  it('refuses a second writer while the first one renews, and lets it in afterwards', async () => {
    const client = await leaseDatabase('leased');
    const first = await take(client);
    await expect(take(client)).rejects.toMatchObject({ code: 'store_in_use' });
    await first.release();
    const second = await take(client);
    expect(second.epoch).toBe(first.epoch + 1);
    await second.release();
    await client.close();
  });

  it('passes to the next when a writer has stopped renewing, and the first finds out', async () => {
    const client = await leaseDatabase('taken');
    const first = await take(client);
    const rows = [{ epoch: first.epoch + 1, owner: 'someone else', renewal: 1, released: false }];
    await client.insert({ table: 'writer_lease', values: rows, format: 'JSONEachRow' });
    await systemClock.sleep(RENEW_MS * 3);
    expect(first.lost.aborted).toBe(true);
    expect(() => first.assertHeld()).toThrow('someone else');
    await first.release();
    const second = await take(client);
    expect(second.epoch).toBe(first.epoch + 2);
    await second.release();
    await client.close();
  });

  it('goes to one of two that ask at the same time', async () => {
    const client = await leaseDatabase('contended');
    const results = await Promise.allSettled([take(client), take(client)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const result of results) if (result.status === 'fulfilled') await result.value.release();
    await client.close();
  });

  it('is not counted on by a process that was frozen, until it has found that nobody took over', async () => {
    const client = await leaseDatabase('frozen');
    const lease = await take(client);
    const writer = createLeaseDeadline(lease.shared);
    writer.assertHeld();
    freeze(RENEW_MS * 2);
    expect(() => writer.assertHeld()).toThrow(LeaseUnsure);
    expect(() => lease.assertHeld()).toThrow(LeaseUnsure);
    await systemClock.sleep(RENEW_MS * 2);
    writer.assertHeld();
    await lease.release();
    await client.close();
  });
});

describe('a writer with a lease', () => {
  it('puts not one row more into a table once it is not sure of it, and goes on when it is', async () => {
    const client = await leaseDatabase('unsure');
    let mayInsert = 1;
    const writer = await openWriter(client, 'unsure', () => {
      if (mayInsert-- <= 0) throw new LeaseUnsure('overdue');
    });
    const flushed = writer.flush([createFactsMaker({ firstSlot: 10 }).nextBatch()]);
    await systemClock.sleep(RENEW_MS);
    expect([writer.committedSlot, await count(client, 'swaps'), await count(client, 'blocks')]).toEqual([0, 0, 0]);
    mayInsert = Number.POSITIVE_INFINITY;
    await flushed;
    expect(writer.committedSlot).toBe(10);
    expect(await count(client, 'swaps')).toBe(20);
    await writer.close(0);
    await client.close();
  });

  it('gives up when another one has it', async () => {
    const client = await leaseDatabase('given_up');
    const deadline = createLeaseDeadline();
    deadline.end();
    const writer = await openWriter(client, 'given_up', () => deadline.assertHeld());
    const flushed = writer.flush([createFactsMaker().nextBatch()]);
    await expect(flushed).rejects.toMatchObject({ code: 'lease_lost' });
    expect(await count(client, 'swaps')).toBe(0);
    await writer.close(0);
    await client.close();
  });
});
