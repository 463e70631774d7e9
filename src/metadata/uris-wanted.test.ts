import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import { findCreatedUris } from './uris-wanted.ts';

const TOKENS = 100_000;
const WINDOW = 100;
const LOOK = { window: WINDOW, offset: 0, now: 1_800_000_000, limit: WINDOW };
/** Mints in no order of birth, as mints are. */
const MINT = 'toFixedString(unhex(hex(SHA256(toString(number)))), 32)';

let test: TestStore;

beforeAll(async () => {
  test = await openTestStore();
  const { client } = test.store;
  const numbers = `FROM numbers(${TOKENS})`;
  await client.command({
    query: `INSERT INTO tokens_by_creation (slot, block_index, ix_index, time, mint) SELECT number, 1, 1, 0, ${MINT} ${numbers}`,
  });
  await client.command({
    query: `INSERT INTO token_creations (slot, block_index, ix_index, time, mint, uri) SELECT number, 1, 1, 0, ${MINT}, 'uri ' || toString(number) ${numbers}`,
  });
  // All but every twentieth were read.
  await client.command({
    query: `INSERT INTO token_metadata (mint, checked_at, state) SELECT ${MINT}, 1, 'stored' ${numbers} WHERE number % 20 != 0`,
  });
});
afterAll(() => test?.close());

describe('a look for documents that were not read', () => {
  it('finds them in a window, newest first', async () => {
    const found = await findCreatedUris(test.store.client, { ...LOOK, offset: WINDOW });
    expect(found.map(({ uri }) => uri)).toEqual([99_880, 99_860, 99_840, 99_820, 99_800].map((at) => `uri ${at}`));
  });

  it('reads of all creations no more than those have to be read from', async () => {
    const query = readFileSync(new URL('./uris-wanted.sql', import.meta.url), 'utf8');
    const answer = await test.store.client.query({
      query,
      query_params: { ...LOOK, window: 19 },
      clickhouse_settings: { wait_end_of_query: 1 },
    });
    await answer.text();
    const summary = JSON.parse(String(answer.response_headers['x-clickhouse-summary']));
    expect(Number(summary.read_rows)).toBeLessThan(TOKENS);
  });
});
