import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../../store/query.ts';

const filters = {
  unbounded: Type.Boolean(),
  mint: Type.String(),
  any_status: Type.Boolean(),
  graduated: Type.Boolean(),
  from: Type.Integer(),
  to: Type.Integer(),
  limit: Type.Integer(),
};

const byCreation = Type.Object({
  ...filters,
  mark: Type.Integer(),
  slot: Type.Integer(),
  block_index: Type.Integer(),
  ix_index: Type.Integer(),
});

/** Rows of the longest read: an order that is kept in memory, or what a filtered page looks at, and one behind it. */
const MOST_PLACES = 20_002;

const placeLayout = {
  name: 'tokens_by_creation',
  columns: { slot: 'u32', block_index: 'u32', ix_index: 'u16', mint: 'account' },
} as const;

const newest = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  maxRows: MOST_PLACES,
  sql: new URL('./tokens-newest.sql', import.meta.url),
  params: byCreation,
  layout: placeLayout,
});

const ofCreator = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  maxRows: MOST_PLACES,
  sql: new URL('./tokens-of-creator.sql', import.meta.url),
  params: Type.Object({ ...byCreation.properties, creator: Type.String() }),
  layout: placeLayout,
});

const lastTraded = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  maxRows: MOST_PLACES,
  sql: new URL('./tokens-last-traded.sql', import.meta.url),
  params: Type.Object({ ...filters, at: Type.String(), any_birth: Type.Boolean(), creator: Type.String() }),
  layout: { name: 'tokens_last_traded', columns: { at: 'u64', mint: 'account' } },
});

/** Bounds and cursors are anybody's, columns are 32 and 16 bits: the store would wrap what is larger. */
const MAX_U32 = 2 ** 32 - 1;
const MAX_U16 = 2 ** 16 - 1;
const NO_PLACE = { slot: 0, block_index: 0, ix_index: 0, mint: '' };

/** Mints of a page, in its order. */
export async function readListMints(
  client: StoreClient,
  mark: number,
  window: ListWindow,
): Promise<readonly ListPlace[]> {
  const { sort, graduated, creator, cursor, limit } = window;
  const { mint, ...place } = cursor ?? NO_PLACE;
  const filter = {
    unbounded: cursor === undefined,
    mint,
    any_status: graduated === undefined,
    graduated: graduated ?? false,
    from: clampTime(window.from ?? 0),
    to: clampTime(window.to ?? MAX_U32),
    limit,
  };
  if (sort === 'newest') {
    const params = { ...filter, ...clampPlace(place), mark };
    const rows = creator === undefined ? await newest(client, params) : await ofCreator(client, { ...params, creator });
    return rows.map((row) => ({ ...row, mint: row.mint as Address }));
  }
  const anyBirth = creator === undefined && window.from === undefined && window.to === undefined;
  const at = packPlace(place);
  const params = { ...filter, at: at.toString(), any_birth: anyBirth, creator: creator ?? '' };
  const rows = await lastTraded(client, params);
  return rows.map((row) => ({ mint: row.mint as Address, ...unpackPlace(row.at) }));
}

function clampPlace({ slot, block_index, ix_index }: Omit<ListPlace, 'mint'>) {
  return {
    slot: Math.min(slot, MAX_U32),
    block_index: Math.min(block_index, MAX_U32),
    ix_index: Math.min(ix_index, MAX_U16),
  };
}

function clampTime(seconds: number): number {
  return Math.min(Math.max(seconds, 0), MAX_U32);
}

/** Rollups keep a position in one number: 32 bits of slot, 18 of block index, 14 of instruction index. */
const SLOT_SHIFT = 32n;
const BLOCK_SHIFT = 14n;
const BLOCK_MASK = (1n << (SLOT_SHIFT - BLOCK_SHIFT)) - 1n;
const IX_MASK = (1n << BLOCK_SHIFT) - 1n;

function packPlace({ slot, block_index, ix_index }: Omit<ListPlace, 'mint'>): bigint {
  const block = Math.min(block_index, Number(BLOCK_MASK));
  const ix = Math.min(ix_index, Number(IX_MASK));
  return (BigInt(Math.min(slot, MAX_U32)) << SLOT_SHIFT) + (BigInt(block) << BLOCK_SHIFT) + BigInt(ix);
}

function unpackPlace(at: bigint): Omit<ListPlace, 'mint'> {
  return {
    slot: Number(at >> SLOT_SHIFT),
    block_index: Number((at >> BLOCK_SHIFT) & BLOCK_MASK),
    ix_index: Number(at & IX_MASK),
  };
}

/** Place of a token in a list: that of its creation, or of its newest swap. */
export interface ListPlace {
  readonly mint: Address;
  readonly slot: number;
  readonly block_index: number;
  readonly ix_index: number;
}

export interface ListWindow {
  readonly sort: 'newest' | 'last_trade';
  /** Undefined = both. */
  readonly graduated: boolean | undefined;
  readonly creator: Address | undefined;
  /** Creation time, Unix seconds, half-open; undefined = open. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly limit: number;
  /** Tokens after it: older, or of the same place with a greater mint. */
  readonly cursor: ListPlace | undefined;
}
