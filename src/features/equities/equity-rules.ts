import { instantText, knownTime } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import type { Written } from '../../contract/written.ts';
import { type Equity as Listed, quoteMint } from '../../programs/registry/index.ts';
import { multiplierAt } from '../../programs/spl-token/mint-account.ts';
import { UNKNOWN_DECIMALS } from '../../store/clickhouse/schema/codes.ts';
import { floatPrice, moneyRatio, ratioPrice, wholeUnitFactor } from '../../token/price-string.ts';
import { shownName } from '../../token/shown-name.ts';
import { dateText } from './calendar-rules.ts';
import type { Equity } from './contract.ts';
import { MAX_CLOSE_DAYS, SPARK_POINTS } from './contract-limits.ts';
import { type EquityLatestRow, type EquityStepRow, STEPS } from './equity-reads.ts';
import { daysBetween, marketAt, newYorkTime, sessionEnd } from './market-hours-rules.ts';
import type { ClosingPrice, EquityMint } from './outside.ts';

/** Tickers of exchanges of the United States, such as BRK.B; companies that are not listed have something else. */
const TICKER = /^[A-Z][A-Z0-9.]{0,7}$/;
/** Dollars are summed up in these parts, of which every stablecoin has a whole number. */
const DOLLAR_DIGITS = 18;
/** A last price that is so many times what most was paid, or that part of it, stands alone. */
const ALONE = 2;
const MS = 1_000;

/** What is known of a share. */
export interface KnownEquity {
  readonly listed: Listed;
  /** In stablecoins alone. */
  readonly steps: readonly EquityStepRow[];
  readonly latest: EquityLatestRow | undefined;
  readonly mint: EquityMint | undefined;
  readonly close: ClosingPrice | undefined;
  readonly image: string | undefined;
}

export interface EquityMoment {
  /** Time of the chain, Unix seconds. */
  readonly now: number;
  /** RFC 3339: from when on all trades are there, where that is not all the time. */
  readonly since: string | undefined;
}

/** The ticker of a share that is listed on an exchange of the United States. */
export function tickerOf({ underlying }: Pick<Listed, 'underlying'>): string | undefined {
  return underlying !== undefined && TICKER.test(underlying) ? underlying : undefined;
}

export function equityRow(known: KnownEquity, { now, since }: EquityMoment): Written<Equity> {
  const { listed, latest, mint, image } = known;
  const ticker = tickerOf(listed);
  const decimals = decimalsOf(known);
  const points = decimals === undefined ? [] : pricePoints(known.steps, decimals);
  const traded = known.steps.filter(({ step }) => step >= SPARK_POINTS);
  const [last, before] = [points.at(-1), points[SPARK_POINTS - 1]];
  const multiplier = mint === undefined ? undefined : knownMultiplier(mint, now);
  const newest = newestStep(known.steps);
  // One of a block ahead of the chain's time is not told yet, nor one that prices nothing.
  const trade = newest !== undefined && latest?.at === newest.at ? latest : undefined;
  const trades = traded.reduce((sum, each) => sum + Number(each.trades), 0);
  const isTold = ticker !== undefined && known.close !== undefined && isRecent(known.close, now);
  const close = isTold ? known.close : undefined;
  const isComparable =
    trades > 0 &&
    isReadSince(mint, close) &&
    !hasScaledSince(mint, close, now) &&
    decimals !== undefined &&
    !standsAlone(last, middlePrice(traded, newest, decimals) ?? before);
  return {
    mint: listed.mint,
    symbol: shownName(listed.symbol),
    underlying: ticker,
    name: listed.name === undefined ? undefined : shownName(listed.name),
    decimals,
    image: image || undefined,
    supply: mint === undefined ? undefined : Number(mint.supply) / 10 ** mint.decimals,
    supply_as_of: mint === undefined ? undefined : instantText(mint.readAt),
    multiplier,
    last_price_usd: last === undefined ? undefined : (exactPrice(newest, trade, decimals) ?? floatPrice(last)),
    last_trade_at: trade === undefined ? undefined : knownTime(trade.time),
    change_24h: percentOver(last, before),
    vol_usd_24h: dollarsOf(traded),
    trades_24h: trades,
    since,
    spark: sparkOf(points.slice(SPARK_POINTS)),
    spark_prev: sparkOf(points.slice(0, SPARK_POINTS)),
    market: ticker === undefined ? undefined : marketAt(now),
    underlying_close_usd: close === undefined ? undefined : floatPrice(close.usd),
    underlying_close_date: close?.date,
    premium_pct:
      !isComparable || last === undefined || multiplier === undefined
        ? undefined
        : percentOver(last / multiplier, close?.usd),
  };
}

/** The last price up to the end of each step, by place, whatever stablecoin it was paid in; undefined before the first. */
function pricePoints(steps: readonly EquityStepRow[], decimals: number): (number | undefined)[] {
  const newest = new Array<EquityStepRow | undefined>(STEPS).fill(undefined);
  for (const row of steps) {
    const known = newest[row.step];
    if (known === undefined || known.at < row.at) newest[row.step] = row;
  }
  const points: (number | undefined)[] = [];
  let last: EquityStepRow | undefined;
  let point: number | undefined;
  for (const row of newest) {
    // A block whose time lies behind those before it is no newer for that.
    if (row !== undefined && (last === undefined || last.at < row.at)) {
      last = row;
      point = priceOf(row, decimals);
    }
    points.push(point);
  }
  return points;
}

function priceOf({ price, quote_mint }: EquityStepRow, decimals: number): number | undefined {
  const quoteDecimals = quoteMint(quote_mint as Address)?.decimals;
  if (quoteDecimals === undefined) return undefined;
  // As candles print it.
  return Number(floatPrice(price * wholeUnitFactor(decimals, quoteDecimals))) || undefined;
}

/** As swaps print it, which have all its digits. */
function exactPrice(
  step: EquityStepRow | undefined,
  trade: EquityLatestRow | undefined,
  tokenDecimals: number | undefined,
): string | undefined {
  const quoteDecimals = step && quoteMint(step.quote_mint as Address)?.decimals;
  if (trade === undefined || quoteDecimals === undefined || tokenDecimals === undefined) return undefined;
  return ratioPrice({ quote: trade.price_quote, token: trade.price_token, quoteDecimals, tokenDecimals });
}

function sparkOf(points: readonly (number | undefined)[]): number[] | undefined {
  const values = points.filter((point) => point !== undefined);
  return values.length === 0 ? undefined : values;
}

function newestStep(steps: readonly EquityStepRow[]): EquityStepRow | undefined {
  let newest: EquityStepRow | undefined;
  for (const step of steps) if (newest === undefined || step.at > newest.at) newest = step;
  return newest;
}

/** To the cent. */
function dollarsOf(steps: readonly EquityStepRow[]): number {
  let sum = 0n;
  for (const { quote_mint, volume } of steps) {
    const decimals = quoteMint(quote_mint as Address)?.decimals;
    if (decimals !== undefined) sum += volume * 10n ** BigInt(DOLLAR_DIGITS - decimals);
  }
  return Number(moneyRatio(sum, 10n ** BigInt(DOLLAR_DIGITS)));
}

function decimalsOf({ listed, mint, latest }: KnownEquity): number | undefined {
  const told = latest?.token_decimals ?? UNKNOWN_DECIMALS;
  return mint?.decimals ?? listed.decimals ?? (told === UNKNOWN_DECIMALS ? undefined : told);
}

/** Whatever an issuer writes: one that is no number of shares is unknown. */
function knownMultiplier({ scaling }: EquityMint, now: number): number | undefined {
  if (scaling === 'unknown') return undefined;
  const multiplier = multiplierAt(scaling, now);
  return Number.isFinite(multiplier) && multiplier > 0 ? multiplier : undefined;
}

/** True when the chain was read since a share closed: it may have split meanwhile, which a mint kept from before does not tell. */
function isReadSince(mint: EquityMint | undefined, close: ClosingPrice | undefined): boolean {
  return mint !== undefined && close !== undefined && mint.readAt >= sessionEnd(close.date) * MS;
}

/** True when a token stands for another number of shares than it did when they closed: then they may have split. */
function hasScaledSince(mint: EquityMint | undefined, close: ClosingPrice | undefined, now: number): boolean {
  if (mint?.scaling === undefined || mint.scaling === 'unknown' || close === undefined) return false;
  const { nextFrom } = mint.scaling;
  return nextFrom > BigInt(sessionEnd(close.date)) && nextFrom <= BigInt(now);
}

/** The price below and above which half of the dollars were paid, by the steps without the newest; undefined without. */
function middlePrice(
  steps: readonly EquityStepRow[],
  newest: EquityStepRow | undefined,
  decimals: number,
): number | undefined {
  const paid = steps
    .filter((step) => step !== newest)
    .map((step) => ({ price: priceOf(step, decimals), dollars: dollarsOf([step]) }))
    .sort((a, b) => (a.price ?? 0) - (b.price ?? 0));
  let left = paid.reduce((sum, { dollars }) => sum + dollars, 0) / 2;
  return paid.find(({ dollars }) => {
    left -= dollars;
    return left <= 0;
  })?.price;
}

function standsAlone(last: number | undefined, middle: number | undefined): boolean {
  if (last === undefined || middle === undefined) return false;
  return last > middle * ALONE || last * ALONE < middle;
}

/** Percent with two decimals; undefined without both. */
function percentOver(value: number | undefined, base: number | undefined): number | undefined {
  if (value === undefined || base === undefined || base === 0) return undefined;
  return Math.round((value / base - 1) * 10_000) / 100;
}

/** True of a close of the last days, of a session that is over, as the chain's time has it. */
function isRecent({ date }: ClosingPrice, now: number): boolean {
  return sessionEnd(date) <= now && daysBetween(date, dateText(newYorkTime(now).day)) <= MAX_CLOSE_DAYS;
}

/** Most traded first, then by symbol. */
export function compareEquities(a: Written<Equity>, b: Written<Equity>): number {
  const text = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
  return b.vol_usd_24h - a.vol_usd_24h || text(a.symbol, b.symbol) || text(a.mint, b.mint);
}
