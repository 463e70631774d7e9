import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { createHandClock } from '../../../../test/support/hand-clock.ts';
import { copyDatabase, openTestStore, type TestStore } from '../../../../test/support/store.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { silentLogger } from '../../../kernel/log.ts';
import { createStoreClient, type StoreClient } from '../client.ts';
import { createLeaseDeadline, LeaseUnsure } from './lease-deadline.ts';
import { leaseOwner } from './lease-rows.ts';
import { openOutbox } from './outbox.ts';
import { readSlotIndex } from './slot-index.ts';
import { createWriter, type StoreWriter } from './writer.ts';
import { takeWriterLease } from './writer-lease.ts';

const RENEW_MS = 90;
/** The shortest time that anybody sleeps. */
const STEP_MS = RENEW_MS / 3;

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
  return createStoreClient(await copyDatabase(test.store, database));
}

async function openWriter(client: StoreClient, folder: string, assertLease: () => void): Promise<StoreWriter> {
  const slotIndex = await readSlotIndex(client);
  const outbox = await openOutbox(join(scratch, folder));
  return createWriter({ client, outbox, slotIndex, assertLease, log: silentLogger, clock: systemClock });
}

async function insertLease(client: StoreClient, row: Readonly<Record<string, unknown>>): Promise<void> {
  await client.insert({ table: 'writer_lease', values: [row], format: 'JSONEachRow' });
}

async function count(client: StoreClient, table: string): Promise<number> {
  const answer = await client.query({ query: `SELECT count() AS n FROM ${table}`, format: 'JSONEachRow' });
  return Number((await answer.json<{ n: string }>())[0]?.n);
}

describe('the writer lease', () => {
  const clock = createHandClock();
  const now = () => BigInt(Math.round(clock.elapsed() * 1_000_000));
  const begin = (client: StoreClient) =>
    takeWriterLease({ client, clock, log: silentLogger, outbox: 'ours', renewMs: RENEW_MS, now });
  const take = (client: StoreClient) => timePasses(1, begin(client));

  /** Until it is settled, time passes whenever so many sleep: never while one of them still asks the store. */
  async function timePasses<T>(sleepers: number, promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    promise.then(settle, settle);
    while (!isSettled) {
      if (clock.sleeping >= sleepers) await clock.advance(STEP_MS);
      await systemClock.sleep(1);
    }
    return promise;
  }

  it('refuses a second writer while the first one renews, and lets it in afterwards', async () => {
    const client = await leaseDatabase('leased');
    const first = await take(client);
    await expect(timePasses(2, begin(client))).rejects.toMatchObject({ code: 'store_in_use' });
    await first.release();
    const second = await take(client);
    expect(second.term.epoch).toBe(first.term.epoch + 1);
    await second.release();
    await client.close();
  });

  it('passes to the next when a writer has stopped renewing, and the first finds out', async () => {
    const client = await leaseDatabase('taken');
    const first = await take(client);
    await insertLease(client, { epoch: first.term.epoch + 1, owner: 'someone else', renewal: 1, released: false });
    await timePasses(1, once(first.lost, 'abort'));
    expect(() => first.assertHeld()).toThrow('someone else');
    await first.release();
    const second = await take(client);
    expect(second.term.epoch).toBe(first.term.epoch + 2);
    await second.release();
    await client.close();
  });

  it('goes to one of two that ask at the same time', async () => {
    const client = await leaseDatabase('contended');
    const results = await timePasses(2, Promise.allSettled([begin(client), begin(client)]));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const result of results) if (result.status === 'fulfilled') await result.value.release();
    await client.close();
  });

  it('is waited for as that of a writer that is gone, when its last insert was not seen to end', async () => {
    const client = await leaseDatabase('unanswered');
    const first = await take(client);
    first.began();
    await first.release();
    const begun = clock.elapsed();
    const second = await take(client);
    // Three renewals for the one before, five behind its own row: an insert that was let in has ended by then.
    expect(clock.elapsed() - begun).toBeGreaterThanOrEqual(8 * RENEW_MS);
    second.began();
    second.ended();
    await second.release();
    const again = clock.elapsed();
    await (await take(client)).release();
    expect(clock.elapsed() - again).toBeLessThan(RENEW_MS);
    await client.close();
  });

  it('is not begun on at once by one who finds that another has written under the same epoch', async () => {
    const client = await leaseDatabase('rivalled');
    const begun = clock.elapsed();
    const taken = begin(client);
    await eventually(() => expect(clock.sleeping).toBe(1));
    await insertLease(client, { epoch: 1, owner: '~ later by its name', renewal: 1, released: false });
    const lease = await timePasses(1, taken);
    expect(clock.elapsed() - begun).toBeGreaterThanOrEqual(5 * RENEW_MS);
    expect(lease.term).toMatchObject({ epoch: 1, othersEpoch: 1 });
    await lease.release();
    await client.close();
  });

  it('tells which writers before had another outbox, and whether one of them was lost', async () => {
    const client = await leaseDatabase('told');
    await insertLease(client, { epoch: 1, owner: leaseOwner('b', 'theirs'), renewal: 1, released: false });
    await insertLease(client, { epoch: 2, owner: leaseOwner('c', 'ours'), renewal: 1, released: true });
    const first = await take(client);
    expect(first.term).toMatchObject({ epoch: 3, othersEpoch: 1, isAfterLoss: false });
    await first.release();
    await insertLease(client, { epoch: 4, owner: leaseOwner('d', 'theirs'), renewal: 1, released: false });
    const second = await take(client);
    expect(second.term).toMatchObject({ epoch: 5, othersEpoch: 4, isAfterLoss: true });
    await second.release();
    await client.close();
  });

  it('is not counted on by a process that was frozen, until it has found that nobody took over', async () => {
    const client = await leaseDatabase('frozen');
    const lease = await take(client);
    const writer = createLeaseDeadline(lease.shared.deadline, now);
    writer.assertHeld();
    await eventually(() => expect(clock.sleeping).toBe(1));
    clock.freeze(RENEW_MS * 2);
    expect(() => writer.assertHeld()).toThrow(LeaseUnsure);
    expect(() => lease.assertHeld()).toThrow(LeaseUnsure);
    await clock.advance(0);
    await eventually(() => writer.assertHeld());
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
    // It has asked again and again meanwhile.
    await eventually(() => expect(mayInsert).toBeLessThan(-2));
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
