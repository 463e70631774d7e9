import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../test/support/block-facts.ts';
import { systemClock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import { openAccountsDatabase } from './accounts-db/accounts-db.ts';
import { openStore, type Store } from './clickhouse/store.ts';
import { verifyStore } from './clickhouse/verify/verify.ts';
import { openOutbox } from './clickhouse/write/outbox.ts';
import { backupStore, restoreStore } from './store-backup.ts';

const options = { log: silentLogger, clock: systemClock };
const KEPT = { owner: 'o', wallet: 'w', alias: null, added_at: 7 };

let dir: string;
let from: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mintscope-backup-'));
  from = join(dir, 'from');
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const open = (dataDir: string) => openStore({ url: undefined, dataDir, ...options });
const accountsOf = (dataDir: string) => ({ url: undefined, path: join(dataDir, 'accounts.db') });
const openAccounts = (dataDir: string) =>
  openAccountsDatabase({ url: undefined, path: join(dataDir, 'accounts.db'), clock: systemClock });
const backup = (dataDir: string, folder: string) =>
  backupStore({ dataDir, accounts: accountsOf(dataDir), folder, ...options });
const restore = (dataDir: string, folder: string) =>
  restoreStore({ dataDir, accounts: accountsOf(dataDir), folder, ...options });

/** Every table's rows in one number each. */
async function digest({ client }: Store): Promise<Record<string, string>> {
  const names = await client.query({
    query: `SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name`,
    format: 'JSONEachRow',
  });
  const digests: Record<string, string> = {};
  for (const { name } of await names.json<{ name: string }>()) {
    const query = `SELECT concat(toString(count()), ' ', toString(sum(cityHash64(*)))) AS digest FROM ${name}`;
    const answer = await client.query({ query, format: 'JSONEachRow' });
    digests[name] = (await answer.json<{ digest: string }>())[0]?.digest ?? '';
  }
  return digests;
}

describe('backup and restore', () => {
  it('bring a store and its accounts back, row for row, and the store goes on from there', async () => {
    const maker = createFactsMaker({ seed: 4, firstSlot: 700 });
    const store = await open(from);
    await store.writer.flush(Array.from({ length: 10 }, () => maker.nextBatch()));
    await expect(backup(from, join(dir, 'too-early'))).rejects.toMatchObject({ code: 'store_in_use' });
    const before = await digest(store);
    await store.close();
    const accounts = await openAccounts(from);
    await accounts.db.insertInto('wallet_favorites').values(KEPT).execute();

    // The accounts are in use while they are copied.
    const manifest = await backup(from, join(dir, 'copy'));
    await accounts.close();
    expect(manifest).toMatchObject({ format: 1, committed_slot: 709, accounts: true });
    expect(JSON.parse(await readFile(join(dir, 'copy', 'manifest.json'), 'utf8'))).toEqual(manifest);

    expect(await restore(join(dir, 'to'), join(dir, 'copy'))).toEqual(manifest);
    const restored = await open(join(dir, 'to'));
    expect(await digest(restored)).toEqual(before);
    expect((await verifyStore(restored)).mismatches).toEqual([]);
    await restored.writer.flush([maker.nextBatch()]);
    expect(restored.coverage).toEqual([{ first: 700, last: 710 }]);
    expect((await verifyStore(restored)).mismatches).toEqual([]);
    await restored.close();
    const again = await openAccounts(join(dir, 'to'));
    expect(await again.db.selectFrom('wallet_favorites').selectAll().execute()).toEqual([KEPT]);
    await again.close();
  });

  it('take along what a killed run left in its outbox', async () => {
    const dataDir = join(dir, 'killed');
    const maker = createFactsMaker({ seed: 6, firstSlot: 900, swapsPerBlock: 5 });
    const store = await open(dataDir);
    await store.writer.flush([maker.nextBatch()]);
    await store.close();
    const batch = maker.nextBatch();
    const tables = [...batch.tables].map(([table, { rows, bytes }]) => ({ table, rows, bytes }));
    const { FACT_TABLES } = await import('./clickhouse/schema/tables.ts');
    const columnsOf = (name: string) => Object.keys(FACT_TABLES.find((layout) => layout.name === name)!.columns);
    const outbox = await openOutbox(join(dataDir, 'outbox'));
    await outbox.write({
      id: 'left',
      closes: [{ first: 901, last: 901 }],
      partialSlots: [],
      tables: tables.map((table) => ({ ...table, columns: columnsOf(table.table) })),
    });
    expect(await backup(dataDir, join(dir, 'left'))).toMatchObject({ committed_slot: 901, accounts: false });
  });

  it('refuse a folder with something in it, a store that is there, and a copy that is not whole', async () => {
    await mkdir(join(dir, 'full'));
    await writeFile(join(dir, 'full', 'file'), '');
    await expect(backup(from, join(dir, 'full'))).rejects.toMatchObject({ code: 'backup_failed' });
    await expect(restore(from, join(dir, 'copy'))).rejects.toThrow('is there already');
    await expect(restore(join(dir, 'nowhere'), join(dir, 'full'))).rejects.toThrow('no whole backup');
    for (const file of ['accounts.db', 'accounts.db-wal']) {
      await mkdir(join(dir, `only-${file}`));
      await writeFile(join(dir, `only-${file}`, file), '');
      await expect(restore(join(dir, `only-${file}`), join(dir, 'copy'))).rejects.toThrow(`${file} is there already`);
    }
  });

  it('start over where a restore was cut off', async () => {
    const dataDir = join(dir, 'cut');
    await mkdir(join(dataDir, 'clickhouse.restoring', 'data'), { recursive: true });
    await writeFile(join(dataDir, 'clickhouse.restoring', 'data', 'half'), 'of it');
    await restore(dataDir, join(dir, 'copy'));
    const store = await open(dataDir);
    expect(store.committedSlot).toBe(709);
    await store.close();
  });
});
