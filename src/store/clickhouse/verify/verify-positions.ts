import type { Address } from '../../../chain/address.ts';
import { addressBytes } from '../../../chain/keys/address-table.ts';
import { foldPositions, type PositionState, positionKey } from '../../../facts/average-cost.ts';
import { columnList, readRows, type StoreClient } from '../client.ts';
import { POSITION_SWAPS, type PositionSwapRow, toPositionSwap } from '../read/position-swaps.ts';
import { toPositionRow } from '../schema/position-rows.ts';
import type { RowOf, TableLayout } from '../schema/table-layout.ts';
import { POSITIONS, type PositionRow } from '../schema/tables.ts';
import type { Mismatch, VerifyReport } from './verify-report.ts';

/** Rows read at a time. */
const PAGE_ROWS = 50_000;
const MAX_MISMATCHES = 20;

type Checked = { readonly checked: number; readonly mismatches: VerifyReport['mismatches'] };

interface Folded {
  readonly mint: Address | '';
  readonly positions: Map<string, PositionState>;
}

/**
 * Folds the swaps of one mint after the other, in order, and compares with the
 * mint's stored positions: those that began after `since`, Unix seconds, from
 * when on all swaps are there.
 */
export async function verifyPositions(client: StoreClient, since = 0): Promise<Checked> {
  const folds = foldMints(pages(client, POSITION_SWAPS, 'swaps', ['mint', 'slot', 'block_index', 'ix_index']));
  const stored = groupMints(pages(client, POSITIONS, 'positions FINAL', ['mint', 'quote_mint', 'trader']));
  const mismatches: Mismatch[] = [];
  let checked = 0;
  let left: Folded | undefined = await following(folds);
  let right: PositionRow[] | undefined = await following(stored);
  while (left !== undefined || right !== undefined) {
    const order = compareMints(left?.mint, right?.[0]?.mint);
    const expected = order <= 0 ? left?.positions : undefined;
    const rows = order >= 0 ? right : undefined;
    checked += rows?.length ?? 0;
    if (mismatches.length < MAX_MISMATCHES) mismatches.push(...compareMint(expected ?? new Map(), rows ?? [], since));
    if (order <= 0) left = await following(folds);
    if (order >= 0) right = await following(stored);
  }
  return { checked, mismatches: mismatches.slice(0, MAX_MISMATCHES) };
}

async function following<T>(source: AsyncGenerator<T>): Promise<T | undefined> {
  const step = await source.next();
  return step.done === true ? undefined : step.value;
}

/** Folds as it reads: a mint's positions are held, its swaps are not. */
async function* foldMints(source: AsyncIterable<PositionSwapRow[]>): AsyncGenerator<Folded> {
  let current: Folded | undefined;
  for await (const page of source) {
    for (const row of page) {
      if (current?.mint !== row.mint) {
        if (current !== undefined) yield current;
        current = { mint: row.mint, positions: new Map() };
      }
      foldPositions(current.positions, [toPositionSwap(row)]);
    }
  }
  if (current !== undefined) yield current;
}

/** Regroups pages into the positions of one mint after the other. */
async function* groupMints(source: AsyncIterable<PositionRow[]>): AsyncGenerator<PositionRow[]> {
  let group: PositionRow[] = [];
  for await (const page of source) {
    for (const row of page) {
      if (group.length > 0 && group[0]!.mint !== row.mint) {
        yield group;
        group = [];
      }
      group.push(row);
    }
  }
  if (group.length > 0) yield group;
}

function compareMint(expected: Map<string, PositionState>, rows: readonly PositionRow[], since: number): Mismatch[] {
  const mismatches: Mismatch[] = [];
  for (const row of rows) {
    const { mint, trader, quote_mint } = row;
    const key = positionKey({
      mint: mint as Address,
      trader: trader as Address,
      quoteMint: quote_mint === '' ? undefined : quote_mint,
    });
    const state = expected.get(key);
    expected.delete(key);
    if (row.first_time < since) continue;
    const problem = state === undefined ? 'no swap makes this position' : differences(toPositionRow(state), row);
    if (problem !== '') mismatches.push({ table: 'positions', row: { mint, quote_mint, trader }, problem });
  }
  for (const { mint, quoteMint, trader } of expected.values()) {
    const row = { mint, quote_mint: quoteMint ?? '', trader };
    mismatches.push({ table: 'positions', row, problem: 'the fold has this position, the table does not' });
  }
  return mismatches;
}

function differences(expected: PositionRow, found: PositionRow): string {
  return Object.entries(expected)
    .filter(([column, value]) => found[column as keyof PositionRow] !== value)
    .map(([column, value]) => `${column} is ${found[column as keyof PositionRow]}, the fold gives ${value}`)
    .join('; ');
}

/** Pages of a table in its own order, each behind the last row of the one before. */
async function* pages<const T extends TableLayout>(
  client: StoreClient,
  layout: T,
  from: string,
  order: readonly string[],
): AsyncGenerator<RowOf<T>[]> {
  let last: RowOf<T> | undefined;
  for (;;) {
    const behind =
      last === undefined
        ? ''
        : `WHERE (${order.join(', ')}) > (${order.map((name) => literal(last, layout, name)).join(', ')})`;
    const rows = await readRows(
      client,
      layout,
      `SELECT ${columnList(layout)} FROM ${from} ${behind} ORDER BY ${order.join(', ')} LIMIT ${PAGE_ROWS}`,
    );
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_ROWS) return;
    last = rows.at(-1);
  }
}

function literal(row: Readonly<Record<string, unknown>> | undefined, layout: TableLayout, name: string): string {
  const value = row?.[name];
  const type = layout.columns[name];
  if (type !== 'account' && type !== 'address') return String(value);
  return `toFixedString(unhex('${Buffer.from(keyBytes(value as Address | '')).toString('hex')}'), 32)`;
}

/** The store's order, that of bytes. A side that has ended is behind everything. */
function compareMints(a: Address | '' | undefined, b: Address | '' | undefined): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return Buffer.compare(keyBytes(a), keyBytes(b));
}

function keyBytes(key: Address | ''): Uint8Array {
  return key === '' ? new Uint8Array(32) : addressBytes(key);
}
