import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf } from '../../store/clickhouse/schema/table-layout.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../../store/query.ts';
import { minuteOf, readChainTime } from '../../token/chain-time-reads.ts';
import { SPARK_POINTS } from './contract-limits.ts';

const HOUR_S = 3_600;
const DAY_S = 86_400;
/** Points of two days, the last one now. */
export const STEPS = 2 * SPARK_POINTS;
/** Bound of answers: a share may be traded in many a stablecoin. */
const MOST_QUOTES = 16;
/** What is asked goes into the head of a request: proxies in front of a store take 8 kB of it and no more. */
const MINTS_AT_ONCE = 100;

const STEP_ROWS = {
  name: 'equity_steps',
  columns: {
    mint: 'account',
    quote_mint: 'address',
    step: 'u8',
    at: 'u64',
    price: 'f64',
    volume: 'i128',
    trades: 'u64',
  },
} as const;

const LATEST_ROWS = {
  name: 'equity_latest',
  columns: {
    mint: 'account',
    at: 'u64',
    time: 'u32',
    price_quote: 'u64',
    price_token: 'u64',
    token_decimals: 'u8',
  },
} as const;

export type EquityStepRow = RowOf<typeof STEP_ROWS>;
export type EquityLatestRow = RowOf<typeof LATEST_ROWS>;

const steps = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./equity-steps.sql', import.meta.url),
  params: Type.Object({
    mints: Type.Array(Type.String()),
    quotes: Type.Array(Type.String()),
    steps: Type.Integer(),
    first: Type.Integer(),
    day: Type.Integer(),
    now: Type.Integer(),
  }),
  maxRows: MINTS_AT_ONCE * MOST_QUOTES * STEPS,
  layout: STEP_ROWS,
});

const latest = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./equity-latest.sql', import.meta.url),
  params: Type.Object({ mints: Type.Array(Type.String()), quotes: Type.Array(Type.String()) }),
  layout: LATEST_ROWS,
});

/** Trades of some mints as the store has them. */
export interface EquityTrades {
  /** Time of the chain, Unix seconds. */
  readonly now: number;
  /** Unix seconds with which the 24 hours begin: the end of the last step before them. */
  readonly from: number;
  readonly steps: readonly EquityStepRow[];
  /** The swap behind the newest of the steps of each mint, where it is known; else another of the mint's. */
  readonly latest: ReadonlyMap<string, EquityLatestRow>;
  /** Slot of the newest trade that is told; 0 without one. */
  readonly newest: number;
}

const SLOT_SHIFT = 32n;

/**
 * Trades of some mints in some quotes, in the time of the chain at slot `mark`; undefined while there is no block. `wall`:
 * Unix seconds by the clock on the wall.
 */
export async function readEquityTrades(
  client: StoreClient,
  { mints, quotes }: { readonly mints: readonly Address[]; readonly quotes: readonly Address[] },
  mark: number,
  wall: number,
): Promise<EquityTrades | undefined> {
  const chain = await readChainTime(client, mark, wall);
  if (chain === undefined) return undefined;
  const { now } = chain;
  const first = Math.max(0, minuteOf(now) - (STEPS - 1) * HOUR_S);
  const asked = { quotes: [...quotes], steps: STEPS, first, day: first - (first % DAY_S), now };
  const [stepRows, latestRows] = await Promise.all([
    inPieces(mints, (piece) => steps(client, { ...asked, mints: piece })),
    inPieces(mints, (piece) => latest(client, { quotes: asked.quotes, mints: piece })),
  ]);
  const places = [...stepRows, ...latestRows].map(({ at }) => Number(at >> SLOT_SHIFT));
  return {
    ...{ now, from: minuteOf(now) - DAY_S, steps: stepRows, latest: latestByMint(stepRows, latestRows) },
    newest: places.reduce((newest, slot) => Math.max(newest, slot), 0),
  };
}

/** Rows of all mints, so many at a time. */
async function inPieces<R>(mints: readonly Address[], read: (piece: Address[]) => Promise<R[]>): Promise<R[]> {
  const rows: R[] = [];
  for (let at = 0; at < mints.length; at += MINTS_AT_ONCE)
    rows.push(...(await read(mints.slice(at, at + MINTS_AT_ONCE))));
  return rows;
}

function latestByMint(
  stepRows: readonly EquityStepRow[],
  rows: readonly EquityLatestRow[],
): ReadonlyMap<string, EquityLatestRow> {
  const told = new Map<string, bigint>();
  for (const { mint, at } of stepRows) if (at > (told.get(mint) ?? -1n)) told.set(mint, at);
  const latest = new Map<string, EquityLatestRow>();
  for (const row of rows) if (!latest.has(row.mint) || row.at === told.get(row.mint)) latest.set(row.mint, row);
  return latest;
}
