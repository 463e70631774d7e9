import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../../test/support/store.ts';
import { ZERO_ADDRESS } from '../../../chain/address.ts';
import { encodeAddress } from '../../../chain/keys/base58.ts';
import { silentLogger } from '../../../kernel/log.ts';
import { columnList, createStoreClient, insertRows, readRows, runStatement, type StoreClient } from '../client.ts';
import { migrate, readMigrations } from '../migrations.ts';
import { splitStatements } from '../sql-file.ts';
import { joinBatches } from '../write/flush-batches.ts';
import { insertFlush } from '../write/flush-insert.ts';
import { readSlotIndex } from '../write/slot-index.ts';
import { PACKED_TABLES } from './packed-selects.ts';
import { priceDouble } from './price-double.ts';
import { encodeRows } from './row-codec.ts';
import { storeType } from './store-types.ts';
import type { ColumnType, RowOf, TableLayout } from './table-layout.ts';
import { ATTEMPTS, type FactTableName, POSITIONS, SWAPS } from './tables.ts';

const LAYOUTS = [SWAPS, ATTEMPTS, POSITIONS] as const;
const ROWS = 60;
const FIRST_PACKING = '0017_fact_packed_swaps';
/** Behind later scripts: what these fill has another column since 0053. */
const mayRunAgain = ({ name }: { readonly name: string }) => !/^005[01]_/.test(name);
/** Columns that tables have got since they are packed: rows from before have zeros. */
const LATER: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  swaps: { signatures: 0 },
  attempts: { tip_payable: 0n, signatures: 0 },
};

/** A table as it was when it was packed. */
function earlier(layout: TableLayout): TableLayout {
  const columns = Object.entries(layout.columns).filter(([name]) => LATER[layout.name]?.[name] === undefined);
  return { name: layout.name, columns: Object.fromEntries(columns) };
}

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test.close());

const addresses = Array.from({ length: 6 }, (_, seed) => encodeAddress(new Uint8Array(32).fill(seed + 1)));
const u64 = fc.oneof(
  fc.bigInt(0n, 1_000n),
  fc.bigInt(0n, 2n ** 64n - 1n),
  fc.constantFrom(0n, 2n ** 63n, 2n ** 64n - 1n),
);
const i64 = fc.oneof(fc.bigInt(-1_000n, 1_000n), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n));
const u32 = fc.oneof(fc.nat(100), fc.nat(2 ** 31), fc.constant(2 ** 32 - 1));

/** Any value of a column, small ones and the largest alike. */
const VALUES: Readonly<Record<ColumnType, fc.Arbitrary<unknown>>> = {
  account: fc.constantFrom(ZERO_ADDRESS, ...addresses),
  address: fc.constantFrom('', ...addresses),
  signature: fc.uint8Array({ minLength: 64, maxLength: 64 }),
  u8: fc.nat(255),
  u16: fc.nat(16_383),
  u32,
  u64,
  i64,
  i128: i64,
  f64: fc.constant(0),
  bool: fc.boolean(),
  string: fc.string(),
  bytes: fc.uint8Array(),
  time: u32,
};

/** Rows in which every column has any value at all, and a slot of its own. */
function anyRows<T extends (typeof LAYOUTS)[number]>(layout: T): fc.Arbitrary<RowOf<T>[]> {
  const columns = Object.entries(layout.columns).map(([name, type]) => [name, VALUES[type as ColumnType]] as const);
  const row = fc.record(Object.fromEntries(columns)) as fc.Arbitrary<Record<string, unknown>>;
  return fc.array(row, { minLength: ROWS, maxLength: ROWS }).map((rows) =>
    rows.map((each, place) => {
      const made: Record<string, unknown> = { ...each, slot: 1_000 + place };
      if ('block_index' in made) made.block_index = Number(made.block_index) % 262_144;
      // Somebody signs for every transaction, so that zeros can stand for the trader.
      if (made.fee_payer === ZERO_ADDRESS) made.fee_payer = addresses[0];
      if (layout.name === 'swaps') made.price = priceDouble(made.price_quote as bigint, made.price_token as bigint);
      if (layout.name === 'positions') made.trader = encodeAddress(new Uint8Array(32).fill(place + 1));
      return made as RowOf<T>;
    }),
  );
}

function structureOf(layout: TableLayout): string {
  const columns = Object.entries(layout.columns).map(([name, type]) => `${name} ${storeType(type)}`);
  return columns.join(', ').replaceAll("'", "''");
}

function insert(client: StoreClient, layout: TableLayout, rows: readonly never[], packed: boolean) {
  const select = PACKED_TABLES.get(layout.name as FactTableName)?.replace('$rows', `input('${structureOf(layout)}')`);
  return insertRows(client, {
    table: layout.name,
    columns: Object.keys(layout.columns),
    bytes: encodeRows(layout, rows).bytes,
    token: undefined,
    select: packed ? select : undefined,
  });
}

function read(client: StoreClient, layout: TableLayout): Promise<unknown[]> {
  return readRows(client, layout, `SELECT ${columnList(layout)} FROM ${layout.name} ORDER BY slot`);
}

describe('packed tables', () => {
  it.each(LAYOUTS)('give back the very rows of $name that were put in, whatever is in them', async (layout) => {
    await fc.assert(
      fc.asyncProperty(anyRows(layout), async (rows) => {
        await runStatement(test.store.client, `TRUNCATE TABLE ${layout.name}`);
        await insert(test.store.client, layout, rows as never[], true);
        expect(await read(test.store.client, layout)).toEqual(rows);
      }),
      { numRuns: 8 },
    );
  });

  it('take what an earlier version left behind, with zeros where it had no column yet', async () => {
    const { client } = test.store;
    const [rows] = fc.sample(anyRows(ATTEMPTS), { numRuns: 1, seed: 11 });
    const layout = earlier(ATTEMPTS);
    const { bytes } = encodeRows(layout, rows as never[]);
    const table = { table: 'attempts' as const, columns: Object.keys(layout.columns), rows: rows!.length, bytes };
    const flush = { id: 'left-behind', closes: [], partialSlots: [], tables: [table] };
    await runStatement(client, 'TRUNCATE TABLE attempts');
    await insertFlush({ client, slotIndex: await readSlotIndex(client), assertLease() {} }, flush, false);
    const expected = rows!.map((row) => ({ ...row, ...LATER.attempts }));
    expect(await read(client, ATTEMPTS)).toEqual(expected);
  });

  it.each(LAYOUTS)('are filled in the order of the columns that $name keeps', async (layout) => {
    const source = `(SELECT ${columnList(layout)} FROM ${layout.name})`;
    const names = async (query: string) => {
      const answer = await test.store.client.query({ query, format: 'JSONEachRow' });
      return (await answer.json<{ name: string }>()).map(({ name }) => name);
    };
    const kept = `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = '${layout.name}'
                  AND default_kind = '' ORDER BY position`;
    expect(await names(`DESCRIBE (${PACKED_TABLES.get(layout.name)!.replace('$rows', source)})`)).toEqual(
      await names(kept),
    );
  });
});

describe('packing a store that was filled before', () => {
  it('keeps every row, and does so again after a crash between two renames and at the end of a script', async () => {
    await runStatement(test.store.client, 'CREATE DATABASE filled');
    const client = createStoreClient({ ...test.store.connection, database: 'filled' });
    const all = readMigrations();
    const first = all.findIndex(({ name }) => name === FIRST_PACKING);
    await migrate(client, all.slice(0, first), silentLogger);
    const before = new Map<string, unknown[]>();
    for (const layout of LAYOUTS) {
      const [rows] = fc.sample(anyRows(layout) as fc.Arbitrary<never[]>, { numRuns: 1, seed: 7 });
      await insert(client, earlier(layout), rows!, false);
      const stored = await read(client, earlier(layout));
      before.set(
        layout.name,
        stored.map((row) => ({ ...(row as object), ...LATER[layout.name] })),
      );
    }
    for (const statement of splitStatements(all[first]!.script)) {
      if (statement.startsWith('RENAME')) break;
      await runStatement(client, statement);
    }
    await runStatement(client, 'RENAME TABLE swaps TO swaps_before');
    await migrate(client, all, silentLogger);
    for (const layout of LAYOUTS) expect(await read(client, layout)).toEqual(before.get(layout.name));
    for (const { script } of all.slice(first).filter(mayRunAgain)) {
      for (const statement of splitStatements(script)) await runStatement(client, statement);
    }
    for (const layout of LAYOUTS) expect(await read(client, layout)).toEqual(before.get(layout.name));
    await client.close();
  });

  it('lets a flush that is sent again afterwards find its rows, where its token is forgotten', async () => {
    const { client } = test.store;
    for (const { name } of LAYOUTS) await runStatement(client, `TRUNCATE TABLE ${name}`);
    const [flush] = joinBatches([createFactsMaker({ firstSlot: 5_000 }).nextBatch()]);
    const target = { client, slotIndex: await readSlotIndex(client), assertLease() {} };
    await insertFlush(target, flush!, false);
    const packing = readMigrations().filter((each) => each.name >= FIRST_PACKING && mayRunAgain(each));
    for (const { script } of packing) {
      for (const statement of splitStatements(script)) await runStatement(client, statement);
    }
    await insertFlush(target, flush!, true);
    const answer = await client.query({
      query: `SELECT (SELECT count() FROM swaps) AS swaps, (SELECT count() FROM swaps_by_trader) AS by_trader,
                (SELECT count() FROM transfers) AS transfers, (SELECT count() FROM transfers_by_wallet) AS by_wallet`,
      format: 'JSONEachRow',
    });
    expect(await answer.json()).toEqual([{ swaps: '20', by_trader: '20', transfers: '1', by_wallet: '2' }]);
  });
});
