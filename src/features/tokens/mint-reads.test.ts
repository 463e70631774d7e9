import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { DEFAULT_LIST_LIMITS } from '../../books/book-limits.ts';
import { runStatement } from '../../store/clickhouse/client.ts';
import { MAX_LOOKED_AT } from './contract-limits.ts';
import { readListMints } from './mint-reads.ts';

/** More tokens than any order has places, one a slot. */
const TOKENS = 20_500;
const MARK = 1_000_000;

let test: TestStore;

beforeAll(async () => {
  test = await openTestStore();
  const mint = "toFixedString(reinterpretAsString(sipHash128('mint', number)) || repeat('m', 16), 32) AS mint";
  const time = "toDateTime(1760000000 + number, 'UTC') AS time";
  await runStatement(
    test.store.client,
    `INSERT INTO tokens_by_creation (slot, block_index, ix_index, time, partial, mint, creator, name, symbol)
     SELECT number + 1, 0, 0, ${time}, false, ${mint}, toFixedString('creator', 32), 'name', 'symbol' FROM numbers(${TOKENS})`,
  );
  await runStatement(
    test.store.client,
    `INSERT INTO token_latest (mint, last_trade)
     SELECT ${mint}, (bitShiftLeft(toUInt64(number + 1), 32), ${time}) FROM numbers(${TOKENS})`,
  );
});
afterAll(() => test?.close());

const window = { graduated: undefined, creator: undefined, from: undefined, to: undefined, cursor: undefined };

it.each(['newest', 'last_trade'] as const)('orders in memory are read whole by %s', async (sort) => {
  const limit = DEFAULT_LIST_LIMITS.tokens + 1;
  const places = await readListMints(test.store.client, MARK, { ...window, sort, limit });
  expect(places.length).toBe(limit);
  expect(places.map(({ slot }) => slot)).toEqual(places.map((_place, at) => TOKENS - at));
});

it.each(['newest', 'last_trade'] as const)('a filtered page looks at as many as it may by %s', async (sort) => {
  const limit = MAX_LOOKED_AT + 1;
  const bonding = { ...window, sort, graduated: false, limit };
  expect((await readListMints(test.store.client, MARK, bonding)).length).toBe(limit);
});
