import type { Address } from '../../../chain/address.ts';
import type { HoldingState } from '../../../facts/holding.ts';
import { holdsTokens, type Movement, type MovementKind } from '../../../facts/movements.ts';
import { columnList, type StoreClient, streamRows } from '../client.ts';
import { readWholeSince } from '../retention.ts';
import { fromHoldingRow } from '../schema/holding-rows.ts';
import type { RowOf, TableLayout } from '../schema/table-layout.ts';
import { HOLDINGS } from '../schema/tables.ts';
import { deleteRows, type LeaseHolder } from '../write/writer-fence.ts';
import { literal, literals, QUIET, streamMintPages } from './mint-pages.ts';
import { placeVersion, ROWS_PER_DELETE } from './position-swaps.ts';

/** Tables with movements: what is let go of them cannot be folded again. */
export const MOVE_TABLES = ['transfers', 'burns', 'unexplained_deltas', 'liquidity'] as const;

/** Unix seconds from when on a store has all swaps and movements that it ever had. */
export async function readFoldedSince(client: StoreClient): Promise<number> {
  const wholeSince = await readWholeSince(client);
  return Math.max(...['swaps', ...MOVE_TABLES].map((table) => wholeSince.get(table) ?? 0));
}

/** Both sides of everything that moved tokens outside of trades, one row each. */
export const MOVEMENTS = {
  name: 'movements',
  columns: {
    mint: 'account',
    slot: 'u32',
    block_index: 'u32',
    ix_index: 'u16',
    time: 'time',
    wallet: 'account',
    /** Place in {@link KINDS}. */
    kind: 'u8',
    delta: 'i128',
  },
} as const satisfies TableLayout;

export type MovementRow = RowOf<typeof MOVEMENTS>;

const KINDS: readonly MovementKind[] = [
  ...(['received', 'sent', 'burnt', 'provided', 'withdrawn', 'unexplained', 'handed'] as const),
];

/** Rows of {@link MOVEMENTS} that meet a condition on a mint and its slot. */
export function movementsSelect(where: string): string {
  const side = (table: string, wallet: string, kind: string, delta: string, more = '') =>
    `SELECT mint, slot, block_index, ix_index, time, ${wallet} AS wallet, toUInt8(${kind}) AS kind, ${delta} AS delta
     FROM ${table} WHERE ${where} ${more}`;
  const sides = [
    side('transfers', 'receiver', 'if(hidden, 6, 0)', 'toInt128(amount)'),
    side('transfers', 'sender', 'if(hidden, 6, 1)', '-toInt128(amount)'),
    side('burns', 'owner', '2', '-toInt128(amount)'),
    side(
      'liquidity',
      'user',
      'if(is_deposit, 3, 4)',
      'if(is_deposit, -toInt128(token_amount), toInt128(token_amount))',
    ),
    side('pools', 'creator', '3', '-toInt128(token_amount)', 'AND NOT canonical'),
    side('unexplained_deltas', 'owner', '5', 'toInt128(unexplained_deltas.delta)'),
  ];
  return `SELECT ${columnList(MOVEMENTS)} FROM (${sides.join(' UNION ALL ')})`;
}

export function toMovement(row: MovementRow): Movement {
  return {
    mint: row.mint,
    slot: row.slot,
    blockIndex: row.block_index,
    ixIndex: row.ix_index,
    time: row.time,
    wallet: row.wallet,
    kind: KINDS[row.kind] ?? 'unexplained',
    delta: row.delta,
  };
}

/** Those movements that are folded: protocol actors hold nothing. */
export function isFolded({ wallet, delta }: Movement): boolean {
  return delta !== 0n && holdsTokens(wallet);
}

/** All movements of these mints, as {@link streamMintPages} gives rows. */
export async function* streamMovementsOf(
  client: StoreClient,
  mints: readonly Address[],
  pageRows?: number,
): AsyncGenerator<Movement[]> {
  const order = 'mint, slot, block_index';
  const pages = { layout: MOVEMENTS, select: movementsSelect, order, convert: toMovement };
  const given = pageRows === undefined ? pages : { ...pages, pageRows };
  for await (const piece of streamMintPages(client, mints, given)) yield piece.filter(isFolded);
}

/** All movements of the mints that were ever traded, in the same order. */
export async function* streamAllMovements(client: StoreClient): AsyncGenerator<Movement[]> {
  const query = `${movementsSelect('mint IN (SELECT mint FROM market_latest)')} ORDER BY mint, slot, block_index ${SPILLING}`;
  for await (const rows of streamRows(client, MOVEMENTS, query)) yield rows.map(toMovement).filter(isFolded);
}

/** A sort of all rows of several tables goes to the disk beyond so many bytes. */
const SPILLING = 'SETTINGS max_threads = 1, max_bytes_before_external_sort = 200000000';

/** The stored holdings of these mints, in pieces of any size and in any order. */
export async function* streamHoldingsOf(
  client: StoreClient,
  mints: readonly Address[],
): AsyncGenerator<HoldingState[]> {
  const query = `SELECT ${columnList(HOLDINGS)} FROM holdings FINAL WHERE mint IN (${literals(mints)}) ${QUIET}`;
  for await (const rows of streamRows(client, HOLDINGS, query)) yield rows.map(fromHoldingRow);
}

/** Deletes rows of holdings by their very place, as with positions. */
export async function deleteHoldings(
  client: StoreClient,
  states: readonly HoldingState[],
  holder: LeaseHolder | undefined,
): Promise<void> {
  const rows = states.map(({ mint, wallet, ...place }) => {
    return `(${literal(mint)}, ${literal(wallet)}, ${placeVersion(place)})`;
  });
  for (let start = 0; start < rows.length; start += ROWS_PER_DELETE) {
    const list = rows.slice(start, start + ROWS_PER_DELETE).join(', ');
    await deleteRows(client, 'holdings', `(mint, wallet, version) IN (${list})`, holder);
  }
}
