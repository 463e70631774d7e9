import { readJson, type StoreClient } from '../client.ts';
import type { Coverage } from '../coverage.ts';
import { CARD, DERIVED_TABLES, type DerivedTable } from '../derived/derived-tables.ts';
import { inSlots, isFilledSum, lackingSlots, readDueSlots } from '../derived/due-slots.ts';
import { readFillSteps } from '../derived/fill.ts';
import { readSweptSlots } from '../derived/sweep.ts';
import { SWEPT_TABLES, type SweptTable, sweptSelect } from '../derived/swept-tables.ts';
import { readMigratedSince } from '../migrated-since.ts';
import { MOVE_TABLES } from '../read/movements.ts';
import { readWholeSince } from '../retention.ts';
import { FILL_STEPS } from '../schema/codes.ts';
import { FACT_TABLES, type FactTableName } from '../schema/tables.ts';
import { readStale } from '../write/stale-positions.ts';
import { findDoubles } from './verify-doubles.ts';
import { MAX_MISMATCHES, type Mismatch, type VerifyReport } from './verify-report.ts';
import { type HoldingsDue, verifyWallets } from './verify-wallets.ts';

/** Rows of a source that are folded at once: a rollup of them fits into memory. */
const ROWS_PER_SLICE = 500_000;

/**
 * Folds all facts again and compares: positions and holdings with the fold in order, copies and rollups with what their facts give.
 * Memory is bounded by one mint's wallets, by a page of rows and by one slice of a source. Nothing may be writing meanwhile.
 *
 * Of facts that are not kept for ever, only those are compared that surely are all there still, with what was made of
 * them: rows that outlive their facts cannot be proven by them.
 */
export async function verifyStore({ client }: { readonly client: StoreClient }): Promise<VerifyReport> {
  const wholeSince = await readWholeSince(client);
  const since = (table: string) => wholeSince.get(table) ?? 0;
  const keptSince = { swaps: since('swaps'), movements: Math.max(...MOVE_TABLES.map(since)) };
  const { positions, holdings } = await verifyWallets(client, keptSince, await readHoldingsDue(client));
  const checked: Record<string, number> = { positions: positions.checked, holdings: holdings.checked };
  const mismatches: Mismatch[] = [...positions.mismatches, ...holdings.mismatches];
  const swept = await Promise.all(SWEPT_TABLES.map((table) => sweptAsDerived(client, table)));
  const tables: readonly CheckedTable[] = [...DERIVED_TABLES, ...swept];
  const form = await readPriceForm(client);
  for (const table of tables) {
    const from = [table.name, table.source, table.lookedUp ?? table.source];
    const result = await verifyDerived(client, table, { since: Math.max(...from.map(since)), form });
    checked[table.name] = (checked[table.name] ?? 0) + result.checked;
    mismatches.push(...result.mismatches);
  }
  const doubled = await findDoubles(client, MAX_MISMATCHES);
  for (const { table, slot, rows } of doubled.rows) {
    mismatches.push({ table, row: { slot: String(slot) }, problem: `stored twice: ${rows} rows of this slot` });
  }
  return { checked, doubledSlots: doubled.slots, mismatches };
}

/** A store that is older than its holdings folds them mint by mint, and until then has none to prove. */
async function readHoldingsDue(client: StoreClient): Promise<HoldingsDue> {
  const [begun] = await readJson<{ rows: string }>(client, 'SELECT count() AS rows FROM holdings_since');
  const { mints } = await readStale(client);
  const stale = new Set(mints.map(({ mint }) => mint));
  return (mint) => Number(begun?.rows ?? 0) > 0 && !stale.has(mint);
}

/** A swept table is compared as far as its sweep has come: what it has not been through it cannot know. */
async function sweptAsDerived(client: StoreClient, table: SweptTable): Promise<CheckedTable> {
  const select = sweptSelect(table, await readSweptSlots(client, table), 'true');
  return { name: table.name, source: table.source, lookedUp: 'swaps', select };
}

interface CheckedTable extends Pick<DerivedTable, 'name' | 'source' | 'select' | 'columns'> {
  /** Facts that its rows are completed from. */
  readonly lookedUp?: FactTableName;
}

interface TableResult {
  readonly checked: number;
  readonly mismatches: readonly Mismatch[];
}

interface Column {
  readonly name: string;
  readonly type: string;
  /** 1 for a column of the table's order. */
  readonly is_key: number;
}

const isKey = ({ is_key }: Column) => is_key === 1;

/** Rows that are made of facts since a time alone, by table; in all others `time` tells. */
const MADE_SINCE: Readonly<Record<string, (since: string) => string>> = {
  block_minutes: (since) => `minute >= ${since}`,
  tip_minutes: (since) => `minute >= ${since}`,
  mint_minutes: (since) => `minute >= ${since}`,
  venue_minutes: (since) => `minute >= ${since}`,
  fee_minutes: (since) => `minute >= ${since}`,
  tipper_hours: (since) => `hour >= ${since}`,
  mint_hours: (since) => `hour >= ${since}`,
  trader_registers: (since) => `hour >= ${since}`,
  router_minutes: (since) => `minute >= ${since}`,
  router_reverts: (since) => `minute >= ${since}`,
  router_traders: (since) => `hour >= ${since}`,
  tip_quarters: (since) => `quarter >= ${since}`,
  candles: (since) => `bucket >= ${since}`,
  token_latest: (since) => `mint NOT IN (SELECT mint FROM token_latest WHERE tupleElement(first_trade, 2) < ${since})`,
  market_latest: (since) => `mint NOT IN (SELECT mint FROM token_latest WHERE tupleElement(first_trade, 2) < ${since})`,
  token_card: (since) => `mint NOT IN (SELECT mint FROM token_latest WHERE tupleElement(first_trade, 2) < ${since})`,
  mempool_buyers: (since) =>
    `(mint, wallet) NOT IN (SELECT mint, wallet FROM mempool_buyers WHERE mempool_buyers.time < ${since})`,
  positions_by_trader: () => 'true',
};

/** Rows of a version that noted less of them: what they lack cannot be compared. */
const NOTED: Readonly<Record<string, string>> = {
  mempool_buyers:
    '(mint, wallet) NOT IN (SELECT mint, wallet FROM mempool_buyers FINAL WHERE landed AND landed_slot = 0)',
};

function madeSince(table: string, since: number): string {
  const condition = MADE_SINCE[table] ?? ((time: string) => `time >= ${time}`);
  return since === 0 ? 'true' : condition(`toDateTime(${since}, 'UTC')`);
}

/** Rows that a table can have of some facts: those whose columns out of these facts are filled, and of mints that it is filled for. */
async function readPart(client: StoreClient, { name, source, columns = [] }: CheckedTable, all: readonly Column[]) {
  if (isFilledSum(name)) {
    const own = all.filter((column) => columns.includes(column.name));
    return { columns: own, isTold: 'true', isFilled: 'true' };
  }
  // Which positions a wallet has: since when they are there is kept of newer ones alone.
  if (source === 'positions') return { columns: all.filter(isKey), isTold: 'true', isFilled: 'true' };
  if (name !== CARD) return { columns: all, isTold: 'true', isFilled: 'true' };
  const steps = await readFillSteps(client);
  const [first] = all.filter((column) => column.is_key === 0 && columns.includes(column.name));
  return {
    columns: all.filter((column) => columns.includes(column.name)),
    isTold: `tupleElement(${first?.name}, 1) != 0`,
    isFilled: steps < FILL_STEPS ? `reinterpretAsUInt8(substring(mint, 1, 1)) < ${steps}` : 'true',
  };
}

/** The rows that a table is made of, as a SELECT reads them. */
function foldedRows({ source }: CheckedTable, lacking: Coverage): string {
  // Rows of positions are superseded, not added up; both sides are read as what is valid now.
  if (source === 'positions') return '(SELECT trader, mint, quote_mint, first_slot FROM positions FINAL)';
  if (lacking.length === 0) return source;
  // Columns that are computed have to be named.
  const columns = Object.keys(FACT_TABLES.find((facts) => facts.name === source)!.columns).join(', ');
  return `(SELECT ${columns} FROM ${source} WHERE partial OR NOT ${inSlots(lacking)})`;
}

/** What came with flushes and what was filled in stand in rows of their own; those of a step that was cut off do not count. */
function summedUp(table: string, columns: readonly Column[], lacking: Coverage): string {
  const own = columns.map(({ name, type, is_key }) => {
    const [, fold] = /^SimpleAggregateFunction\((\w+),/.exec(type) ?? [];
    return is_key === 1 ? name : `${fold}(${table}.${name}) AS ${name}`;
  });
  const keys = columns.filter(isKey).map(({ name }) => name);
  return `(SELECT ${own.join(', ')} FROM ${table}
    WHERE NOT ${inSlots(lacking, 'filled')} GROUP BY ${keys.join(', ')})`;
}

async function verifyDerived(
  client: StoreClient,
  table: CheckedTable,
  { since, form }: { readonly since: number; readonly form: PriceForm },
): Promise<TableResult> {
  const { name, source, select } = table;
  const allColumns = await readJson<Column>(
    client,
    `SELECT name, type, is_in_sorting_key AS is_key FROM system.columns
     WHERE database = currentDatabase() AND table = '${name}' AND default_kind = '' ORDER BY position`,
  );
  const { columns, isTold, isFilled } = await readPart(client, table, allColumns);
  const [{ rows, folded } = { rows: '0', folded: 0 }] = await readJson<{ rows: string; folded: number }>(
    client,
    `SELECT (SELECT count() FROM ${source}) AS rows, engine != 'MergeTree' AS folded
     FROM system.tables WHERE database = currentDatabase() AND name = '${name}'`,
  );
  // At least one, so that a table is not empty of facts and full of something else.
  const slices = Math.max(1, Math.ceil(Number(rows) / ROWS_PER_SLICE));
  const keys = columns.filter(isKey).map((column) => column.name);
  // A share of their times: transactions are put together before they are told by anything else.
  const sliced = isFilledSum(name) ? keys.slice(0, 1) : keys;
  const names = columns.map((column) => column.name).join(', ');
  const values = columns.map((column) => form(column)).join(', ');
  const lacking = isFilledSum(name) ? lackingSlots(await readDueSlots(client, name)) : [];
  const facts = select.replace('$rows', foldedRows(table, lacking));
  const stored = isFilledSum(name) ? summedUp(name, columns, lacking) : `${name}${folded === 1 ? ' FINAL' : ''}`;
  let checked = 0;
  const mismatches: Mismatch[] = [];
  for (let slice = 0; slice < slices && mismatches.length < MAX_MISMATCHES; slice++) {
    const inSlice = `cityHash64(${sliced.join(', ')}) % ${slices} = ${slice} AND ${isFilled} AND ${madeSince(name, since)} AND ${NOTED[name] ?? 'true'}`;
    const told = `FROM ${stored} WHERE ${inSlice} AND ${isTold}`;
    const both = `
      SELECT ${values}, 1 AS side FROM (${facts}) WHERE ${inSlice}
      UNION ALL
      SELECT ${values}, -1 AS side ${told}`;
    const [total] = await readJson<{ n: string }>(client, `SELECT count() AS n ${told}`);
    checked += Number(total?.n ?? 0);
    const odd = await readJson<Record<string, string>>(
      client,
      `SELECT ${columns.map(readable).join(', ')}, toString(sum(side)) AS difference
       FROM (${both}) GROUP BY ${names} HAVING sum(side) != 0 LIMIT ${MAX_MISMATCHES - mismatches.length}`,
    );
    for (const { difference = '', ...values } of odd) {
      const row = Object.fromEntries(
        Object.entries(values).map(([column, value]) => [column.replace(/_$/, ''), value]),
      );
      const problem =
        Number(difference) > 0 ? 'the facts say so, the table does not' : 'the table says so, the facts do not';
      mismatches.push({ table: name, row, problem });
    }
  }
  return { checked, mismatches };
}

/** How the value of a column is compared. */
type PriceForm = (column: Column) => string;

/**
 * Doubles as they are. In a store that folded prices before they had exact digits the last ones of those differ, so that
 * there the first seven are compared.
 */
async function readPriceForm(client: StoreClient): Promise<PriceForm> {
  const isOlder = (await readMigratedSince(client, EXACT_PRICES)) > 0;
  if (!isOlder) return ({ name }) => name;
  return ({ name, type }) => {
    const value = /^SimpleAggregateFunction\(\w+, (.*)\)$/.exec(type)?.[1] ?? type;
    return value.includes('Float64')
      ? `CAST(${name}, '${value.replaceAll('Float64', 'Float32').replaceAll("'", "''")}') AS ${name}`
      : name;
  };
}

const EXACT_PRICES = '0037_fact_exact_prices';

/** Text of a column, for people; under another name, because the column itself is grouped by. */
function readable({ name, type }: Column): string {
  return type === 'FixedString(32)' ? `base58Encode(toString(${name})) AS ${name}_` : `toString(${name}) AS ${name}_`;
}
