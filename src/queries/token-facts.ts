import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { SWAPS, TOKEN_CREATIONS } from '../store/clickhouse/tables.ts';
import { defineRowQuery } from '../store/query.ts';
import { columnsOf } from './columns.ts';
import type { TokenFacts } from './token-reads.ts';

const params = Type.Object({ mint: Type.String(), mark: Type.Integer() });

const creation = defineRowQuery({
  sql: new URL('./token-creation.sql', import.meta.url),
  params,
  layout: TOKEN_CREATIONS,
});

const COMPLETED = 1;
const GRADUATED = 2;
const CREATOR_CHANGED = 3;

const milestones = defineRowQuery({
  sql: new URL('./token-milestones.sql', import.meta.url),
  params,
  layout: {
    name: 'token_milestones',
    columns: { kind: 'u8', slot: 'u32', block_index: 'u32', ix_index: 'u16', time: 'time', address: 'address' },
  },
});

const PRICED = 1;

const latest = defineRowQuery({
  sql: new URL('./token-latest.sql', import.meta.url),
  params,
  layout: {
    name: 'token_latest_swaps',
    columns: {
      kind: 'u8',
      ...columnsOf(
        SWAPS,
        'slot',
        'block_index',
        'ix_index',
        'time',
        'venue',
        'pool',
        'quote_mint',
        'quote_decimals',
        'token_decimals',
        'price_quote',
        'price_token',
      ).columns,
    },
  },
});

/** What is known of a token: creation, what happened since, newest swaps. Three reads of a few rows each. */
export async function readTokenFacts(client: StoreClient, mint: Address, mark: number): Promise<TokenFacts> {
  const [creations, news, swaps] = await Promise.all([
    creation(client, { mint, mark }),
    milestones(client, { mint, mark }),
    latest(client, { mint, mark }),
  ]);
  const milestone = (kind: number) => news.find((row) => row.kind === kind);
  const graduation = milestone(GRADUATED);
  const change = milestone(CREATOR_CHANGED);
  return {
    creation: creations[0],
    completion: milestone(COMPLETED),
    graduation: graduation && { ...graduation, pool: graduation.address },
    creatorChange: change && { ...change, creator: change.address },
    lastSwap: swaps.find(({ kind }) => kind !== PRICED),
    lastPriced: swaps.find(({ kind }) => kind === PRICED),
  };
}
