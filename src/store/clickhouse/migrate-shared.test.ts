import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyDatabase, openTestStore, type TestStore } from '../../../test/support/store.ts';
import { systemClock } from '../../kernel/clock.ts';
import { silentLogger } from '../../kernel/log.ts';
import { connectionUrl, createStoreClient, readJson, runStatement, type StoreConnection } from './client.ts';
import { readMigrations } from './migrations.ts';
import { openStore } from './store.ts';
import { writeLease } from './write/lease-rows.ts';

let test: TestStore;
let shared: StoreConnection;
let dir: string;
beforeAll(async () => {
  test = await openTestStore();
  shared = await copyDatabase(test.store, 'shared');
  dir = await mkdtemp(join(tmpdir(), 'mintscope-newer-host-'));
});
afterAll(async () => {
  await test?.close();
  await rm(dir, { recursive: true, force: true });
});

const WRITER = { epoch: 7, owner: 'older:1:abc:outbox' };

it('a host of a newer version changes nothing while one of an older version writes to the same server', async () => {
  const client = createStoreClient(shared);
  const newest = readMigrations().at(-1)!.name;
  const applied = async () => {
    const query = `SELECT count() AS count FROM migrations FINAL WHERE name = '${newest}'`;
    return Number((await readJson<{ count: string }>(client, query))[0]!.count);
  };
  // As the older version made it.
  await runStatement(client, `ALTER TABLE migrations DELETE WHERE name = '${newest}' SETTINGS mutations_sync = 1`);
  let renewal = 0;
  const renewing = setInterval(() => {
    renewal += 1;
    writeLease(client, { ...WRITER, renewal, released: false }).catch(() => {});
  }, 300);
  const open = () =>
    openStore({ url: connectionUrl(shared), dataDir: join(dir, 'newer'), log: silentLogger, clock: systemClock });
  try {
    await writeLease(client, { ...WRITER, renewal, released: false });
    await expect(open()).rejects.toMatchObject({ code: 'store_in_use' });
    expect(await applied()).toBe(0);
  } finally {
    clearInterval(renewing);
  }
  await writeLease(client, { ...WRITER, renewal: renewal + 1, released: true });
  const store = await open();
  expect(await applied()).toBe(1);
  await store.close();
  await client.close();
});
