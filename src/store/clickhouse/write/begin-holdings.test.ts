import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../../test/support/store.ts';
import { readJson, runStatement, type StoreClient } from '../client.ts';
import { beginHoldings, createHoldingsSteps, noteHoldingsFolded, noteHoldingsStep } from './begin-holdings.ts';
import { readStale } from './stale-positions.ts';

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterEach(() => vi.restoreAllMocks());
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
    const next = createHoldingsSteps(client, 3);
    for (;;) {
      const step = await next();
      if (step === undefined || step === 'marked') break;
      // Until it is noted, a kill finds the same one again.
      expect(await createHoldingsSteps(client, 3)()).toEqual(step);
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
    expect(await next()).toBe('marked');
    await noteHoldingsFolded(client, undefined);
    expect(await next()).toBeUndefined();
    const [since] = await readSince(client);
    expect(since).toBeGreaterThan(0);
    // The start itself marks nothing: positions are right.
    expect((await readStale(client)).mints).toEqual([]);
    await beginHoldings(client, undefined);
    expect(await readSince(client)).toEqual([since]);
  });

  it('of an older one begin with smaller steps where the server takes too long, and with all mints where none is small enough', async () => {
    const { client, writer } = test.store;
    const maker = createFactsMaker({ seed: 5, swapsPerBlock: 10, mints: 12, firstSlot: 5_000 });
    await writer.flush(Array.from({ length: 20 }, () => maker.nextBatch()));
    await runStatement(client, 'TRUNCATE TABLE holdings_since');
    await runStatement(client, 'TRUNCATE TABLE fill_steps');
    const [only] = await readJson<{ prefix: number }>(
      client,
      `SELECT toUInt32(reinterpretAsUInt16(reverse(substring(mint, 1, 2)))) AS prefix FROM market_latest
       WHERE mint IN (SELECT mint FROM transfers) ORDER BY mint LIMIT 1`,
    );
    // Whatever reads the sends of this one mint takes too long, in however small a step.
    const exec = client.exec.bind(client);
    const asked: number[] = [];
    vi.spyOn(client, 'exec').mockImplementation((question) => {
      const [, from, to] =
        /FROM transfers WHERE mint >= \S+'(\w{4})0{60}'\), 32\)(?: AND mint < \S+'(\w{4}))?/.exec(question.query) ?? [];
      if (from === undefined) return exec(question);
      const [first, end] = [Number(`0x${from}`), to === undefined ? 65_536 : Number(`0x${to}`)];
      asked.push(end - first);
      if (first <= only!.prefix && only!.prefix < end) {
        return Promise.reject(Object.assign(new Error('it took too long'), { code: '159' }));
      }
      return exec(question);
    });
    const next = createHoldingsSteps(client);
    const found: string[] = [];
    for (let step = await next(); step !== 'marked' && step !== undefined; step = await next()) {
      found.push(...step.mints);
      await noteHoldingsStep(client, undefined, step);
      // Another process goes on from there, with steps as wide as at first.
      if (step.end > only!.prefix) break;
    }
    vi.restoreAllMocks();
    const rest = createHoldingsSteps(client);
    for (let step = await rest(); step !== 'marked' && step !== undefined; step = await rest()) {
      found.push(...step.mints);
      await noteHoldingsStep(client, undefined, step);
    }
    const [traded, moved] = await Promise.all([
      readNames(client, 'SELECT mint FROM market_latest'),
      readNames(client, 'SELECT mint FROM transfers WHERE mint IN (SELECT mint FROM market_latest)'),
    ]);
    expect([...moved].filter((name) => !found.includes(name))).toEqual([]);
    expect(found.filter((name) => !traded.has(name))).toEqual([]);
    expect(new Set(found).size).toBe(found.length);
    expect(Math.min(...asked)).toBe(1);
    expect(await rest()).toBe('marked');
  });
});

async function readNames(client: StoreClient, mints: string): Promise<ReadonlySet<string>> {
  const query = `SELECT DISTINCT base58Encode(toString(mint)) AS name FROM (${mints})`;
  return new Set((await readJson<{ name: string }>(client, query)).map(({ name }) => name));
}

async function readSince(client: StoreClient): Promise<number[]> {
  const rows = await readJson<{ since: number }>(client, 'SELECT toUInt32(since) AS since FROM holdings_since');
  return rows.map(({ since }) => since);
}
