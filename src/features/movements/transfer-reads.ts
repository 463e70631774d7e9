import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import { NEWEST_PLACE } from '../../contract/transfer-cursor.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { TRANSFERS, type TransferRow } from '../../store/clickhouse/schema/tables.ts';
import { columnsOf } from '../../store/columns.ts';
import { defineRowQuery } from '../../store/query.ts';

/** Rows of a wallet that may share one position: far more than sends of one transaction, which do not. */
const SHARED_PLACES = 64;

/** Rows strictly before this position are read. */
export interface TransferBound {
  readonly slot: number;
  readonly block_index: number;
  readonly ix_index: number;
}

const bound = { slot: Type.Integer(), block_index: Type.Integer(), ix_index: Type.Integer() };

const ofMint = defineRowQuery({
  sql: new URL('./transfers-of-mint.sql', import.meta.url),
  params: Type.Object({
    mint: Type.String(),
    mark: Type.Integer(),
    hidden: Type.Boolean(),
    ...bound,
    limit: Type.Integer(),
  }),
  layout: TRANSFERS,
});

const PLACES = columnsOf(TRANSFERS, 'slot', 'block_index', 'ix_index', 'mint', 'time');

/** Place of a transfer of a wallet: no two of its transfers share one. */
export type TransferPlace = RowOf<typeof PLACES>;

const ofWallet = defineRowQuery({
  sql: new URL('./transfers-of-wallet.sql', import.meta.url),
  params: Type.Object({
    wallet: Type.String(),
    mark: Type.Integer(),
    sent: Type.Boolean(),
    received: Type.Boolean(),
    ...bound,
    mint: Type.String(),
    limit: Type.Integer(),
    read: Type.Integer(),
  }),
  layout: PLACES,
});

const byPlace = defineRowQuery({
  sql: new URL('./transfers-by-place.sql', import.meta.url),
  params: Type.Object({
    wallet: Type.String(),
    mints: Type.Array(Type.String()),
    slots: Type.Array(Type.Integer()),
    block_indexes: Type.Array(Type.Integer()),
    ix_indexes: Type.Array(Type.Integer()),
    limit: Type.Integer(),
  }),
  layout: TRANSFERS,
});

const known = defineRowQuery({
  sql: new URL('./wallet-known.sql', import.meta.url),
  params: Type.Object({ wallet: Type.String(), mark: Type.Integer() }),
  layout: { name: 'wallet_known', columns: { known: 'u8' } },
});

/** True when a mint is known to have been sent, if only inside a transaction of a venue. */
export async function wasEverSent(client: StoreClient, mint: Address, mark: number): Promise<boolean> {
  const { slot, blockIndex: block_index, ixIndex: ix_index } = NEWEST_PLACE;
  const rows = await ofMint(client, { mint, mark, hidden: true, slot, block_index, ix_index, limit: 1 });
  return rows.length > 0;
}

/** A mint's transfers before a position, newest first, without hidden ones. */
export function readMintTransfers(
  client: StoreClient,
  mint: Address,
  mark: number,
  before: TransferBound,
  limit: number,
): Promise<TransferRow[]> {
  const { slot, block_index, ix_index } = before;
  return ofMint(client, { mint, mark, hidden: false, slot, block_index, ix_index, limit });
}

export interface WalletTransfers {
  readonly wallet: Address;
  readonly sent: boolean;
  readonly received: boolean;
  readonly before: TransferBound & { readonly mint: Address | '' };
  readonly limit: number;
}

/** Places of a wallet's transfers before a place, newest first, without hidden ones. */
export function readWalletTransferPlaces(
  client: StoreClient,
  { wallet, sent, received, before, limit }: WalletTransfers,
  mark: number,
): Promise<TransferPlace[]> {
  const { slot, block_index, ix_index, mint } = before;
  const place = { slot, block_index, ix_index, mint };
  return ofWallet(client, { wallet, mark, sent, received, ...place, limit, read: 2 * limit + SHARED_PLACES });
}

/** The wallet's transfers at places, in their order. One whose row is not kept any more is left out. */
export async function readTransfersAt(
  client: StoreClient,
  wallet: Address,
  places: readonly TransferPlace[],
): Promise<TransferRow[]> {
  if (places.length === 0) return [];
  const rows = await byPlace(client, {
    wallet,
    mints: places.map(({ mint }) => mint),
    slots: places.map(({ slot }) => slot),
    block_indexes: places.map(({ block_index }) => block_index),
    ix_indexes: places.map(({ ix_index }) => ix_index),
    limit: places.length,
  });
  const found = new Map(rows.map((row) => [placeName(row), row]));
  return places.flatMap((place) => found.get(placeName(place)) ?? []);
}

function placeName({ mint, slot, block_index, ix_index }: TransferPlace): string {
  return `${slot} ${block_index} ${ix_index} ${mint}`;
}

/** True when the wallet is known at slot `mark` to have moved, traded or got anything. */
export async function isKnownWallet(client: StoreClient, wallet: Address, mark: number): Promise<boolean> {
  return (await known(client, { wallet, mark })).length > 0;
}
