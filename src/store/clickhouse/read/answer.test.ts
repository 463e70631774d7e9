import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CutAnswers, startCutAnswers } from '../../../../test/support/cut-answers.ts';
import { openTestStore, type TestStore } from '../../../../test/support/store.ts';
import { readStoredTransactions } from '../../../ingest/live/stored-transactions.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { silentLogger } from '../../../kernel/log.ts';
import { defineQuery } from '../../query.ts';
import { connectionUrl, createStoreClient, readJson, readRows, type StoreClient, streamRows } from '../client.ts';
import { readSweptSlots } from '../derived/sweep.ts';
import { MEMPOOL_BUYERS_SWEEP } from '../derived/swept-tables.ts';
import { assertLayouts } from '../migrations.ts';
import { encodeRows } from '../schema/row-codec.ts';
import type { TableLayout } from '../schema/table-layout.ts';
import { openStore } from '../store.ts';
import { readSlotIndex } from '../write/slot-index.ts';
import { answerJson, answerRows, rowsPromised } from './answer.ts';

const NUMBERS = { name: 'numbers', columns: { number: 'u64' } } as const satisfies TableLayout;
const TEXTS = { name: 'texts', columns: { number: 'u64', text: 'string' } } as const satisfies TableLayout;
const ROWS = 8;
const READ_NUMBERS = `SELECT number FROM numbers(${ROWS})`;

let test: TestStore;
let way: CutAnswers;
let client: StoreClient;
beforeAll(async () => {
  test = await openTestStore();
  way = await startCutAnswers(test.store.connection);
  client = createStoreClient(way.connection);
  const fill = (query: string) => test.store.client.command({ query });
  await fill('INSERT INTO coverage (first_slot, last_slot) VALUES (1, 9), (20, 30)');
  await fill(
    `INSERT INTO swept_slots VALUES ('${MEMPOOL_BUYERS_SWEEP.name}', 1, 9), ('${MEMPOOL_BUYERS_SWEEP.name}', 20, 30)`,
  );
  await fill("INSERT INTO attempts (slot, partial, signature) SELECT 7, true, repeat('a', 64)");
});
afterAll(async () => {
  await client.close();
  await way.close();
  await test.close();
});

async function streamed(query: string, layout: TableLayout = NUMBERS): Promise<number> {
  let rows = 0;
  for await (const piece of streamRows(client, layout, query)) rows += piece.length;
  return rows;
}

const coverageRanges = defineQuery({
  sql: new URL('../../../token/coverage-ranges.sql', import.meta.url),
  params: Type.Object({ most: Type.Integer() }),
  row: Type.Object({ first_slot: Type.Integer(), last_slot: Type.Integer() }),
});

/** One of each way in which the product reads, and its number of rows. */
const READS: Readonly<Record<string, () => Promise<number>>> = {
  'rows of a table': async () => (await readRows(client, NUMBERS, READ_NUMBERS)).length,
  'rows with text': async () =>
    (await readRows(client, TEXTS, `SELECT number, repeat('x', number) FROM numbers(${ROWS})`)).length,
  'rows as they come': () => streamed(READ_NUMBERS),
  'rows with text as they come': () => streamed(`SELECT number, repeat('x', number) FROM numbers(${ROWS})`, TEXTS),
  'rows in JSON': async () => (await readJson(client, READ_NUMBERS)).length,
  'a question of the API': async () => (await coverageRanges(client, { most: 10 })).length,
  'the slots that the store has': async () => (await readSlotIndex(client)).coverage.length,
  'the slots that were swept': async () => (await readSweptSlots(client, MEMPOOL_BUYERS_SWEEP)).length,
  'the transactions of a slot': async () => (await readStoredTransactions(client, 7)).size,
  'the columns of the tables': async () => assertLayouts(client).then(() => 1),
};

describe.each(Object.entries(READS))('a read of the store: %s', (_name, read) => {
  it.each(['all', 'half', 'uncounted'] as const)(
    'is a fault when its answer comes with 200 and loses: %s',
    async (cut) => {
      way.cut = 'none';
      expect(await read()).toBeGreaterThan(0);
      way.cut = cut;
      const before = way.cuts;
      await expect(read()).rejects.toMatchObject({ name: 'ReadFault', code: 'incomplete' });
      expect(way.cuts).toBeGreaterThan(before);
      way.cut = 'none';
      expect(await read()).toBeGreaterThan(0);
    },
  );
});

describe('an answer', () => {
  it('without rows is whole when none were promised', async () => {
    way.cut = 'none';
    expect(await readRows(client, NUMBERS, `${READ_NUMBERS} WHERE number > 99`)).toEqual([]);
    expect(await readJson(client, `${READ_NUMBERS} WHERE number > 99`)).toEqual([]);
    expect(await streamed(`${READ_NUMBERS} WHERE number > 99`)).toBe(0);
  });

  it('with text comes whole in pieces that end inside of rows', async () => {
    way.cut = 'none';
    const lengths: number[] = [];
    const query = 'SELECT number, repeat(toString(number % 10), number * 37 % 50000) FROM numbers(400)';
    for await (const piece of streamRows(client, TEXTS, query)) {
      for (const { number, text } of piece) {
        expect(text).toBe(`${number % 10n}`.repeat(Number((number * 37n) % 50_000n)));
        lengths.push(text.length);
      }
    }
    expect(lengths).toEqual(Array.from({ length: 400 }, (_, at) => (at * 37) % 50_000));
  });

  it('that is cut off at any byte is never taken for one of fewer rows', () => {
    const rows = Array.from({ length: 5 }, (_, at) => ({ number: BigInt(at), text: 'x'.repeat(at) }));
    const { bytes } = encodeRows(TEXTS, rows);
    const json = Buffer.from(rows.map(({ text }) => `${JSON.stringify({ text })}\n`).join(''));
    for (let end = 0; end < bytes.length; end += 1) {
      const answer = { bytes: Buffer.from(bytes).subarray(0, end), rows: rows.length };
      expect(() => answerRows(TEXTS, answer)).toThrow(expect.objectContaining({ code: 'incomplete' }));
    }
    for (let end = 0; end < json.length; end += 1) {
      const answer = { bytes: json.subarray(0, end), rows: rows.length };
      expect(() => answerJson(answer)).toThrow(expect.objectContaining({ code: 'incomplete' }));
    }
    expect(answerRows(TEXTS, { bytes: Buffer.from(bytes), rows: rows.length })).toEqual(rows);
  });

  it('whose number of rows cannot be read is no answer', () => {
    for (const result_rows of ['', '-1', '1.5', 'many']) {
      expect(() => rowsPromised({ result_rows })).toThrow(expect.objectContaining({ code: 'incomplete' }));
    }
    expect(() => rowsPromised(undefined)).toThrow(expect.objectContaining({ code: 'incomplete' }));
    expect(rowsPromised({ result_rows: '0' })).toBe(0);
  });
});

it('a way to a server on which answers lose their count is refused at the start, with the remedy', async () => {
  way.cut = 'uncounted';
  const dataDir = await mkdtemp(join(tmpdir(), 'mintscope-uncounted-'));
  try {
    const opened = openStore({ url: connectionUrl(way.connection), dataDir, log: silentLogger, clock: systemClock });
    await expect(opened).rejects.toMatchObject({
      code: 'server_unusable',
      message: expect.stringContaining('X-ClickHouse-Summary'),
    });
  } finally {
    way.cut = 'none';
    await rm(dataDir, { recursive: true });
  }
});

it('no read of the store goes round the count of its rows', () => {
  const src = fileURLToPath(new URL('../../..', import.meta.url));
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const asking = /\bclient\.(query|exec)\(|\bdecodeRows\(.*\bread/;
  const found = sources.filter((file) => asking.test(readFileSync(join(src, file), 'utf8')));
  // A Postgres client of accounts is called the same, and its answers come over a protocol with an end.
  expect(found.filter((file) => file !== 'store/accounts-db/postgres.ts')).toEqual(['store/clickhouse/client.ts']);
});
