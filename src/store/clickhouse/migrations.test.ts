import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { silentLogger } from '../../kernel/log.ts';
import { createStoreClient, runStatement, type StoreClient } from './client.ts';
import { PARTITION_SLOTS } from './flush-batches.ts';
import { assertLayouts, migrate, readMigrations } from './migrations.ts';
import { splitStatements } from './sql-file.ts';
import { TRANSFERS } from './tables.ts';

let test: TestStore;
let client: StoreClient;
beforeAll(async () => {
  test = await openTestStore();
  await runStatement(test.store.client, 'CREATE DATABASE other');
  client = createStoreClient({ ...test.store.connection, database: 'other' });
});
afterAll(async () => {
  await client.close();
  await test.close();
});

const ONE = {
  name: '0001_fact_one',
  script: 'CREATE TABLE IF NOT EXISTS one (a UInt8) ENGINE = MergeTree ORDER BY a;\n',
};
const TWO = {
  name: '0002_copy_two',
  script: 'CREATE TABLE IF NOT EXISTS two (a UInt8) ENGINE = MergeTree ORDER BY a;\n',
};

describe('migrations', () => {
  it('are applied once, in order, and again as far as a crash left them', async () => {
    await migrate(client, [ONE], silentLogger);
    await migrate(client, [ONE, TWO], silentLogger);
    await runStatement(
      client,
      "ALTER TABLE migrations DELETE WHERE name = '0002_copy_two' SETTINGS mutations_sync = 1",
    );
    await migrate(client, [ONE, TWO], silentLogger);
    const answer = await client.query({
      query: 'SELECT name FROM migrations FINAL ORDER BY name',
      format: 'JSONEachRow',
    });
    expect(await answer.json()).toEqual([{ name: ONE.name }, { name: TWO.name }]);
  });

  it.each([
    ['a script that was changed after it was applied', [{ ...ONE, script: `${ONE.script}-- changed` }, TWO]],
    ['an applied script that is not there any more', [ONE]],
    ['a script put before applied ones', [{ ...ONE, name: '0000_fact_zero' }, ONE, TWO]],
    ['a name without number and layer', [ONE, TWO, { ...ONE, name: 'three' }]],
  ])('refuse %s', async (_, ours) => {
    await expect(migrate(client, ours, silentLogger)).rejects.toMatchObject({ code: 'migration_drift' });
  });

  it('give every fact table the columns of its layout, and say which ones differ', async () => {
    await assertLayouts(test.store.client);
    const odd = { name: 'transfers', columns: { ...TRANSFERS.columns, slot: 'u64', extra: 'bool' } } as const;
    await expect(assertLayouts(test.store.client, [odd])).rejects.toMatchObject({
      code: 'layout_mismatch',
      message: 'table transfers: slot UInt64; extra Bool; slot UInt32',
    });
  });

  it('partition facts at edges that no flush crosses', () => {
    const edges = readMigrations().flatMap(({ script }) => [...script.matchAll(/PARTITION BY intDiv\(slot, (\d+)\)/g)]);
    expect(edges.length).toBeGreaterThan(5);
    const sizes = edges.map(([, slots]) => Number(slots));
    expect(Math.min(...sizes)).toBe(PARTITION_SLOTS);
    for (const size of sizes) expect(size % PARTITION_SLOTS).toBe(0);
  });

  it('are taken apart at semicolons that end a line', () => {
    expect(splitStatements("-- a; b\nSELECT ';' ;\n\nSELECT 2;\n-- the end\n")).toEqual([
      "-- a; b\nSELECT ';'",
      'SELECT 2',
    ]);
  });
});
