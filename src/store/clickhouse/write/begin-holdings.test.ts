import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../../test/support/store.ts';
import { readJson, runStatement } from '../client.ts';
import { beginHoldings } from './begin-holdings.ts';
import { readStale } from './stale-positions.ts';

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test.close());

describe('the holdings of a store', () => {
  it('are whole from the beginning where the store began with them', async () => {
    expect(await readJson(test.store.client, 'SELECT toUInt32(since) AS since FROM holdings_since')).toEqual([
      { since: 0 },
    ]);
  });

  it('of an older one are folded out of what it still has: mints with movements are marked, once', async () => {
    const { client, writer } = test.store;
    const maker = createFactsMaker({ seed: 3, swapsPerBlock: 10, mints: 4 });
    await writer.flush(Array.from({ length: 20 }, () => maker.nextBatch()));
    // As a version without them left it, and let sends go after 30 days.
    await runStatement(client, 'TRUNCATE TABLE holdings');
    await runStatement(client, 'TRUNCATE TABLE holdings_since');
    await runStatement(client, 'ALTER TABLE transfers MODIFY TTL time + toIntervalDay(3000)');
    const moved = await readJson<{ mints: number }>(client, 'SELECT toUInt32(uniqExact(mint)) AS mints FROM transfers');
    await beginHoldings(client, undefined);
    const { mints, newestMark } = await readStale(client);
    expect(mints).toHaveLength(moved[0]!.mints);
    expect(newestMark).toBe(mints.length);
    const [{ since } = { since: 0 }] = await readJson<{ since: number }>(
      client,
      'SELECT toUInt32(since) AS since FROM holdings_since',
    );
    expect(since).toBeGreaterThan(0);
    await beginHoldings(client, undefined);
    expect((await readStale(client)).newestMark).toBe(newestMark);
  });

  it('are begun again after a kill before the note', async () => {
    const { client } = test.store;
    await runStatement(client, 'TRUNCATE TABLE holdings_since');
    const before = await readStale(client);
    await beginHoldings(client, undefined);
    const after = await readStale(client);
    expect(after.mints.map(({ mint }) => mint).sort()).toEqual(before.mints.map(({ mint }) => mint).sort());
    expect(after.newestMark).toBeGreaterThan(before.newestMark);
  });
});
