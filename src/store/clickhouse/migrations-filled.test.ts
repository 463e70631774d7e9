import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { silentLogger } from '../../kernel/log.ts';
import { createStoreClient, runStatement, type StoreClient } from './client.ts';
import { FILLED_SUMS, readFilledSince } from './derived/due-slots.ts';
import { fillStep } from './derived/fill.ts';
import { fillSumsStep } from './derived/fill-sums.ts';
import { createSweep } from './derived/sweep.ts';
import { SWEPT_TABLES } from './derived/swept-tables.ts';
import { assertLayouts, type Migration, migrate, readMigrations } from './migrations.ts';
import { splitStatements } from './sql-file.ts';
import { verifyStore } from './verify/verify.ts';

/** The last script of a store from before prices, documents and funders. */
const LAST_OF_OLD = '0022_fact_small_partitions';

let test: TestStore;
let old: StoreClient;
beforeAll(async () => {
  test = await openTestStore();
  const maker = createFactsMaker({ seed: 5, swapsPerBlock: 30 });
  for (let flush = 0; flush < 3; flush++) {
    const facts = Array.from({ length: 10 }, () => maker.next());
    await test.store.writer.flush(facts.map((each) => maker.toBatch({ ...each, fundings: fundingsIn(each) })));
  }
  for (const table of SWEPT_TABLES) await (await createSweep(test.store.client, table)).step();
  await runStatement(test.store.client, 'CREATE DATABASE old');
  old = createStoreClient({ ...test.store.connection, database: 'old' });
});
afterAll(async () => {
  await old?.close();
  await test?.close();
});

function fundingsIn({ slot, time, swaps }: ReturnType<ReturnType<typeof createFactsMaker>['next']>) {
  const { trader, feePayer, signature } = swaps[0]!;
  const place = { slot, blockIndex: 901, ixIndex: 1, time, signature };
  return [{ ...place, wallet: trader, funder: feePayer, amount: 1_000_000_000n, createdAccount: true }];
}

async function readJson<T>(client: StoreClient, query: string): Promise<T[]> {
  return (await client.query({ query, format: 'JSONEachRow' })).json();
}

/** Every row that the store of today has in a table of then. */
async function fillAsThen(): Promise<void> {
  const tables = await readJson<{ table: string; columns: string }>(
    old,
    `SELECT table, arrayStringConcat(groupArray(name), ', ') AS columns
     FROM (SELECT table, name FROM system.columns WHERE database = 'old' AND default_kind = '' ORDER BY position)
     WHERE table != 'migrations' GROUP BY table`,
  );
  for (const { table, columns } of tables) {
    const source = `${test.store.connection.database}.${table}`;
    await runStatement(old, `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${source}`);
  }
}

describe('a store that was filled before', () => {
  it('gets every table of today, filled as if it had always been there, after a crash in any script as well', async () => {
    const all = readMigrations();
    const first = all.findIndex(({ name }) => name === LAST_OF_OLD) + 1;
    await migrate(old, all.slice(0, first), silentLogger);
    const aDayAgo =
      'INSERT INTO migrations SELECT * REPLACE (applied_at - INTERVAL 1 DAY AS applied_at) FROM migrations';
    await runStatement(old, aDayAgo);
    await fillAsThen();
    await runStatement(old, "DELETE FROM swept_slots WHERE swept_table != 'mempool_buyers'");
    // A crash between a script's last statement and its entry, in each of them.
    for (const [place, { script }] of all.slice(first).entries()) {
      for (const statement of splitStatements(script)) await runStatement(old, statement);
      await migrate(old, all.slice(0, first + place + 1), silentLogger);
    }
    await assertLayouts(old);
    // No pass over what is whole stands between the start and the service.
    for (const table of FILLED_SUMS) {
      expect({ table, rows: await readJson(old, `SELECT 1 FROM ${table} WHERE partial_slot = 0`) }).toEqual({
        table,
        rows: [],
      });
      expect(await readFilledSince(old, table)).toBeGreaterThan(0);
    }
    expect((await verifyStore({ client: old })).mismatches).toEqual([]);
    while (await fillStep(old));
    for (const table of FILLED_SUMS) while ((await fillSumsStep(old, table, { maxSlots: 7 })) !== undefined);
    for (const table of SWEPT_TABLES) await (await createSweep(old, table)).step();
    const report = await verifyStore({ client: old });
    expect(report.mismatches).toEqual([]);
    const { checked } = await verifyStore(test.store);
    // Holdings are no table of a migration: ingest folds them, see `beginHoldings`.
    expect(report.checked).toEqual({ ...checked, holdings: 0 });
    expect(checked.market_latest).toBeGreaterThan(0);
    expect(checked.fundings_by_funder).toBeGreaterThan(0);
  });

  it('is no store for an earlier build once scripts were run that leave what they lack to later ones', async () => {
    const checksums = new Map(
      (await readJson<{ name: string; checksum: string }>(old, 'SELECT name, checksum FROM migrations FINAL')).map(
        ({ name, checksum }) => [name, checksum],
      ),
    );
    const all = readMigrations();
    // A build from before compares with nothing but this.
    const asShipped = ({ script }: Migration) => createHash('sha256').update(script).digest('hex');
    const otherwise = all.filter((each) => checksums.get(each.name) !== asShipped(each)).map(({ name }) => name);
    expect(otherwise).toEqual(['0046_rollup_venue_minutes', '0050_rollup_mint_hours', '0051_rollup_trader_registers']);
    // What such a build has run itself, as it shipped, is taken.
    const values = all.map((each) => `('${each.name}', '${asShipped(each)}')`).join(', ');
    await runStatement(old, 'TRUNCATE TABLE migrations');
    await runStatement(old, `INSERT INTO migrations (name, checksum) VALUES ${values}`);
    await migrate(old, all, silentLogger);
    await runStatement(
      old,
      "INSERT INTO migrations (name, checksum, applied_at) VALUES ('0050_rollup_mint_hours', 'another', now() + 5)",
    );
    await expect(migrate(old, all, silentLogger)).rejects.toMatchObject({ code: 'migration_drift' });
  });
});
