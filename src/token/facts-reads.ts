import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import type { RowOf } from '../store/clickhouse/schema/table-layout.ts';
import { SWAPS, TOKEN_CREATIONS } from '../store/clickhouse/schema/tables.ts';
import { columnsOf } from '../store/columns.ts';
import { defineRowQuery } from '../store/query.ts';
import type { TokenFacts } from './facts.ts';
import { readHydratedTokens, withLearntDecimals } from './hydrated-reads.ts';
import { readHighs, readMarkets } from './market-reads.ts';
import { readTokenMetadata } from './metadata-reads.ts';

const params = Type.Object({ mint: Type.String(), mark: Type.Integer() });

const creation = defineRowQuery({
  sql: new URL('./token-creation.sql', import.meta.url),
  params,
  layout: TOKEN_CREATIONS,
});

/** Kinds of milestones, as the queries number them. */
const COMPLETED = 1;
const GRADUATED = 2;
const CREATOR_CHANGED = 3;

export const MILESTONE_COLUMNS = {
  kind: 'u8',
  slot: 'u32',
  block_index: 'u32',
  ix_index: 'u16',
  time: 'time',
  address: 'address',
} as const;

type MilestoneRow = RowOf<{ readonly name: string; readonly columns: typeof MILESTONE_COLUMNS }>;

/** A token's milestones as facts. */
export function milestoneFacts(
  rows: readonly MilestoneRow[],
): Pick<TokenFacts, 'completion' | 'graduation' | 'creatorChange'> {
  const milestone = (kind: number) => rows.find((row) => row.kind === kind);
  const graduation = milestone(GRADUATED);
  const change = milestone(CREATOR_CHANGED);
  return {
    completion: milestone(COMPLETED),
    graduation: graduation && { ...graduation, pool: graduation.address },
    creatorChange: change && { ...change, creator: change.address },
  };
}

const milestones = defineRowQuery({
  sql: new URL('./token-milestones.sql', import.meta.url),
  params,
  layout: { name: 'token_milestones', columns: MILESTONE_COLUMNS },
});

const PRICED = 1;

export const LATEST_COLUMNS = columnsOf(
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
  'real_quote_reserves',
  'real_token_reserves',
  'reserves_known',
).columns;

const latest = defineRowQuery({
  sql: new URL('./token-latest.sql', import.meta.url),
  params,
  layout: { name: 'token_latest_swaps', columns: { kind: 'u8', ...LATEST_COLUMNS } },
});

/**
 * Facts of a token: creation, what happened since, newest swaps, highest
 * prices, document. Five reads of a few rows each, one more when the creation was not
 * seen, and one more when none of its swaps prices it.
 */
export async function readTokenFacts(client: StoreClient, mint: Address, mark: number): Promise<TokenFacts> {
  const [creations, news, swaps, highs, documents] = await Promise.all([
    creation(client, { mint, mark }),
    milestones(client, { mint, mark }),
    latest(client, { mint, mark }),
    readHighs(client, [mint]),
    readTokenMetadata(client, [mint]),
  ]);
  const readable = await withLearntDecimals(client, swaps, () => mint);
  const lastSwap = readable.find(({ kind }) => kind !== PRICED);
  const lastPriced = readable.find(({ kind }) => kind === PRICED);
  const unpriced = lastSwap !== undefined && lastPriced === undefined ? [mint] : [];
  const markets = (await readMarkets(client, unpriced)).get(mint);
  const hydrated = creations.length > 0 ? undefined : (await readHydratedTokens(client, [mint])).get(mint);
  const metadata = documents.get(mint);
  return {
    creation: creations[0],
    ...milestoneFacts(news),
    lastSwap,
    lastPriced,
    highs: highs.get(mint) ?? [],
    markets,
    ...(hydrated === undefined ? {} : { hydrated }),
    ...(metadata?.state === 'stored' ? { metadata, image: metadata.image } : {}),
  };
}
