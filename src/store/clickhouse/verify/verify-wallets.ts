import { randomInt } from 'node:crypto';
import type { Address } from '../../../chain/address.ts';
import { type PositionState, positionKey } from '../../../facts/average-cost.ts';
import { compareMints, type FoldedMint, foldMints, MAX_HELD_WALLETS } from '../../../facts/fold-mints.ts';
import { walletKey } from '../../../facts/holding.ts';
import type { WalletState } from '../../../facts/wallet-fold.ts';
import { ALL_WALLETS, createWalletShares, type IsOfShare, sharesLeft } from '../../../facts/wallet-share.ts';
import { columnList, readRows, type StoreClient } from '../client.ts';
import { literal, ofMints } from '../read/mint-pages.ts';
import { streamAllMovements, streamMovementsOf } from '../read/movements.ts';
import { streamAllSwaps, streamSwapsOf } from '../read/position-swaps.ts';
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
 * were cut say of themselves that they cannot be proven, and of mints without a swap nothing is folded. Of a mint with
 * more wallets than are held at a time some are compared after the others.
 */
export async function verifyWallets(
  client: StoreClient,
  since: KeptSince,
  isDue: HoldingsDue,
  maxWallets = MAX_HELD_WALLETS,
): Promise<CheckedWallets> {
  const options = { isOfShare: createWalletShares(randomInt(SEEDS)), maxWallets };
  const found = { positions: emptyCheck(), holdings: emptyCheck() };
  const folds = foldMints(streamAllSwaps(client, PAGE_ROWS), streamAllMovements(client), options);
  const rows = openRows(client, 'true');
  const check = { since, isDue, isOfShare: options.isOfShare, found };
  // Their other shares are read behind everything: the server closes an answer that is left standing meanwhile.
  const larger: FoldedMint[] = [];
  let fold = await following(folds);
  for (;;) {
    const mint = firstMint([fold?.mint, await rows.positions.mint(), await rows.holdings.mint()]);
    if (mint === undefined) break;
    const own = fold?.mint === mint ? fold : undefined;
    await compareMint(own ?? nothingOf(mint), rows, check);
    if (own === undefined) continue;
    if (own.share.of > 1) larger.push({ ...own, wallets: new Map() });
    fold = await following(folds);
  }
  for (const { mint, share: first } of larger) {
    const left = [...sharesLeft(ALL_WALLETS, first)];
    for (let share = left.pop(); share !== undefined; share = left.pop()) {
      const part = foldMints(streamSwapsOf(client, [mint]), streamMovementsOf(client, [mint]), { ...options, share });
      const other = (await following(part)) ?? { ...nothingOf(mint), share };
      await part.return(undefined);
      await compareMint(other, openRows(client, ofMints([mint])), check);
      left.push(...sharesLeft(share, other.share));
    }
  }
  return found;
}

const SEEDS = 2 ** 32;

function emptyCheck(): Checked {
  return { checked: 0, mismatches: [] };
}

/** A mint of which there is nothing to be folded. */
function nothingOf(mint: Address): FoldedMint {
  return { mint, share: ALL_WALLETS, wallets: new Map(), isTraded: false };
}

function firstMint(mints: readonly (Address | undefined)[]): Address | undefined {
  return mints.filter((mint) => mint !== undefined).sort(compareMints)[0];
}

async function following<T>(source: AsyncGenerator<T>): Promise<T | undefined> {
  const step = await source.next();
  return step.done === true ? undefined : step.value;
}

interface WalletCheck {
  readonly since: KeptSince;
  readonly isDue: HoldingsDue;
  readonly isOfShare: IsOfShare;
  readonly found: CheckedWallets;
}

/** Compares those wallets of a mint that are folded with their rows, and passes over the rows of the others. */
async function compareMint(fold: FoldedMint, rows: WalletRows, check: WalletCheck): Promise<void> {
  const { mint, share, isTraded, wallets } = fold;
  const { since, isDue, isOfShare, found } = check;
  const isAsked = (wallet: Address) => isOfShare(share, wallet);
  const ofPositions = openPositions(wallets.values(), since.swaps, found.positions);
  for await (const piece of rows.positions.of(mint)) {
    for (const row of piece) if (isAsked(row.trader)) ofPositions.compare(row);
  }
  ofPositions.end();
  const isProven = isTraded && isDue(mint);
  const ofHoldings = openHoldings(isProven ? wallets : NO_WALLETS, since, found.holdings);
  for await (const piece of rows.holdings.of(mint)) {
    for (const row of piece) if (isProven && isAsked(row.wallet)) ofHoldings.compare(row);
  }
  ofHoldings.end();
}

const NO_WALLETS: ReadonlyMap<string, WalletState> = new Map();

/** Compares rows with what the fold gives, one after the other, and in the end notes what has no row. */
interface Comparison<Row> {
  compare(row: Row): void;
  end(): void;
}

function openPositions(wallets: Iterable<WalletState>, since: number, found: Checked): Comparison<PositionRow> {
  const expected = new Map<string, PositionState>();
  for (const { positions } of wallets) for (const state of positions) expected.set(positionKey(state), state);
  return {
    compare(row) {
      found.checked += 1;
      const { mint, trader, quote_mint } = row;
      const key = positionKey({ mint, trader, quoteMint: quote_mint === '' ? undefined : quote_mint });
      const state = expected.get(key);
      expected.delete(key);
      if (row.first_time < since) return;
      const problem = state === undefined ? 'no swap makes this position' : differences(toPositionRow(state), row);
      if (problem !== '') note(found, { table: 'positions', row: { mint, quote_mint, trader }, problem });
    },
    end() {
      for (const { mint, quoteMint, trader } of expected.values()) {
        const row = { mint, quote_mint: quoteMint ?? '', trader };
        note(found, { table: 'positions', row, problem: 'the fold has this position, the table does not' });
      }
    },
  };
}

function openHoldings(
  wallets: ReadonlyMap<string, WalletState>,
  since: KeptSince,
  found: Checked,
): Comparison<HoldingRow> {
  const expected = new Map(wallets);
  const keptSince = Math.max(since.swaps, since.movements);
  return {
    compare(row) {
      found.checked += 1;
      const { mint, wallet } = row;
      const state = expected.get(walletKey(row));
      expected.delete(walletKey(row));
      if (!row.whole || row.first_time < keptSince || isOlder(state, since.swaps)) return;
      const problem =
        state?.holding === undefined ? 'nothing makes this holding' : differences(toHoldingRow(state.holding), row);
      if (problem !== '') note(found, { table: 'holdings', row: { mint, wallet }, problem });
    },
    end() {
      for (const { mint, wallet, holding } of expected.values()) {
        if (holding === undefined || holding.firstTime < keptSince) continue;
        const problem = 'the fold has this holding, the table does not';
        note(found, { table: 'holdings', row: { mint, wallet }, problem });
      }
    },
  };
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

/** Rows that are stored of wallets, a mint after the other. */
interface WalletRows {
  readonly positions: RowCursor<PositionRow>;
  readonly holdings: RowCursor<HoldingRow>;
}

function openRows(client: StoreClient, condition: string): WalletRows {
  const positions = pages(client, POSITIONS, {
    ...{ condition, order: ['mint', 'quote_mint', 'trader'] },
    keyOf: ({ mint, quote_mint, trader }) => [mint, quote_mint, trader],
  });
  const holdings = pages(client, HOLDINGS, {
    ...{ condition, order: ['mint', 'wallet'] },
    keyOf: ({ mint, wallet }) => [mint, wallet],
  });
  return { positions: createRowCursor(positions), holdings: createRowCursor(holdings) };
}

/** Goes through pages of a table by the mints that they are of. */
interface RowCursor<Row> {
  /** Of the next row; undefined at the end. */
  mint(): Promise<Address | undefined>;
  /** The rows of a mint, when it is the next one, in pieces; none otherwise. */
  of(mint: Address): AsyncGenerator<readonly Row[]>;
}

function createRowCursor<Row extends { readonly mint: Address }>(source: AsyncGenerator<Row[]>): RowCursor<Row> {
  let page: readonly Row[] = [];
  let next = 0;

  async function peek(): Promise<Address | undefined> {
    while (next >= page.length) {
      const more = await following(source);
      if (more === undefined) return undefined;
      page = more;
      next = 0;
    }
    return page[next]?.mint;
  }

  return {
    mint: peek,
    async *of(mint) {
      while ((await peek()) === mint) {
        const start = next;
        while (page[next]?.mint === mint) next += 1;
        yield page.slice(start, next);
      }
    },
  };
}

interface PagedRows<T extends TableLayout> {
  readonly condition: string;
  /** Columns of the table's order, and what a row has in them. */
  readonly order: readonly string[];
  readonly keyOf: (row: RowOf<T>) => readonly (Address | '')[];
}

/** Pages of rows of a table that are valid now, in its own order, each behind the last row of the one before. */
async function* pages<const T extends TableLayout>(
  client: StoreClient,
  layout: T,
  { condition, order, keyOf }: PagedRows<T>,
): AsyncGenerator<RowOf<T>[]> {
  const columns = order.join(', ');
  const from = `SELECT ${columnList(layout)} FROM ${layout.name} FINAL WHERE ${condition}`;
  for (let behind = ''; ; ) {
    const query = `${from} ${behind} ORDER BY ${columns} LIMIT ${PAGE_ROWS}`;
    const rows = await readRows(client, layout, query);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    const place = keyOf(last).map(literal);
    // The first column by itself is looked up in the order of the table; a comparison of tuples would not be.
    behind = `AND ${order[0]} >= ${place[0]} AND (${columns}) > (${place.join(', ')})`;
  }
}
