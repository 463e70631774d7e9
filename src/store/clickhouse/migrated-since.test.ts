import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { runStatement } from './client.ts';
import { readMigratedSince } from './migrated-since.ts';
import { readMigrations } from './migrations.ts';

const LAST = readMigrations().at(-1)!.name;

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test?.close());

const addMigration = (name: string, ago: string) =>
  runStatement(
    test.store.client,
    `INSERT INTO migrations (name, checksum, applied_at) SELECT '${name}', '', now() - INTERVAL ${ago}`,
  );

it('tells of a migration that a store had from its first minutes on, or does not have, that it is there since ever', async () => {
  expect(await readMigratedSince(test.store.client, LAST)).toBe(0);
  expect(await readMigratedSince(test.store.client, '9999_fact_to_come')).toBe(0);
  await addMigration('0000_fact_before', '9 MINUTE');
  expect(await readMigratedSince(test.store.client, LAST)).toBe(0);
});

it('tells when a store that was there before got it', async () => {
  const before = Math.floor(Date.now() / 1_000);
  await addMigration('0000_fact_long_before', '1 DAY');
  const since = await readMigratedSince(test.store.client, LAST);
  // The database is a copy of one that this run made at its beginning.
  expect(since).toBeGreaterThan(before - 3_600);
  expect(since).toBeLessThanOrEqual(before + 1);
  expect(await readMigratedSince(test.store.client, '0000_fact_long_before')).toBe(0);
});
