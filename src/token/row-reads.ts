import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import { CURSOR_SLOT_MODULO, type SwapCursor } from '../contract/swap-cursor.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import type { RowOf, TableLayout } from '../store/clickhouse/schema/table-layout.ts';
import {
  ATTEMPTS,
  type AttemptRow,
  SWAPS,
  type SwapRow,
  TRANSFERS,
  type TransferRow,
} from '../store/clickhouse/schema/tables.ts';
import { defineRowQuery, type Query } from '../store/query.ts';
import { withLearntDecimals } from './hydrated-reads.ts';

/** Rows of a token, each kind one bounded read on the table ordered for it. `mark` as in `TokenReads`. */
export interface RowReads {
  /** Rows of one kind in the window's order. */
  swaps(mint: Address, mark: number, window: RowWindow): Promise<readonly SwapRow[]>;
  attempts(mint: Address, mark: number, window: RowWindow): Promise<readonly AttemptRow[]>;
  transfers(mint: Address, mark: number, window: RowWindow): Promise<readonly TransferRow[]>;
}

const params = Type.Object({
  mint: Type.String(),
  mark: Type.Integer(),
  time: Type.Integer(),
  inside: Type.Boolean(),
  slot_modulo: Type.Integer({ minimum: 0, exclusiveMaximum: CURSOR_SLOT_MODULO }),
  block_index: Type.Integer(),
  ix_index: Type.Integer(),
  limit: Type.Integer(),
});

/** Both directions of a table's pages. */
interface PageQuery<T extends TableLayout> {
  readonly before: Query<typeof params, RowOf<T>>;
  readonly after: Query<typeof params, RowOf<T>>;
}

const swaps = pageQuery(SWAPS);
const attempts = pageQuery(ATTEMPTS);
/** What wallets handed each other in a venue's transaction is in no list of sends. */
const transfers = pageQuery(TRANSFERS, 'NOT hidden');

function pageQuery<const T extends TableLayout>(layout: T, kept?: string): PageQuery<T> {
  return {
    before: defineRowQuery({ sql: new URL('./rows-before.sql', import.meta.url), params, layout, kept }),
    after: defineRowQuery({ sql: new URL('./rows-after.sql', import.meta.url), params, layout, kept }),
  };
}

/** Later than any second a row can have. */
const END_OF_TIME = 2 ** 32;

type PageReader<T extends TableLayout> = (
  client: StoreClient,
  mint: Address,
  mark: number,
  window: RowWindow,
) => Promise<RowOf<T>[]>;

const readSwapRows = reader(swaps);

/** A page of one kind of rows, in the window's order. */
export const readSwaps: PageReader<typeof SWAPS> = async (client, mint, mark, window) =>
  withLearntDecimals(client, await readSwapRows(client, mint, mark, window), () => mint);
export const readAttempts: PageReader<typeof ATTEMPTS> = reader(attempts);
export const readTransfers: PageReader<typeof TRANSFERS> = reader(transfers);

function reader<T extends TableLayout>(query: PageQuery<T>): PageReader<T> {
  return (client, mint, mark, window) => {
    const run = window.order === 'desc' ? query.before : query.after;
    return run(client, { mint, mark, limit: window.limit, ...placeOf(window) });
  };
}

/** A cursor as the query takes it: rows beyond the second `time`, and `inside` it beyond a position. */
function placeOf({ order, cursor }: RowWindow) {
  const nowhere = { inside: false, slot_modulo: 0, block_index: 0, ix_index: 0 };
  if (cursor === undefined) return { ...nowhere, time: order === 'desc' ? END_OF_TIME : -1 };
  // A bare second lies before its rows: going forward they belong to the page.
  if (cursor.kind === 'time') return { ...nowhere, time: order === 'desc' ? cursor.time : cursor.time - 1 };
  const { time, slotModulo, blockIndex, ixIndex } = cursor;
  return { inside: true, time, slot_modulo: slotModulo, block_index: blockIndex, ix_index: ixIndex };
}

export interface RowWindow {
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** Rows strictly past it, in the window's order. */
  readonly cursor: SwapCursor | undefined;
}

/** The questions about a token's rows, asked of the store. */
export function createRowReads(client: StoreClient): RowReads {
  return {
    swaps: (...question) => readSwaps(client, ...question),
    attempts: (...question) => readAttempts(client, ...question),
    transfers: (...question) => readTransfers(client, ...question),
  };
}
