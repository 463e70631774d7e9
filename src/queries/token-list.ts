import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { defineRowQuery } from '../store/query.ts';
import type { ListPlace, ListWindow } from './market-reads.ts';

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

const placeLayout = {
  name: 'tokens_by_creation',
  columns: { slot: 'u32', block_index: 'u32', ix_index: 'u16', mint: 'address' },
} as const;

const newest = defineRowQuery({
  sql: new URL('./tokens-newest.sql', import.meta.url),
  params: byCreation,
  layout: placeLayout,
});

const ofCreator = defineRowQuery({
  sql: new URL('./tokens-of-creator.sql', import.meta.url),
  params: Type.Object({ ...byCreation.properties, creator: Type.String() }),
  layout: placeLayout,
});

const lastTraded = defineRowQuery({
  sql: new URL('./tokens-last-traded.sql', import.meta.url),
  params: Type.Object({ ...filters, at: Type.String(), any_birth: Type.Boolean(), creator: Type.String() }),
  layout: { name: 'tokens_last_traded', columns: { at: 'u64', mint: 'address' } },
});

const MAX_TIME = 2 ** 32 - 1;
const NO_PLACE = { slot: 0, block_index: 0, ix_index: 0, mint: '' };

/** Mints of a page, in its order. */
export async function readListMints(
  client: StoreClient,
  mark: number,
  window: ListWindow,
): Promise<readonly ListPlace[]> {
  const { sort, graduated, creator, cursor, limit } = window;
  const { slot, block_index, ix_index, mint } = cursor ?? NO_PLACE;
  const filter = {
    unbounded: cursor === undefined,
    mint,
    any_status: graduated === undefined,
    graduated: graduated ?? false,
    from: Math.max(0, window.from ?? 0),
    to: Math.min(MAX_TIME, window.to ?? MAX_TIME),
    limit,
  };
  if (sort === 'newest') {
    const params = { ...filter, mark, slot, block_index, ix_index };
    const rows = creator === undefined ? await newest(client, params) : await ofCreator(client, { ...params, creator });
    return rows.map((row) => ({ ...row, mint: row.mint as Address }));
  }
  const anyBirth = creator === undefined && window.from === undefined && window.to === undefined;
  const at = packPlace({ slot, block_index, ix_index });
  const params = { ...filter, at: at.toString(), any_birth: anyBirth, creator: creator ?? '' };
  const rows = await lastTraded(client, params);
  return rows.map((row) => ({ mint: row.mint as Address, ...unpackPlace(row.at) }));
}

/** Rollups keep a position in one number: 32 bits of slot, 18 of block index, 14 of instruction index. */
const SLOT_SHIFT = 32n;
const BLOCK_SHIFT = 14n;
const BLOCK_MASK = (1n << (SLOT_SHIFT - BLOCK_SHIFT)) - 1n;
const IX_MASK = (1n << BLOCK_SHIFT) - 1n;

function packPlace({ slot, block_index, ix_index }: Omit<ListPlace, 'mint'>): bigint {
  return (BigInt(slot) << SLOT_SHIFT) + (BigInt(block_index) << BLOCK_SHIFT) + BigInt(ix_index);
}

function unpackPlace(at: bigint): Omit<ListPlace, 'mint'> {
  return {
    slot: Number(at >> SLOT_SHIFT),
    block_index: Number((at >> BLOCK_SHIFT) & BLOCK_MASK),
    ix_index: Number(at & IX_MASK),
  };
}
