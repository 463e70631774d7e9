import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { silentLogger } from '../../kernel/log.ts';
import { createStoreClient, runStatement, type StoreClient } from './client.ts';
import { assertLayouts, migrate, readMigrations } from './migrations.ts';
import { TRANSFERS } from './schema/tables.ts';
import { splitStatements } from './sql-file.ts';
import { PARTITION_SLOTS } from './write/flush-batches.ts';

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

/** The advice for a store that another build made. */
const OTHER_BUILD = /Nothing was changed: start the version that made the store, or .*MINTSCOPE_DATA_DIR.*backfill/;

/** Stores have applied them under these names: 0024, 0025, 0027 and 0028 never shipped, and stay free. */
const SHIPPED = [
  '0001_fact_blocks',
  '0002_fact_tokens',
  '0003_fact_swaps',
  '0004_fact_attempts',
  '0005_fact_movements',
  '0006_fact_positions',
  '0007_fact_coverage',
  '0008_copy_by_wallet',
  '0009_copy_tokens',
  '0010_rollup_candles',
  '0011_rollup_mint_minutes',
  '0012_rollup_token_latest',
  '0013_rollup_economics',
  '0014_fact_stale_positions',
  '0015_fact_hydration',
  '0016_rollup_mempool_buyers',
  '0017_fact_packed_swaps',
  '0018_fact_packed_attempts',
  '0019_fact_packed_positions',
  '0020_copy_narrow',
  '0021_rollup_candles_from_a_minute',
  '0022_fact_small_partitions',
  '0023_fact_token_metadata',
  '0026_copy_fundings_by_funder',
  '0029_rollup_market_latest',
];

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
    [
      'a script that was changed after it was applied',
      [{ ...ONE, script: `${ONE.script}-- changed` }, TWO],
      OTHER_BUILD,
    ],
    ['a store of a newer version', [ONE], /0002_copy_two, .*newer.*restore a backup/],
    ['a script put before applied ones', [{ ...ONE, name: '0000_fact_zero' }, ONE, TWO], OTHER_BUILD],
    [
      'a script put between applied ones',
      [ONE, { ...ONE, name: '0001_fact_two' }, TWO],
      /lacks 0001_fact_two, which comes/,
    ],
    ['a store of another numbering', [ONE, { ...TWO, name: '0003_copy_two' }], /0002_copy_two, .*numbered otherwise/],
    ['a name without number and layer', [ONE, TWO, { ...ONE, name: 'three' }], /not named/],
  ])('refuse %s, and say what to do', async (_, ours, message) => {
    await expect(migrate(client, ours, silentLogger)).rejects.toMatchObject({
      code: 'migration_drift',
      message: expect.stringMatching(message),
    });
  });

  it('that shipped keep their names, and a new one stands above them all, with a number of its own', () => {
    const names = readMigrations().map(({ name }) => name);
    expect(names.slice(0, SHIPPED.length)).toEqual(SHIPPED);
    const numbers = names.map((name) => Number(name.slice(0, 4)));
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const free of [24, 25, 27, 28]) expect(numbers).not.toContain(free);
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
