import type { Address } from '../../../chain/address.ts';
import { addressBytes } from '../../../chain/keys/address-table.ts';
import { positionKey } from '../../../facts/average-cost.ts';
import { compareMints, foldMints } from '../../../facts/fold-mints.ts';
import { walletKey } from '../../../facts/holding.ts';
import type { WalletState } from '../../../facts/wallet-fold.ts';
import { columnList, readRows, type StoreClient } from '../client.ts';
import { streamAllMovements } from '../read/movements.ts';
import { POSITION_SWAPS, toPositionSwap } from '../read/position-swaps.ts';
import { toHoldingRow } from '../schema/holding-rows.ts';
import { toPositionRow } from '../schema/position-rows.ts';
import type { RowOf, TableLayout } from '../schema/table-layout.ts';
import { HOLDINGS, type HoldingRow, POSITIONS, type PositionRow } from '../schema/tables.ts';
import { MAX_MISMATCHES, type Mismatch } from './verify-report.ts';

/** Rows read at a time. */
const PAGE_ROWS = 50_000;

export interface CheckedWallets {
  readonly positions: Checked;
  readonly holdings: Checked;
}

interface Checked {
  checked: number;
  readonly mismatches: Mismatch[];
}

/** Unix seconds from when on all swaps, and all swaps and movements, are there. */
export interface KeptSince {
  readonly swaps: number;
  readonly movements: number;
}

/** Says of which mints the holdings are to be right: not of those that are still to be folded again. */
export type HoldingsDue = (mint: Address) => boolean;

/**
 * Folds the swaps and the movements of one mint after the other, in order, and compares with what is stored of its
 * wallets: the positions and the holdings that began after everything that they are made of is there. Holdings that
 * were cut say of themselves that they cannot be proven, and of mints without a swap nothing is folded.
 */
export async function verifyWallets(
  client: StoreClient,
  since: KeptSince,
  isDue: HoldingsDue,
): Promise<CheckedWallets> {
  const swaps = pages(client, POSITION_SWAPS, 'swaps', ['mint', 'slot', 'block_index', 'ix_index']);
  const folds = foldMints(slotsWhole(swaps, toPositionSwap), streamAllMovements(client));
  const positions = groupMints(pages(client, POSITIONS, 'positions FINAL', ['mint', 'quote_mint', 'trader']));
  const holdings = groupMints(pages(client, HOLDINGS, 'holdings FINAL', ['mint', 'wallet']));
  const found = { positions: emptyCheck(), holdings: emptyCheck() };
  const next = {
    fold: await following(folds),
    positions: await following(positions),
    holdings: await following(holdings),
  };
  while (next.fold !== undefined || next.positions !== undefined || next.holdings !== undefined) {
    const mint = firstMint([next.fold?.mint, next.positions?.[0]?.mint, next.holdings?.[0]?.mint]);
    const fold = next.fold?.mint === mint ? next.fold : undefined;
    const wallets = [...(fold?.wallets.values() ?? [])];
    const ofPositions = (next.positions?.[0]?.mint === mint ? next.positions : undefined) ?? [];
    const ofHoldings = (next.holdings?.[0]?.mint === mint ? next.holdings : undefined) ?? [];
    comparePositions(wallets, ofPositions, since.swaps, found.positions);
    if (fold !== undefined) {
      if (fold.isTraded && isDue(fold.mint)) compareHoldings(wallets, ofHoldings, since, found.holdings);
      next.fold = await following(folds);
    }
    if (ofPositions.length > 0) next.positions = await following(positions);
    if (ofHoldings.length > 0) next.holdings = await following(holdings);
  }
  return found;
}

function emptyCheck(): Checked {
  return { checked: 0, mismatches: [] };
}

function firstMint(mints: readonly (Address | undefined)[]): Address | undefined {
  return mints.filter((mint) => mint !== undefined).sort(compareMints)[0];
}

async function following<T>(source: AsyncGenerator<T>): Promise<T | undefined> {
  const step = await source.next();
  return step.done === true ? undefined : step.value;
}

/** Pieces that end with a slot: the last one of a page waits for the next page. */
async function* slotsWhole<Row, T extends { readonly mint: Address; readonly slot: number }>(
  source: AsyncIterable<readonly Row[]>,
  convert: (row: Row) => T,
): AsyncGenerator<T[]> {
  let left: T[] = [];
  for await (const page of source) {
    const rows = [...left, ...page.map(convert)];
    const last = rows.at(-1);
    const end = rows.findLastIndex(({ mint, slot }) => mint !== last?.mint || slot !== last.slot) + 1;
    if (end > 0) yield rows.slice(0, end);
    left = rows.slice(end);
  }
  if (left.length > 0) yield left;
}

/** Regroups pages into the rows of one mint after the other. */
async function* groupMints<Row extends { readonly mint: Address }>(
  source: AsyncIterable<Row[]>,
): AsyncGenerator<Row[]> {
  let group: Row[] = [];
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

function comparePositions(
  wallets: readonly WalletState[],
  rows: readonly PositionRow[],
  since: number,
  found: Checked,
): void {
  const states = wallets.flatMap(({ positions }) => positions);
  const expected = new Map(states.map((state) => [positionKey(state), state]));
  for (const row of rows) {
    found.checked += 1;
    const { mint, trader, quote_mint } = row;
    const key = positionKey({ mint, trader, quoteMint: quote_mint === '' ? undefined : quote_mint });
    const state = expected.get(key);
    expected.delete(key);
    if (row.first_time < since) continue;
    const problem = state === undefined ? 'no swap makes this position' : differences(toPositionRow(state), row);
    if (problem !== '') note(found, { table: 'positions', row: { mint, quote_mint, trader }, problem });
  }
  for (const { mint, quoteMint, trader } of expected.values()) {
    const row = { mint, quote_mint: quoteMint ?? '', trader };
    note(found, { table: 'positions', row, problem: 'the fold has this position, the table does not' });
  }
}

function compareHoldings(
  wallets: readonly WalletState[],
  rows: readonly HoldingRow[],
  since: KeptSince,
  found: Checked,
): void {
  const expected = new Map(wallets.map((state) => [walletKey(state), state]));
  const keptSince = Math.max(since.swaps, since.movements);
  for (const row of rows) {
    found.checked += 1;
    const { mint, wallet } = row;
    const state = expected.get(walletKey(row));
    expected.delete(walletKey(row));
    if (!row.whole || row.first_time < keptSince || isOlder(state, since.swaps)) continue;
    const problem =
      state?.holding === undefined ? 'nothing makes this holding' : differences(toHoldingRow(state.holding), row);
    if (problem !== '') note(found, { table: 'holdings', row: { mint, wallet }, problem });
  }
  for (const { mint, wallet, holding } of expected.values()) {
    if (holding === undefined || holding.firstTime < keptSince) continue;
    note(found, { table: 'holdings', row: { mint, wallet }, problem: 'the fold has this holding, the table does not' });
  }
}

/** True of a wallet some of whose swaps may have been let go. */
function isOlder(state: WalletState | undefined, since: number): boolean {
  return state?.positions.some(({ firstTime }) => firstTime < since) === true;
}

function note(found: Checked, mismatch: Mismatch): void {
  if (found.mismatches.length < MAX_MISMATCHES) found.mismatches.push(mismatch);
}

function differences<Row extends object>(expected: Row, row: Row): string {
  const found = new Map<string, unknown>(Object.entries(row));
  return Object.entries(expected)
    .filter(([column, value]) => found.get(column) !== value)
    .map(([column, value]) => `${column} is ${found.get(column)}, the fold gives ${value}`)
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
        : // The first column by itself is looked up in the order of the table; a comparison of tuples would not be.
          `WHERE ${order[0]} >= ${literal(last, layout, order[0]!)} AND (${order.join(', ')}) > (${order.map((name) => literal(last, layout, name)).join(', ')})`;
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

function keyBytes(key: Address | ''): Uint8Array {
  return key === '' ? new Uint8Array(32) : addressBytes(key);
}
