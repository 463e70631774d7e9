import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../../store/query.ts';
import type { TipSum } from '../../token/tip-providers.ts';

const TOP_TOKENS = 10;

const sinceHour = Type.Object({ hour: Type.Integer() });

const counts = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./stats-counts.sql', import.meta.url),
  params: Type.Object({
    mark: Type.Integer(),
    minute: Type.Integer(),
    five_minutes: Type.Integer(),
    hour: Type.Integer(),
  }),
  layout: {
    name: 'stats_counts',
    columns: {
      tokens: 'u64',
      graduated: 'u64',
      other_quotes: 'u64',
      swaps: 'u64',
      tips: 'u64',
      swaps_minute: 'u64',
      swaps_five_minutes: 'u64',
      swaps_hour: 'u64',
      tokens_hour: 'u64',
      tips_hour: 'u64',
      newest_time: 'u64',
    },
  },
});

/** Keys of all positions are looked through: seconds where there are tens of millions. */
const POSITIONS_SECONDS = 60;

const positions = defineRowQuery({
  maxSeconds: POSITIONS_SECONDS,
  sql: new URL('./stats-positions.sql', import.meta.url),
  params: Type.Object({}),
  layout: { name: 'stats_positions', columns: { positions: 'u64' } },
});

const tables = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./stats-tables.sql', import.meta.url),
  params: Type.Object({}),
  layout: {
    name: 'stats_tables',
    columns: { name: 'string', bytes: 'u64', compressed: 'u64', uncompressed: 'u64', parts: 'u64' },
  },
});

const tipWallets = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./stats-tip-wallets.sql', import.meta.url),
  params: sinceHour,
  layout: {
    name: 'stats_tip_wallets',
    columns: { tip_wallet: 'account', count: 'u64', repeated: 'u64', lamports: 'u64' },
  },
});

const topTokens = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./stats-top-tokens.sql', import.meta.url),
  params: Type.Object({ ...sinceHour.properties, limit: Type.Integer() }),
  layout: { name: 'stats_top_tokens', columns: { mint: 'account', volume: 'i128', trades: 'u64' } },
});

const minutes = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./stats-minutes.sql', import.meta.url),
  params: sinceHour,
  layout: { name: 'stats_minutes', columns: { start: 'u32', swaps: 'u64' } },
});

/**
 * Counts and sizes of the store. Counts are far below what a double holds exactly. Those of blocks go up to slot
 * `mark`, sums over whole tables may have some rows of a flush that is under way.
 */
export async function readStoreStats(client: StoreClient, spans: StatsSpans, mark: number): Promise<StoreStats> {
  const { minute, fiveMinutes, hour } = spans;
  const [[count], sizes, wallets, top, activity] = await Promise.all([
    counts(client, { mark, minute, five_minutes: fiveMinutes, hour }),
    tables(client, {}),
    tipWallets(client, { hour }),
    topTokens(client, { hour, limit: TOP_TOKENS }),
    minutes(client, { hour }),
  ]);
  return {
    tokens: Number(count?.tokens ?? 0),
    graduated: Number(count?.graduated ?? 0),
    otherQuotes: Number(count?.other_quotes ?? 0),
    swaps: Number(count?.swaps ?? 0),
    tips: Number(count?.tips ?? 0),
    swapsMinute: Number(count?.swaps_minute ?? 0),
    swapsFiveMinutes: Number(count?.swaps_five_minutes ?? 0),
    swapsHour: Number(count?.swaps_hour ?? 0),
    tokensHour: Number(count?.tokens_hour ?? 0),
    tipsHour: Number(count?.tips_hour ?? 0),
    newestTime: Number(count?.newest_time ?? 0),
    tables: sizes.map(({ name, bytes, compressed, uncompressed, parts }) => ({
      name,
      bytes: Number(bytes),
      compressed: Number(compressed),
      uncompressed: Number(uncompressed),
      parts: Number(parts),
    })),
    tipWallets: wallets,
    topTokens: top.map((row) => ({ ...row, trades: Number(row.trades) })),
    minutes: activity.map(({ start, swaps }) => ({ start, swaps: Number(swaps) })),
  };
}

/** Unix seconds. */
export interface StatsSpans {
  readonly minute: number;
  readonly fiveMinutes: number;
  readonly hour: number;
}

export interface StoreStats {
  readonly tokens: number;
  readonly graduated: number;
  /** Tokens created with a quote that is not SOL. */
  readonly otherQuotes: number;
  readonly swaps: number;
  readonly tips: number;
  readonly swapsMinute: number;
  readonly swapsFiveMinutes: number;
  readonly swapsHour: number;
  readonly tokensHour: number;
  readonly tipsHour: number;
  /** Time of the newest block, Unix seconds; 0 without one. */
  readonly newestTime: number;
  readonly tables: readonly TableSize[];
  readonly tipWallets: readonly TipSum[];
  readonly topTokens: readonly { readonly mint: Address | ''; readonly volume: bigint; readonly trades: number }[];
  /** Swaps per minute of the hour, oldest first. */
  readonly minutes: readonly { readonly start: number; readonly swaps: number }[];
}

export interface TableSize {
  readonly name: string;
  readonly bytes: number;
  readonly compressed: number;
  readonly uncompressed: number;
  readonly parts: number;
}

/** The question how much is stored, and what came lately. */
export interface StatsReads {
  /** `mark`: newest slot the store answers for. */
  stats(spans: StatsSpans, mark: number): Promise<StoreStats>;
  /** Positions of wallets, each counted once. It takes the longer the more there are. */
  positions(): Promise<number>;
}

/** The same, asked of the store. */
export function createStatsReads(client: StoreClient): StatsReads {
  return {
    stats: (...question) => readStoreStats(client, ...question),
    async positions() {
      const [row] = await positions(client, {});
      return Number(row?.positions ?? 0);
    },
  };
}
