import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { type Coverage, mergeRanges, missingRanges, type SlotRange } from '../../store/clickhouse/coverage.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { defineQuery, defineRowQuery, SHARED_READ_SECONDS } from '../../store/query.ts';
import { DEV_DUMP_LAMPORTS, MAX_REPORT_ROWS } from './contract-limits.ts';
import type { ReportSpan } from './report-span.ts';

/** Tokens and wallets that lists of the report are chosen from. */

/** Launches of six hours come to some thousands, with some wallets in each bundle. */
const MAX_BUNDLED_ROWS = 200_000;
/** Tokens of most volume that are looked at for crashes, and creators who sold most that are looked at for dumps. */
const MAX_VOLUMES = 600;
const MAX_DEVS = 100;
const MAX_SWEPT_RANGES = 10_000;
/** Slots whose swaps are gone through for sales of creators while they are not swept up: about an hour. */
const MAX_UNSWEPT_SLOTS = 10_000;

const BUNDLED = {
  name: 'report_bundles',
  columns: {
    mint: 'account',
    creator: 'address',
    block_index: 'u32',
    trader: 'account',
    protocol_actor: 'bool',
    is_buy: 'bool',
    tokens: 'i128',
    lamports: 'i128',
  },
} as const;

export type BundledTrade = RowOf<typeof BUNDLED>;

const bundled = defineRowQuery({
  maxRows: MAX_BUNDLED_ROWS,
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./report-bundles.sql', import.meta.url),
  params: Type.Object({ launches: Type.Integer(), launches_slot: Type.Integer(), mark: Type.Integer() }),
  layout: BUNDLED,
});

const CREATORS = { name: 'report_creators', columns: { creator: 'account', tokens: 'u32', graduated: 'u32' } } as const;

export type CreatorRow = RowOf<typeof CREATORS>;

const creators = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./report-creators.sql', import.meta.url),
  params: Type.Object({
    window: Type.Integer(),
    window_slot: Type.Integer(),
    mark: Type.Integer(),
    limit: Type.Integer(),
  }),
  layout: CREATORS,
});

const VOLUMES = {
  name: 'report_volumes',
  columns: { mint: 'account', volume: 'i128', price_quote: 'u64', price_token: 'u64' },
} as const;

export type VolumeRow = RowOf<typeof VOLUMES>;

const volumes = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./report-volumes.sql', import.meta.url),
  params: Type.Object({
    from: Type.Integer(),
    until: Type.Integer(),
    until_slot: Type.Integer(),
    mark: Type.Integer(),
    least: Type.String(),
    limit: Type.Integer(),
  }),
  layout: VOLUMES,
});

const swept = defineQuery({
  sql: new URL('./report-swept.sql', import.meta.url),
  params: Type.Object({ window_slot: Type.Integer(), most: Type.Integer() }),
  row: Type.Object({ first_slot: Type.Integer(), last_slot: Type.Integer() }),
  maxRows: MAX_SWEPT_RANGES,
});

const SOLD = {
  name: 'report_dev_sales',
  columns: { mint: 'account', creator: 'account', lamports: 'i128' },
} as const;

export type DevSale = RowOf<typeof SOLD>;

const sold = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./report-dev-sales.sql', import.meta.url),
  params: Type.Object({
    window: Type.Integer(),
    window_slot: Type.Integer(),
    unswept_slot: Type.Integer(),
    firsts: Type.Array(Type.Integer()),
    lasts: Type.Array(Type.Integer()),
    mark: Type.Integer(),
    least: Type.String(),
    limit: Type.Integer(),
  }),
  layout: SOLD,
});

const pairParams = Type.Object({ mints: Type.Array(Type.String()), wallets: Type.Array(Type.String()) });

const POSITIONS = {
  name: 'report_dev_positions',
  columns: {
    mint: 'account',
    wallet: 'account',
    bought: 'i128',
    sold: 'i128',
    balance: 'i128',
    quotes: 'u32',
    quote_mint: 'address',
    realized_pnl: 'i64',
    pnl_known: 'bool',
    newest: 'u32',
  },
} as const;

export type DevPosition = RowOf<typeof POSITIONS>;

const positions = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  maxRows: MAX_DEVS * MAX_DEVS,
  sql: new URL('./report-dev-positions.sql', import.meta.url),
  params: pairParams,
  layout: POSITIONS,
});

const HOLDINGS = {
  name: 'report_dev_holdings',
  columns: {
    mint: 'account',
    wallet: 'account',
    balance: 'i64',
    known: 'bool',
    realized_pnl: 'i64',
    pnl_known: 'bool',
    quotes: 'u8',
    quote_mint: 'address',
    newest: 'u32',
  },
} as const;

export type DevHolding = RowOf<typeof HOLDINGS>;

const holdings = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  maxRows: MAX_DEVS * MAX_DEVS,
  sql: new URL('./report-dev-holdings.sql', import.meta.url),
  params: pairParams,
  layout: HOLDINGS,
});

/** Trades of bundled transactions in creations' slots, token by token, in order of place. */
export function readBundled(client: StoreClient, { launches, launchesSlot, mark }: ReportSpan) {
  return bundled(client, { launches, launches_slot: launchesSlot, mark });
}

export function readCreators(client: StoreClient, { from, fromSlot, mark }: ReportSpan): Promise<CreatorRow[]> {
  return creators(client, { window: from, window_slot: fromSlot, mark, limit: MAX_REPORT_ROWS });
}

/** Tokens of most volume in SOL, at least so many lamports; of a window longer than an hour by whole hours. */
export function readVolumes(client: StoreClient, { hours, mark }: ReportSpan, least: bigint): Promise<VolumeRow[]> {
  return volumes(client, {
    ...{ from: hours.from, until: hours.until, until_slot: hours.untilSlot },
    ...{ mark, least: least.toString(), limit: MAX_VOLUMES },
  });
}

/**
 * Creators who sold their own token for the most SOL in the window. Undefined while the sales of too many slots are still
 * to be swept up.
 */
export async function readDevSales(
  client: StoreClient,
  { from, fromSlot, mark }: ReportSpan,
  coverage: Coverage,
): Promise<DevSale[] | undefined> {
  const rows = await swept(client, { window_slot: fromSlot, most: MAX_SWEPT_RANGES });
  const done = mergeRanges(rows.map(({ first_slot, last_slot }) => ({ first: first_slot, last: last_slot })));
  const open = unswept(coverage, done, { first: fromSlot, last: mark });
  const slots = open.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  if (slots > MAX_UNSWEPT_SLOTS) return undefined;
  return sold(client, {
    ...{ window: from, window_slot: fromSlot, mark, unswept_slot: open[0]?.first ?? mark + 1 },
    ...{ firsts: open.map(({ first }) => first), lasts: open.map(({ last }) => last) },
    ...{ least: DEV_DUMP_LAMPORTS.toString(), limit: MAX_DEVS },
  });
}

/** Slots of a span that are whole and not yet swept up. What is behind the newest range came since it was read. */
export function unswept(coverage: Coverage, done: Coverage, span: SlotRange): SlotRange[] {
  return coverage.flatMap(({ first, last }, place) => {
    const end = place === coverage.length - 1 ? Math.max(last, span.last) : last;
    const within = { first: Math.max(first, span.first), last: Math.min(end, span.last) };
    return within.first > within.last ? [] : missingRanges(done, within);
  });
}

/** What creators bought and sold, and what they hold where more than trades moved it; of some pairs more than are asked for. */
export async function readDevs(client: StoreClient, sales: readonly DevSale[]) {
  if (sales.length === 0) return { positions: [], holdings: [] };
  const question = {
    mints: [...new Set(sales.map(({ mint }) => mint as Address))],
    wallets: [...new Set(sales.map(({ creator }) => creator as Address))],
  };
  const [traded, held] = await Promise.all([positions(client, question), holdings(client, question)]);
  return { positions: traded, holdings: held };
}
