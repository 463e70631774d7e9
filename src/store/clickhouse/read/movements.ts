import type { Address } from '../../../chain/address.ts';
import type { HoldingState } from '../../../facts/holding.ts';
import { holdsTokens, type Movement, type MovementKind } from '../../../facts/movements.ts';
import { columnList, readRows, type StoreClient, streamRows } from '../client.ts';
import { readWholeSince } from '../retention.ts';
import { fromHoldingRow } from '../schema/holding-rows.ts';
import type { RowOf, TableLayout } from '../schema/table-layout.ts';
import { HOLDINGS } from '../schema/tables.ts';
import { deleteRows, type LeaseHolder } from '../write/writer-fence.ts';
import { literal, literals, ofMints, ofPrefixes, PAGE_ROWS, PREFIXES, QUIET, streamMintPages } from './mint-pages.ts';
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

/**
 * Rows of {@link MOVEMENTS} that meet a condition on a mint and its slot. Where the first so many in order are enough, no
 * table gives more: it reads them in the order that it has.
 */
export function movementsSelect(where: string, limit?: number): string {
  const first = limit === undefined ? '' : `ORDER BY mint, slot, block_index LIMIT ${limit}`;
  const side = (table: string, wallet: string, kind: string, delta: string, more = '') =>
    `SELECT mint, slot, block_index, ix_index, time, ${wallet} AS wallet, toUInt8(${kind}) AS kind, ${delta} AS delta
     FROM ${table} WHERE ${where} ${more} ${first}`;
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
  return `SELECT ${columnList(MOVEMENTS)} FROM (${sides.map((each) => `(${each})`).join(' UNION ALL ')})`;
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
export function streamMovementsOf(
  client: StoreClient,
  mints: readonly Address[],
  pageRows?: number,
): AsyncGenerator<Movement[]> {
  return streamFolded(client, ofMints(mints), pageRows ?? PAGE_ROWS);
}

/** Rows of one answer about all mints: some 6 MB. */
const ALL_PAGE_ROWS = 50_000;
/** Traded mints that an answer looks its rows up in: the server has a set of them in memory, some 50 MB. */
const MINTS_AT_ONCE = 500_000;
/** All movements of the mints that were ever traded, in the same order: no answer grows with the store. */
export async function* streamAllMovements(
  client: StoreClient,
  { pageRows = ALL_PAGE_ROWS, mintsAtOnce = MINTS_AT_ONCE } = {},
): AsyncGenerator<Movement[]> {
  const [traded] = await readRows(client, COUNT, 'SELECT uniq(mint) AS n FROM market_latest');
  const ranges = Math.min(PREFIXES, Math.max(1, Math.ceil(Number(traded?.n ?? 0n) / mintsAtOnce)));
  for (let range = 0; range < ranges; range += 1) {
    const boundAt = (place: number) => Math.floor((place * PREFIXES) / ranges);
    const within = ofPrefixes(boundAt(range), boundAt(range + 1));
    const condition = `${within} AND mint IN (SELECT mint FROM market_latest WHERE ${within})`;
    yield* streamFolded(client, condition, pageRows);
  }
}

async function* streamFolded(client: StoreClient, condition: string, pageRows: number): AsyncGenerator<Movement[]> {
  const order = 'mint, slot, block_index';
  const pages = { layout: MOVEMENTS, select: movementsSelect, order, convert: toMovement, pageRows };
  for await (const piece of streamMintPages(client, condition, pages)) yield piece.filter(isFolded);
}

const COUNT = { name: 'counts', columns: { n: 'u64' } } as const satisfies TableLayout;

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
