import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../test/support/block-facts.ts';
import { eventually } from '../../test/support/eventually.ts';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import { systemClock } from '../kernel/clock.ts';
import { SWAPS } from './clickhouse/schema/tables.ts';
import { defineQuery, defineRowQuery } from './query.ts';
import { gateReads } from './reads/gated-client.ts';
import { createReadGate, GATE_LIMITS, type ReadGate } from './reads/read-gate.ts';
import { Asker, readAs } from './reads/reader.ts';
import { SharedRead } from './reads/shared-read.ts';

let test: TestStore;
let dir: string;
const maker = createFactsMaker({ seed: 21 });
beforeAll(async () => {
  test = await openTestStore();
  dir = await mkdtemp(join(tmpdir(), 'mintscope-query-'));
  await test.store.writer.flush(Array.from({ length: 4 }, () => maker.nextBatch()));
});
afterAll(async () => {
  await test.close();
  await rm(dir, { recursive: true, force: true });
});

async function sqlFile(name: string, text: string): Promise<URL> {
  const path = join(dir, `${name}.sql`);
  await writeFile(path, text);
  return pathToFileURL(path);
}

async function running(): Promise<string[]> {
  const query = "SELECT Settings['log_comment'] AS comment FROM system.processes";
  const answer = await test.store.client.query({ query, format: 'JSONEachRow' });
  return (await answer.json<{ comment: string }>()).map(({ comment }) => comment);
}

/** Reads for about as long as nobody ends it. */
async function endlessQuery(name: string) {
  const text = `SELECT toString(sleepEachRow(0.1)) AS number FROM numbers(10000)
    SETTINGS max_block_size = 1, max_execution_time = 0`;
  const row = Type.Object({ number: Type.String() });
  return defineQuery({ sql: await sqlFile(name, text), params: Type.Object({}), row, maxSeconds: 60 });
}

describe('a query behind the gate', () => {
  const share = { account: 'a', key: 'a' };
  const until = (test: (names: string[]) => boolean) =>
    eventually(async () => expect(test(await running())).toBe(true));

  it('that nobody waits for any more ends in the store when its request is over, and gives its place back', async () => {
    const left = await endlessQuery('left');
    const gate = createReadGate({ clock: systemClock, limits: { ...GATE_LIMITS, perKey: 1 } });
    const client = gateReads(test.store.client, gate);
    const asker = new Asker(() => share, 60_000);
    const read = readAs(asker, () => left(client, {}));
    const waits = readAs(asker, () => left(client, {}));
    await until((names) => names.includes('left'));
    expect(gate.figures).toMatchObject({ underWay: 1, waiting: 1 });
    asker.leave();
    await expect(read).rejects.toMatchObject({ code: 'abandoned' });
    await expect(waits).rejects.toMatchObject({ code: 'abandoned' });
    await until((names) => !names.includes('left'));
    await eventually(() => expect(gate.figures.underWay).toBe(0));
    expect(gate.figures.abandoned).toEqual({ waiting: 1, under_way: 1 });
  });

  it('carries its level to the store, where others go first, and has one thread while others read', async () => {
    const row = Type.Object({ priority: Type.String(), threads: Type.String() });
    const text = "SELECT toString(getSetting('priority')) AS priority, toString(getSetting('max_threads')) AS threads";
    const settingsOf = defineQuery({ sql: await sqlFile('settings-of', text), params: Type.Object({}), row });
    const place = { leave: () => {} };
    const at = (level: number, crowded: boolean) => {
      const gate = { enter: async () => ({ ...place, level, crowded }), noteAbandoned: () => {}, figures: undefined };
      return settingsOf(gateReads(test.store.client, gate as unknown as ReadGate), {});
    };
    const [[alone], [first], [last]] = await Promise.all([at(4, false), at(1, true), at(4, true)]);
    expect([alone?.priority, first?.priority, last]).toEqual(['4', '1', { priority: '4', threads: '1' }]);
    expect([alone?.threads, first?.threads]).not.toContain('1');
  });

  it('that is shared ends when the last of those who share it has left, and not before', async () => {
    const sharedOut = await endlessQuery('shared-out');
    const shared = new SharedRead(() => sharedOut(test.store.client, {}));
    const askers = [new Asker(() => share, 60_000), new Asker(() => share, 60_000)];
    const reads = askers.map((asker) => readAs(asker, () => shared.wait()));
    await until((names) => names.includes('shared-out'));
    askers[0]!.leave();
    await expect(reads[0]).rejects.toMatchObject({ code: 'abandoned' });
    expect([shared.abandoned, (await running()).includes('shared-out')]).toEqual([false, true]);
    askers[1]!.leave();
    await expect(reads[1]).rejects.toMatchObject({ code: 'abandoned' });
    await until((names) => !names.includes('shared-out'));
  });
});

describe('defined queries', () => {
  it('bind parameters by name and type, addresses included, and give typed rows', async () => {
    const countOf = defineQuery({
      sql: await sqlFile(
        'count-of-mint',
        'SELECT count() AS n, toUInt8(max(is_buy)) AS any FROM swaps WHERE mint = toFixedString(base58Decode({mint:String}), 32) AND slot <= {mark:UInt32};\n',
      ),
      params: Type.Object({ mint: Type.String(), mark: Type.Integer() }),
      row: Type.Object({ n: Type.String(), any: Type.Integer() }),
    });
    const [row] = await countOf(test.store.client, { mint: maker.mints[0]!, mark: test.store.committedSlot });
    expect(Number(row?.n)).toBeGreaterThan(10);
    expect(await countOf(test.store.client, { mint: maker.traders[0]!, mark: 1 })).toEqual([{ n: '0', any: 0 }]);
  });

  it('give rows of a table exactly, without JSON', async () => {
    const { mint, trader, quote_amount } = SWAPS.columns;
    const query = defineRowQuery({
      sql: await sqlFile('parts', 'SELECT mint, trader, quote_amount FROM swaps ORDER BY slot, block_index LIMIT 3'),
      params: Type.Object({}),
      layout: { name: 'parts', columns: { mint, trader, quote_amount } },
    });
    const rows = await query(test.store.client, {});
    expect(rows).toHaveLength(3);
    expect(maker.mints).toContain(rows[0]!.mint);
    expect(typeof rows[0]!.quote_amount).toBe('bigint');
  });

  it('refuse, from sources, rows and parameters that are not of their schemas', async () => {
    const query = defineQuery({
      sql: await sqlFile('wrong', 'SELECT 1 AS n'),
      params: Type.Object({ limit: Type.Integer() }),
      row: Type.Object({ n: Type.String() }),
    });
    await expect(query(test.store.client, { limit: 1 })).rejects.toThrow();
    await expect(query(test.store.client, { limit: 'x' as unknown as number })).rejects.toThrow();
  });

  it('never run without a bound: too many rows and too much time are errors', async () => {
    const params = Type.Object({});
    const row = Type.Object({ number: Type.String() });
    const many = defineQuery({
      sql: await sqlFile('many', 'SELECT number FROM numbers(11)'),
      params,
      row,
      maxRows: 10,
    });
    await expect(many(test.store.client, {})).rejects.toMatchObject({ type: 'TOO_MANY_ROWS_OR_BYTES' });
    const slow = defineQuery({
      sql: await sqlFile(
        'slow',
        'SELECT toString(sleepEachRow(0.1)) AS number FROM numbers(30) SETTINGS max_block_size = 1',
      ),
      params,
      row,
      maxSeconds: 1,
    });
    await expect(slow(test.store.client, {})).rejects.toMatchObject({ type: 'TIMEOUT_EXCEEDED' });
  });

  it('are not worked on any more once they are given up, even where the server would go on', async () => {
    const endless = defineQuery({
      sql: await sqlFile(
        'endless',
        `SELECT toString(sleepEachRow(0.1)) AS number FROM numbers(10000)
         SETTINGS max_block_size = 1, max_execution_time = 0`,
      ),
      params: Type.Object({}),
      row: Type.Object({ number: Type.String() }),
      maxSeconds: 0.1,
    });
    await expect(endless(test.store.client, {})).rejects.toMatchObject({ code: 'timed_out' });
    await eventually(async () => expect(await running()).not.toContain('endless'));
  });

  it('carry the name of their file to the server', async () => {
    const tag = defineQuery({
      sql: await sqlFile('holders-top', "SELECT getSetting('log_comment') AS tag"),
      params: Type.Object({}),
      row: Type.Object({ tag: Type.String() }),
    });
    expect(await tag(test.store.client, {})).toEqual([{ tag: 'holders-top' }]);
  });
});
