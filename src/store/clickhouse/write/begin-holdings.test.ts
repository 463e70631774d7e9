import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../../test/support/store.ts';
import { readJson, runStatement, type StoreClient } from '../client.ts';
import { beginHoldings, noteHoldingsFolded, noteHoldingsStep, readHoldingsStep } from './begin-holdings.ts';
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

  it('of an older one begin with a step at a time, each mint that moved in one of them', async () => {
    const { client, writer } = test.store;
    const maker = createFactsMaker({ seed: 3, swapsPerBlock: 10, mints: 12 });
    await writer.flush(Array.from({ length: 20 }, () => maker.nextBatch()));
    // As a version without them left it, and let sends go after 30 days.
    await runStatement(client, 'TRUNCATE TABLE holdings');
    await runStatement(client, 'TRUNCATE TABLE holdings_since');
    await runStatement(client, 'ALTER TABLE transfers MODIFY TTL time + toIntervalDay(3000)');
    await beginHoldings(client, undefined);
    const moved = await readJson<{ name: string }>(
      client,
      'SELECT DISTINCT base58Encode(toString(mint)) AS name FROM transfers WHERE mint IN (SELECT mint FROM market_latest)',
    );
    const found: string[] = [];
    let steps = 0;
    const asked = vi.spyOn(client, 'exec');
    // Some three sends a step.
    for (;;) {
      const step = await readHoldingsStep(client, 3);
      if (step === undefined || step === 'marked') break;
      // Until it is noted, a kill finds the same one again.
      expect(await readHoldingsStep(client, 3)).toEqual(step);
      expect(await readSince(client)).toEqual([]);
      found.push(...step.mints);
      steps += 1;
      await noteHoldingsStep(client, undefined, step);
    }
    expect(steps).toBeGreaterThan(5);
    // The server gives up whichever takes too long.
    const queries = asked.mock.calls
      .map(([each]) => each)
      .filter(({ query }) => query.includes('SELECT DISTINCT mint'));
    expect(queries).toHaveLength(2 * steps);
    for (const each of queries) expect(each.clickhouse_settings).toMatchObject({ max_execution_time: 50 });
    expect(found.toSorted()).toEqual(moved.map(({ name }) => name).toSorted());
    // They are marked, and none is folded: nobody may read them for whole yet, after a kill either.
    expect(await readSince(client)).toEqual([]);
    await beginHoldings(client, undefined);
    expect(await readHoldingsStep(client)).toBe('marked');
    await noteHoldingsFolded(client, undefined);
    expect(await readHoldingsStep(client)).toBeUndefined();
    const [since] = await readSince(client);
    expect(since).toBeGreaterThan(0);
    // The start itself marks nothing: positions are right.
    expect((await readStale(client)).mints).toEqual([]);
    await beginHoldings(client, undefined);
    expect(await readSince(client)).toEqual([since]);
  });
});

async function readSince(client: StoreClient): Promise<number[]> {
  const rows = await readJson<{ since: number }>(client, 'SELECT toUInt32(since) AS since FROM holdings_since');
  return rows.map(({ since }) => since);
}
