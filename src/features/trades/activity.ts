import { jsonBody, timeText } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import { encodeSignature } from '../../chain/keys/base58.ts';
import type { Written } from '../../contract/written.ts';
import type { SwapRow } from '../../store/clickhouse/schema/tables.ts';
import { knownQuoteDecimals, quoteUnit } from '../../token/row-json.ts';
import type { ActivityRow, ActivitySpans, ActivitySums } from './activity-reads.ts';
import type { Activity as ActivityAnswer } from './contract.ts';

/** The windows of the answer, seconds, shortest first. */
const ACTIVITY_WINDOWS = [
  { name: '5m', seconds: 300 },
  { name: '1h', seconds: 3_600 },
  { name: '24h', seconds: 86_400 },
] as const;
type WindowName = (typeof ACTIVITY_WINDOWS)[number]['name'];
const ACTIVITY_SPAN_S = 86_400;
const FLOW_SPAN_S = 3_600;
const MINUTE_S = 60;
/** Ids of swaps this recent are listed, so that a socket's trades are not counted twice. */
const RECENT_SPAN_S = 60;
/** Most ids listed; the span shrinks to whole seconds that fit. */
const RECENT_IDS_MAX = 1_000;
/** One more than is listed tells where the span ends. */
export const RECENT_SWAPS = RECENT_IDS_MAX + 1;

/** Columns of a swap that activity needs. */
export type ActivitySwap = Omit<ActivityRow, 'signature' | 'ix_index'>;

/** A swap that may be listed by its id. */
export interface RecentSwap {
  /** Unix seconds. */
  readonly time: number;
  /** `sig:ix_index`. */
  readonly id: string;
}

interface ActivityWindow {
  readonly name: WindowName;
  /** Lamports of swaps quoted in SOL. */
  readonly volume: bigint;
  /** Raw units of swaps quoted in the answer's quote, when that is not SOL. */
  readonly quoteVolume: bigint;
  readonly buys: number;
  readonly sells: number;
  readonly buyers: number;
  readonly sellers: number;
}

/** One minute's buys and sells in the answer's quote, raw units. */
export interface ActivityMinute {
  /** Unix seconds. */
  readonly start: number;
  readonly buy: bigint;
  readonly sell: bigint;
}

export interface Activity {
  readonly quote: Address | '';
  readonly quoteDecimals: number | undefined;
  readonly windows: readonly ActivityWindow[];
  /** Minutes with trades, oldest first. */
  readonly flow: readonly ActivityMinute[];
  /** Unix seconds. */
  readonly recentSince: number;
  /** Oldest first. */
  readonly recentIds: readonly string[];
}

/** The span an answer at `now` looks back over, Unix seconds. */
export function activitySince(now: number): number {
  return now - ACTIVITY_SPAN_S;
}

function flowSince(now: number): number {
  return now - (now % MINUTE_S) - FLOW_SPAN_S + MINUTE_S;
}

/**
 * The last minute, or the newest swap's second when that is longer ago: what comes
 * later is no older than that, however far the clock is ahead of the chain, so a
 * reader never has to guess whether a later swap is in already. Without a swap it
 * is all that the answer looks back over.
 */
export function recentSince(newest: RecentSwap | undefined, now: number): number {
  return newest === undefined ? activitySince(now) : Math.min(now - RECENT_SPAN_S, newest.time);
}

export function recentSwap(row: Pick<SwapRow, 'time' | 'signature' | 'ix_index'>): RecentSwap {
  return { time: row.time, id: `${encodeSignature(row.signature)}:${row.ix_index}` };
}

/** The answer from all swaps of the last 24 hours and the {@link RECENT_SWAPS} newest ones, both oldest first. */
export function foldActivity(swaps: readonly ActivitySwap[], recent: readonly RecentSwap[], now: number): Activity {
  const day = swaps.filter(({ time }) => time >= activitySince(now));
  const quote = dominantQuote(countQuotes(day));
  const quoted = day.filter(({ quote_mint }) => quote_mint === quote);
  const newest = quoted.at(-1);
  return {
    quote,
    quoteDecimals: quote === '' || newest === undefined ? undefined : knownQuoteDecimals(newest),
    windows: ACTIVITY_WINDOWS.map(({ name, seconds }) =>
      foldWindow(
        name,
        day.filter(({ time }) => time >= now - seconds),
        quote,
      ),
    ),
    flow: foldFlow(quoted.filter(({ time }) => time >= flowSince(now))),
    ...keepRecent(recent, now),
  };
}

/** The same answer from what the store summed up. */
export function activityOfSums(sums: ActivitySums, now: number): Activity {
  const quote = dominantQuote(new Map(sums.quotes.map(({ quote_mint, swaps }) => [quote_mint, swaps])));
  const dominant = sums.quotes.find(({ quote_mint }) => quote_mint === quote);
  const volume = (mint: Address | '', window: number) =>
    sums.quotes.find(({ quote_mint }) => quote_mint === mint)?.volumes[window] ?? 0n;
  return {
    quote,
    quoteDecimals: quote === '' || dominant === undefined ? undefined : knownQuoteDecimals(dominant),
    windows: sums.windows.map((counts, index) => ({
      name: ACTIVITY_WINDOWS[index]!.name,
      volume: volume('', index),
      quoteVolume: quote === '' ? 0n : volume(quote, index),
      ...counts,
    })),
    flow: sums.flow.filter(({ quote_mint }) => quote_mint === quote),
    ...keepRecent(sums.recent.map(recentSwap).reverse(), now),
  };
}

/** Spans that the store has to sum up for an answer at `now`. */
export function activitySpans(now: number): ActivitySpans {
  const [shortest, middle, longest] = ACTIVITY_WINDOWS.map(({ seconds }) => now - seconds) as [number, number, number];
  return {
    windows: [shortest, middle, longest],
    flow: flowSince(now),
    recentLimit: RECENT_SWAPS,
  };
}

/** Swaps of a day in each quote; the one of more than half of them, unless it is SOL or shares the day with another that is not. */
function dominantQuote(counts: ReadonlyMap<Address | '', number>): Address | '' {
  const [other, ...more] = [...counts].filter(([quote]) => quote !== '');
  if (other === undefined || more.length > 0) return '';
  const [quote, swaps] = other;
  return swaps > (counts.get('') ?? 0) ? quote : '';
}

function countQuotes(swaps: readonly ActivitySwap[]): ReadonlyMap<Address | '', number> {
  const counts = new Map<Address | '', number>();
  for (const { quote_mint } of swaps) counts.set(quote_mint, (counts.get(quote_mint) ?? 0) + 1);
  return counts;
}

function foldWindow(name: WindowName, swaps: readonly ActivitySwap[], quote: Address | ''): ActivityWindow {
  const buyers = new Set<string>();
  const sellers = new Set<string>();
  let buys = 0;
  let volume = 0n;
  let quoteVolume = 0n;
  for (const swap of swaps) {
    if (swap.is_buy) buys += 1;
    if (!swap.protocol_actor) (swap.is_buy ? buyers : sellers).add(swap.trader);
    if (swap.quote_mint === '') volume += swap.quote_amount;
    else if (swap.quote_mint === quote) quoteVolume += swap.quote_amount;
  }
  return {
    name,
    volume,
    quoteVolume,
    buys,
    sells: swaps.length - buys,
    buyers: buyers.size,
    sellers: sellers.size,
  };
}

function foldFlow(swaps: readonly ActivitySwap[]): ActivityMinute[] {
  const minutes: { start: number; buy: bigint; sell: bigint }[] = [];
  for (const { time, is_buy, quote_amount } of swaps) {
    const start = time - (time % MINUTE_S);
    let minute = minutes.at(-1);
    if (minute?.start !== start) {
      minute = { start, buy: 0n, sell: 0n };
      minutes.push(minute);
    }
    if (is_buy) minute.buy += quote_amount;
    else minute.sell += quote_amount;
  }
  return minutes;
}

/** The ids that fit, by whole seconds, so that `since` says exactly which are in. */
function keepRecent(recent: readonly RecentSwap[], now: number): Pick<Activity, 'recentSince' | 'recentIds'> {
  const last = recent.at(-1);
  const newest = last !== undefined && last.time >= activitySince(now) ? last : undefined;
  const since = recentSince(newest, now);
  const cut = recent.at(-RECENT_SWAPS);
  const fitting = cut === undefined || newest === undefined ? since : Math.min(cut.time + 1, newest.time);
  const first = Math.max(since, fitting);
  return { recentSince: first, recentIds: recent.filter(({ time }) => time >= first).map(({ id }) => id) };
}

/** The answer's bytes. */
export function activityBody({ quote, quoteDecimals, windows, flow, ...recent }: Activity): Buffer {
  return jsonBody({
    quote_mint: quote,
    ...(quote === '' ? {} : quoteUnit(quote, quoteDecimals)),
    windows: windows.map((window) => windowRow(window, quote)),
    flow: flow.map(flowRow),
    recent_since: timeText(recent.recentSince),
    recent_ids: recent.recentIds,
  } satisfies Written<ActivityAnswer>);
}

function windowRow(window: ActivityWindow, quote: Address | ''): Written<ActivityAnswer['windows'][number]> {
  const { name, volume, quoteVolume, buys, sells, buyers, sellers } = window;
  return {
    w: name,
    vol: String(volume),
    vol_quote: quote === '' ? undefined : String(quoteVolume),
    txns: buys + sells,
    buys,
    sells,
    buyers,
    sellers,
  };
}

function flowRow({ start, buy, sell }: ActivityMinute): Written<ActivityAnswer['flow'][number]> {
  return { t: start, buy: String(buy), sell: String(sell) };
}
