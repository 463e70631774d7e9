import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { HYDRATED_POOLS } from '../../store/clickhouse/schema/background-tables.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { LIQUIDITY, POOLS } from '../../store/clickhouse/schema/tables.ts';
import { columnsOf } from '../../store/columns.ts';
import { defineRowQuery } from '../../store/query.ts';
import type { MarketRow } from '../../token/facts.ts';
import { readMarkets } from '../../token/market-reads.ts';
import { newestSlotOf, type SettledDeps, untilCommitted } from '../../token/settled.ts';

/** Anybody can make pools of a token: no more of them are told of. */
export const MAX_POOLS = 100;
/** Deposits and withdrawals looked through for those behind a pool's newest swap. */
const MAX_LIQUIDITY = 1_000;

const params = Type.Object({ mint: Type.String(), mark: Type.Integer(), limit: Type.Integer() });

const madeLayout = columnsOf(
  POOLS,
  'pool',
  'slot',
  'block_index',
  'ix_index',
  'time',
  'partial',
  'quote_mint',
  'inverted',
  'canonical',
  'creator',
  'quote_decimals',
  'token_amount',
  'quote_amount',
);

const made = defineRowQuery({
  sql: new URL('./mint-pools-made.sql', import.meta.url),
  params,
  layout: madeLayout,
});

const liquidityLayout = columnsOf(
  LIQUIDITY,
  'pool',
  'slot',
  'block_index',
  'ix_index',
  'time',
  'is_deposit',
  'token_amount',
  'quote_amount',
);

const liquidity = defineRowQuery({
  sql: new URL('./mint-liquidity.sql', import.meta.url),
  params,
  layout: liquidityLayout,
});

const accountLayout = columnsOf(HYDRATED_POOLS, 'pool', 'quote_mint', 'inverted', 'canonical', 'creator');

const hydrated = defineRowQuery({
  sql: new URL('./hydrated-pools.sql', import.meta.url),
  params: Type.Object({ pools: Type.Array(Type.String()) }),
  layout: accountLayout,
});

export type PoolMadeRow = RowOf<typeof madeLayout>;
export type PoolLiquidityRow = RowOf<typeof liquidityLayout>;
export type PoolAccountRow = RowOf<typeof accountLayout>;

/** Everything that is known of a mint's pools. */
export interface PoolFacts {
  /** Newest swap of each market, the curve among them, those that traded last first. */
  readonly markets: readonly MarketRow[];
  /** Newest first. */
  readonly made: readonly PoolMadeRow[];
  /** Newest first. */
  readonly liquidity: readonly PoolLiquidityRow[];
  /** Facts out of the accounts of pools that traded and were not seen made. */
  readonly accounts: readonly PoolAccountRow[];
  /** They tell of everything up to this slot, and of nothing beyond it. */
  readonly slot: number;
}

/** Pools of a mint that were seen made, that traded, or that accounts told of: four bounded reads. */
export async function readPoolsOfMint(client: StoreClient, mint: Address, settled: SettledDeps): Promise<PoolFacts> {
  const mark = settled.feed.committedSlot;
  // One more for the curve.
  const markets = (await readMarkets(client, [mint], MAX_POOLS + 1)).get(mint) ?? [];
  // The markets' newest swaps are those of now: what is put in and taken out is counted on from there.
  const slot = newestSlotOf(markets, mark);
  await untilCommitted(slot, settled);
  const [pools, changes] = await Promise.all([
    made(client, { mint, mark: slot, limit: MAX_POOLS }),
    liquidity(client, { mint, mark: slot, limit: MAX_LIQUIDITY }),
  ]);
  const seen = new Set(pools.map(({ pool }) => pool));
  const strange = markets.flatMap(({ pool }) => (pool === '' || seen.has(pool) ? [] : [pool]));
  const accounts = strange.length === 0 ? [] : await hydrated(client, { pools: strange });
  return { markets, made: pools, liquidity: changes, accounts, slot };
}
