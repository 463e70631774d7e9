import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import { threeDigitAmount } from '../../kernel/three-digits.ts';
import { QUOTE_MINTS } from '../../programs/registry/index.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { defineQuery, defineRowQuery, SHARED_READ_SECONDS } from '../../store/query.ts';
import { sketchedCount } from '../../token/trader-sketch.ts';
import { MAX_ROUTERS, type VenueWord } from './contract-routers.ts';
import { FEE_WINDOWS, type FeeWindowName } from './contract-windows.ts';
import type { FeeSpan } from './window-span.ts';

/** Routers of which more than their sum is read: so many with most swaps, most lamports and most dollars each. */
const MOST_ROUTERS = 1_000;
/** Ranks of a sketch. */
const RANKS = 52;
const ALL_VENUES = 0b111;
/** Dollars are added up in billionths. */
const NANO_DIGITS = 9;

const FLOW = {
  name: 'router_flow',
  columns: {
    router: 'address',
    /** 1 of all that are not told one by one. */
    rest: 'u8',
    swaps: 'u64',
    /** Lamports of swaps in SOL, and billionths of a dollar of those in stablecoins. */
    sol: 'i128',
    usd: 'i128',
    transactions: 'u64',
    /** Transactions that tipped, and the middle two of what they paid. */
    tipping: 'u64',
    tip_low: 'u64',
    tip_high: 'u64',
    /** The same of those whose bid is known. */
    bidding: 'u64',
    bid_low: 'u64',
    bid_high: 'u64',
  },
} as const;

const quotes = { quotes: Type.Array(Type.String()), scales: Type.Array(Type.Integer()) };
const bounds = { venues: Type.Integer(), from: Type.Integer(), mark: Type.Integer(), now: Type.Integer() };
const minutes = { minute: Type.Integer(), minute_slot: Type.Integer() };

const recent = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./routers-recent.sql', import.meta.url),
  params: Type.Object({ ...quotes, ...bounds, from_slot: Type.Integer(), most: Type.Integer() }),
  layout: FLOW,
});

const long = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./routers-window.sql', import.meta.url),
  params: Type.Object({ ...quotes, ...bounds, ...minutes, most: Type.Integer() }),
  layout: FLOW,
});

const reverted = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./routers-reverted.sql', import.meta.url),
  params: Type.Object({ ...bounds, ...minutes, routers: Type.Array(Type.String()) }),
  layout: { name: 'router_reverted', columns: { router: 'address', transactions: 'u64' } },
});

const wallets = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./routers-wallets.sql', import.meta.url),
  params: Type.Object({ ...bounds, from_slot: Type.Integer(), routers: Type.Array(Type.String()) }),
  layout: { name: 'router_wallets', columns: { router: 'address', traders: 'u64' } },
});

const traders = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  maxRows: MAX_ROUTERS * RANKS,
  sql: new URL('./routers-traders.sql', import.meta.url),
  params: Type.Object({
    ...{ ...bounds, hour: Type.Integer(), hour_slot: Type.Integer() },
    routers: Type.Array(Type.String()),
  }),
  layout: { name: 'router_sketch', columns: { router: 'address', rank: 'u8', registers: 'u32' } },
});

const firsts = defineQuery({
  sql: new URL('./routers-first.sql', import.meta.url),
  params: Type.Object({}),
  row: Type.Object({ landed: Type.Integer(), reverted: Type.Integer() }),
});

/** Stablecoins of the registry, and by what their raw units become billionths of a dollar. */
const DOLLARS = QUOTE_MINTS.flatMap(({ mint, class: kind, decimals }) =>
  kind === 'usd' && decimals !== undefined && decimals <= NANO_DIGITS
    ? [{ mint, scale: 10 ** (NANO_DIGITS - decimals) }]
    : [],
);
const QUOTES = { quotes: DOLLARS.map(({ mint }) => mint), scales: DOLLARS.map(({ scale }) => scale) };

/** What a router's transactions came to, without what reverted. */
export interface RouterSums {
  readonly router: Address | '';
  readonly swaps: bigint;
  readonly sol: bigint;
  readonly usd: bigint;
  readonly transactions: bigint;
  readonly medianTip: bigint | undefined;
  readonly medianBid: bigint | undefined;
}

export interface RouterSumsOfAll {
  /** Those with most swaps, most lamports or most dollars, and direct ones where there are any. */
  readonly routers: readonly RouterSums[];
  /** All of them together. */
  readonly all: Pick<RouterSums, 'swaps' | 'sol' | 'usd'>;
}

function venueBits(venue: VenueWord | undefined): number {
  return venue === undefined ? ALL_VENUES : 1 << Number(venue);
}

/** A budget is told of swaps on a curve alone. */
const hasBids = (venue: VenueWord | undefined) => venue === undefined || venue === '0';

/** Sums of a window by router: medians are exact of one that begins at a second, of amounts to three digits of the others. */
export async function readRouterSums(
  client: StoreClient,
  { mark, now, from, minute }: FeeSpan,
  { window, venue }: { readonly window: FeeWindowName; readonly venue: VenueWord | undefined },
): Promise<RouterSumsOfAll> {
  const { toTheSecond } = FEE_WINDOWS[window];
  const question = { ...QUOTES, venues: venueBits(venue), from: from.time, mark, now, most: MOST_ROUTERS };
  const rows = toTheSecond
    ? await recent(client, { ...question, from_slot: from.slot })
    : await long(client, { ...question, minute: minute.time, minute_slot: minute.slot });
  const amount = toTheSecond ? (value: bigint) => value : (code: bigint) => threeDigitAmount(Number(code));
  const median = (count: bigint, low: bigint, high: bigint) =>
    count === 0n ? undefined : (amount(low) + amount(high)) / 2n;
  const sum = (of: (row: RowOf<typeof FLOW>) => bigint) => rows.reduce((total, row) => total + of(row), 0n);
  return {
    all: { swaps: sum(({ swaps }) => swaps), sol: sum(({ sol }) => sol), usd: sum(({ usd }) => usd) },
    routers: rows
      .filter(({ rest }) => rest === 0)
      .map((row) => ({
        ...{ router: row.router, swaps: row.swaps, sol: row.sol, usd: row.usd, transactions: row.transactions },
        medianTip: median(row.tipping, row.tip_low, row.tip_high),
        medianBid: hasBids(venue) ? median(row.bidding, row.bid_low, row.bid_high) : undefined,
      })),
  };
}

export interface SomeRouters {
  readonly venue: VenueWord | undefined;
  readonly routers: readonly (Address | '')[];
}

/** Transactions that reverted, by router. */
export async function readReverted(
  client: StoreClient,
  { mark, now, from, minute }: FeeSpan,
  { venue, routers }: SomeRouters,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await reverted(client, {
    ...{ venues: venueBits(venue), from: from.time, minute: minute.time, minute_slot: minute.slot, mark, now },
    routers: [...routers],
  });
  return new Map(rows.map(({ router, transactions }) => [router, transactions]));
}

/** Distinct wallets by router of a window that begins at a second. */
export async function readTraders(
  client: StoreClient,
  { mark, now, from }: FeeSpan,
  { venue, routers }: SomeRouters,
): Promise<ReadonlyMap<string, number>> {
  const rows = await wallets(client, {
    ...{ venues: venueBits(venue), from: from.time, from_slot: from.slot, mark, now },
    routers: [...routers],
  });
  return new Map(rows.map(({ router, traders: count }) => [router, Number(count)]));
}

const HOUR_S = 3_600;

/** The same of the others, estimated, from the hour on in which the window begins. */
export async function readSketchedTraders(
  client: StoreClient,
  { mark, now, from, hour }: FeeSpan,
  { venue, routers }: SomeRouters,
): Promise<ReadonlyMap<string, number>> {
  const rows = await traders(client, {
    ...{ venues: venueBits(venue), from: from.time - (from.time % HOUR_S), mark, now },
    ...{ hour: hour.time, hour_slot: hour.slot, routers: [...routers] },
  });
  const sketches = new Map<string, Map<number, number>>();
  for (const { router, rank, registers } of rows) {
    const ranks = sketches.get(router) ?? new Map<number, number>();
    sketches.set(router, ranks.set(rank, registers));
  }
  return new Map([...sketches].map(([router, ranks]) => [router, sketchedCount(ranks)]));
}

/** Unix seconds at which the rollups of swaps, and of what reverted, begin; 0 without any. */
export async function readFirstMinutes(client: StoreClient): Promise<{ landed: number; reverted: number }> {
  const [row] = await firsts(client, {});
  return row!;
}
