import type { Address } from '../../src/chain/address.ts';
import { noCounts, sumsOf } from '../../src/market/sums.ts';
import { DAY_RING, WEEK_RING } from '../../src/market/trade-ring.ts';
import { readJson, type StoreClient } from '../../src/store/clickhouse/client.ts';
import type { toldBy } from '../../test/support/told-windows.ts';

export type Told = ReturnType<typeof toldBy>;
type Sums = Told['market'][number]['five'];

const NOBODY = "toFixedString('', 32)";
const COLUMNS =
  'mint, quote_mint, venue, trader, is_buy, protocol_actor, quote_amount, price, priced, slot, block_index, ix_index';
const VENUES = [0, 1, 2];
const WINDOWS = ['five', 'hour', 'day', 'week'] as const;
type Window = (typeof WINDOWS)[number];

/** Where windows begin that end with a second: by the same steps, and by nothing else of the windows. */
function beginnings(now: number): Readonly<Record<Window, number>> {
  const buckets = (width: number, span: number) => now - (now % width) - (span - 1) * width;
  return {
    five: now - 300,
    hour: now - 3_600,
    day: buckets(DAY_RING.width, DAY_RING.span),
    week: buckets(WEEK_RING.width, WEEK_RING.span),
  };
}

type SumColumns = Readonly<Record<`${Window}_${'buys' | 'sells' | 'volume'}`, string>>;

interface SeriesRow extends SumColumns {
  readonly mint: Address;
  readonly quote: Address | '';
  readonly before_five: number;
  readonly before_hour: number;
}

interface TraderRow {
  readonly mint: Address;
  readonly five: string;
  readonly hour: string;
}

/** What all swaps of a store come to, in the shape in which windows are told. */
export async function toldBySql(client: StoreClient, mints: readonly Address[], now: number): Promise<Told> {
  const since = beginnings(now);
  const inside = (window: Window) => `t >= ${since[window]}`;
  const sums = WINDOWS.map(
    (window) => `toString(countIf(${inside(window)} AND is_buy)) AS ${window}_buys,
      toString(countIf(${inside(window)} AND NOT is_buy)) AS ${window}_sells,
      toString(sumIf(toUInt128(quote_amount), ${inside(window)})) AS ${window}_volume`,
  ).join(',\n      ');
  const before = (window: Window) =>
    `argMaxIf(price, (slot, block_index, ix_index), priced AND t < ${since[window]}) AS before_${window}`;
  const traders = (window: Window) =>
    `toString(uniqExactIf(trader, ${inside(window)} AND NOT protocol_actor AND trader != ${NOBODY})) AS ${window}`;
  const swaps = `(SELECT ${COLUMNS}, toUInt32(time) AS t FROM swaps WHERE toUInt32(time) <= ${now})`;
  const read = <R>(query: string) => readJson<R>(client, query);
  const [series, ofMints, ofAll, market] = await Promise.all([
    read<SeriesRow>(`SELECT base58Encode(mint) AS mint, if(quote_mint = ${NOBODY}, '', base58Encode(quote_mint)) AS quote,
      ${sums}, ${before('five')}, ${before('hour')} FROM ${swaps} GROUP BY mint, quote_mint`),
    read<TraderRow>(
      `SELECT base58Encode(mint) AS mint, ${traders('five')}, ${traders('hour')} FROM ${swaps} GROUP BY mint`,
    ),
    read<TraderRow>(`SELECT '' AS mint, ${traders('five')}, ${traders('hour')} FROM ${swaps}`),
    read<SumColumns & { readonly venue: number }>(
      `SELECT venue, ${sums} FROM ${swaps} WHERE quote_mint = ${NOBODY} GROUP BY venue`,
    ),
  ]);
  return {
    now,
    mints: mints.map((mint) => {
      const traded = ofMints.find((row) => row.mint === mint);
      return {
        series: series
          .filter((row) => row.mint === mint)
          .map((row) => ({ quote: row.quote, sums: sumsIn(row), before: [row.before_five, row.before_hour] }))
          .filter((each) => each.sums.week.buys + each.sums.week.sells > 0)
          // Nothing is told of the price before an hour in which nothing was traded.
          .map((each) => (each.sums.hour.buys + each.sums.hour.sells > 0 ? each : { ...each, before: [] }))
          .sort((a, b) => (a.quote < b.quote ? -1 : 1)),
        traders: [Number(traded?.five ?? 0), Number(traded?.hour ?? 0)],
      };
    }),
    active: Number(ofAll[0]?.hour ?? 0),
    market: VENUES.map((venue) => {
      const row = market.find((each) => each.venue === venue);
      return row === undefined ? NOTHING : sumsIn(row);
    }),
  };
}

function sumsIn(row: SumColumns): Readonly<Record<Window, Sums>> {
  const of = (window: Window): Sums => ({
    buys: Number(row[`${window}_buys`]),
    sells: Number(row[`${window}_sells`]),
    volume: BigInt(row[`${window}_volume`]),
  });
  return { five: of('five'), hour: of('hour'), day: of('day'), week: of('week') };
}

const NONE = sumsOf(noCounts());
const NOTHING: Readonly<Record<Window, Sums>> = { five: NONE, hour: NONE, day: NONE, week: NONE };
