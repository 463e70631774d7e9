import type { Address } from '../../../chain/address.ts';
import type { ChainPlace } from '../../../chain/place.ts';
import type { PositionState, PositionSwap } from '../../../facts/average-cost.ts';
import { columnList, type StoreClient, streamRows } from '../client.ts';
import { fromPositionRow } from '../schema/position-rows.ts';
import type { RowOf, TableLayout } from '../schema/table-layout.ts';
import { POSITIONS, SWAPS } from '../schema/tables.ts';
import { deleteRows, type LeaseHolder } from '../write/writer-fence.ts';
import { literal, literals, ofMints, PAGE_ROWS, QUIET, streamMintPages } from './mint-pages.ts';

const { columns: swap } = SWAPS;
/** The part of a swap that positions fold. */
export const POSITION_SWAPS = {
  name: 'swaps',
  columns: {
    mint: swap.mint,
    slot: swap.slot,
    block_index: swap.block_index,
    ix_index: swap.ix_index,
    time: swap.time,
    trader: swap.trader,
    quote_mint: swap.quote_mint,
    is_buy: swap.is_buy,
    quote_amount: swap.quote_amount,
    token_amount: swap.token_amount,
    protocol_actor: swap.protocol_actor,
  },
} as const satisfies TableLayout;

export type PositionSwapRow = RowOf<typeof POSITION_SWAPS>;

export function toPositionSwap(row: PositionSwapRow): PositionSwap {
  return {
    mint: row.mint as Address,
    trader: row.trader as Address,
    quoteMint: row.quote_mint === '' ? undefined : row.quote_mint,
    slot: row.slot,
    blockIndex: row.block_index,
    ixIndex: row.ix_index,
    time: row.time,
    isBuy: row.is_buy,
    quoteAmount: row.quote_amount,
    tokenAmount: row.token_amount,
    protocolActor: row.protocol_actor,
  };
}

/** All swaps of these mints, as {@link streamMintPages} gives rows. */
export function streamSwapsOf(
  client: StoreClient,
  mints: readonly Address[],
  pageRows?: number,
): AsyncGenerator<PositionSwap[]> {
  return streamSwaps(client, ofMints(mints), pageRows);
}

/** All swaps that there are, in the same order. */
export function streamAllSwaps(client: StoreClient, pageRows: number): AsyncGenerator<PositionSwap[]> {
  return streamSwaps(client, 'true', pageRows);
}

function streamSwaps(client: StoreClient, condition: string, pageRows = PAGE_ROWS): AsyncGenerator<PositionSwap[]> {
  const select = (where: string) => `SELECT ${columnList(POSITION_SWAPS)} FROM swaps WHERE ${where}`;
  const order = 'mint, slot, block_index, ix_index';
  return streamMintPages(client, condition, {
    layout: POSITION_SWAPS,
    ...{ select, order, convert: toPositionSwap, pageRows },
  });
}

/** The stored positions of these mints, in pieces of any size and in any order. */
export async function* streamPositionsOf(
  client: StoreClient,
  mints: readonly Address[],
): AsyncGenerator<PositionState[]> {
  const query = `SELECT ${columnList(POSITIONS)} FROM positions FINAL WHERE mint IN (${literals(mints)}) ${QUIET}`;
  for await (const rows of streamRows(client, POSITIONS, query)) yield rows.map(fromPositionRow);
}

/**
 * Deletes rows of positions by their very place in the chain's order: the newest row of a
 * position wins, so one that stands at a place where nothing happened would win for ever.
 */
export async function deletePositions(
  client: StoreClient,
  states: readonly PositionState[],
  holder: LeaseHolder | undefined,
): Promise<void> {
  const rows = states.map(({ mint, quoteMint, trader, ...place }) => {
    return `(${literal(mint)}, ${literal(quoteMint)}, ${literal(trader)}, ${placeVersion(place)})`;
  });
  for (let start = 0; start < rows.length; start += ROWS_PER_DELETE) {
    const list = rows.slice(start, start + ROWS_PER_DELETE).join(', ');
    await deleteRows(client, 'positions', `(mint, quote_mint, trader, version) IN (${list})`, holder);
  }
}

/** A place in the chain's order as the one number by which the newest row of a position or a holding is told. */
export function placeVersion({ slot, blockIndex, ixIndex }: ChainPlace): bigint {
  return (BigInt(slot) << 32n) + (BigInt(blockIndex) << 14n) + BigInt(ixIndex);
}

/** Some 300 bytes each, well below the server's limit for a query's text. */
export const ROWS_PER_DELETE = 500;
