import type { Address } from '../../src/chain/address.ts';
import { encodeSignature } from '../../src/chain/keys/base58.ts';
import type { BlockFacts, Swap } from '../../src/facts/fact.ts';
import { equity } from '../../src/programs/registry/index.ts';
import { priceDouble } from '../../src/store/clickhouse/schema/price-double.ts';
import { movementsByWallet, trueHolding } from './holding-truth.ts';
import {
  decimalsOfQuote,
  decimalText,
  factsOf,
  groupBy,
  type JsonRow,
  present,
  priceText,
  quoteNames,
  timeText,
} from './row-truth.ts';

/** The API's sums over the truth's swaps, added up here in the plainest way. */

export interface CandleQuestion {
  /** Length of a bucket, seconds. */
  readonly step: number;
  readonly limit: number;
  readonly from?: number;
  readonly to?: number;
  readonly fill?: boolean;
}

export interface TrueCandle {
  readonly time: string;
  readonly prices: readonly [open: number, high: number, low: number, close: number];
  readonly volume: string;
  readonly trades: number;
}

/** Candles of some swaps, whose prices are `factor` times the raw ratio. `now` in Unix seconds. */
export function trueCandles(
  swaps: readonly Swap[],
  question: CandleQuestion,
  now: number,
  factor: number,
): TrueCandle[] {
  const { step, limit, fill = false } = question;
  // A bucket that begins now is there to be asked for.
  const to = question.to ?? now + 1;
  const from = question.from ?? to - limit * step;
  const byBucket = groupBy(swaps, ({ time }) => Math.floor(time / step) * step);
  const starts = [...byBucket.keys()];
  const shown: number[] = fill ? [] : starts.filter((start) => start >= from && start < to);
  const first = Math.min(...starts);
  if (fill) {
    const begin = Math.ceil(Math.max(from, first) / step) * step;
    for (let start = begin; start < to && start <= now; start += step) shown.push(start);
  }
  const cut = question.from === undefined ? shown.slice(-limit) : shown.slice(0, limit);
  return cut.map((start) => {
    const trades = byBucket.get(start) ?? [];
    const prices = trades.map((swap) => priceDouble(swap.priceQuote, swap.priceToken) * factor);
    // Of an empty bucket: the newest price before it.
    if (prices.length === 0) {
      const before = swaps.findLast((swap) => swap.time < start)!;
      prices.push(priceDouble(before.priceQuote, before.priceToken) * factor);
    }
    return {
      time: timeText(start),
      prices: [prices[0]!, Math.max(...prices), Math.min(...prices), prices.at(-1)!],
      volume: String(trades.reduce((sum, swap) => sum + swap.quoteAmount, 0n)),
      trades: trades.length,
    };
  });
}

const WINDOWS = [
  ['5m', 300],
  ['1h', 3_600],
  ['24h', 86_400],
] as const;

/** The activity answer at a time, without its ids. */
export function trueActivity(truth: readonly BlockFacts[], mint: string, now: number): JsonRow {
  const swaps = factsOf(truth, 'swaps', mint);
  const day = swaps.filter(({ time }) => time >= now - 86_400);
  const quote = activityQuote(day);
  const sum = (some: readonly Swap[], side?: boolean) =>
    String(
      some
        .filter(({ isBuy }) => side === undefined || isBuy === side)
        .reduce((all, each) => all + each.quoteAmount, 0n),
    );
  const wallets = (some: readonly Swap[], side: boolean) =>
    new Set(some.filter((swap) => swap.isBuy === side && !swap.protocolActor).map(({ trader }) => trader)).size;
  const quoted = day.filter((swap) => swap.quoteMint === quote);
  const hour = groupBy(
    quoted.filter(({ time }) => time >= Math.floor(now / 60) * 60 - 3_540),
    ({ time }) => Math.floor(time / 60) * 60,
  );
  return {
    quote_mint: quote ?? '',
    ...(quote === undefined ? {} : quoteNames(quoted.at(-1)!)),
    windows: WINDOWS.map(([w, seconds]) => {
      const some = day.filter(({ time }) => time >= now - seconds);
      return present({
        w,
        vol: sum(some.filter(({ quoteMint }) => quoteMint === undefined)),
        vol_quote: quote === undefined ? undefined : sum(some.filter(({ quoteMint }) => quoteMint === quote)),
        txns: some.length,
        buys: some.filter(({ isBuy }) => isBuy).length,
        sells: some.filter(({ isBuy }) => !isBuy).length,
        buyers: wallets(some, true),
        sellers: wallets(some, false),
      });
    }),
    flow: [...hour].map(([t, some]) => ({ t, buy: sum(some, true), sell: sum(some, false) })),
  };
}

/** The one token that more than half of the swaps are quoted in, when no other but SOL is; undefined is SOL. */
function activityQuote(swaps: readonly Swap[]): Address | undefined {
  const others = [...new Set(swaps.map(({ quoteMint }) => quoteMint))].filter((quote) => quote !== undefined);
  const [only] = others;
  if (only === undefined || others.length > 1) return undefined;
  return swaps.filter(({ quoteMint }) => quoteMint === only).length * 2 > swaps.length ? only : undefined;
}

export function swapIds(swaps: readonly Pick<Swap, 'signature' | 'ixIndex'>[]): string[] {
  return swaps.map((swap) => `${encodeSignature(swap.signature)}:${swap.ixIndex}`);
}

/** Money of one wallet in one quote, by the average cost of what it holds. */
interface Purse {
  held: bigint;
  bought: bigint;
  sold: bigint;
  paid: bigint;
  got: bigint;
  /** Cost and number of the tokens whose cost is known. */
  cost: bigint;
  costed: bigint;
  profit: bigint;
  isSure: boolean;
  readonly swaps: Swap[];
}

function purseOf(swaps: Swap[]): Purse {
  const purse: Purse = {
    held: 0n,
    bought: 0n,
    sold: 0n,
    paid: 0n,
    got: 0n,
    cost: 0n,
    costed: 0n,
    profit: 0n,
    isSure: true,
    swaps,
  };
  for (const { isBuy, quoteAmount, tokenAmount } of swaps) {
    purse.held += isBuy ? tokenAmount : -tokenAmount;
    if (isBuy) {
      purse.bought += tokenAmount;
      purse.paid += quoteAmount;
      purse.cost += quoteAmount;
      purse.costed += tokenAmount;
      continue;
    }
    purse.sold += tokenAmount;
    purse.got += quoteAmount;
    const sure = tokenAmount <= purse.costed ? tokenAmount : purse.costed;
    // The last of them take what is left of the cost.
    const cost = sure === purse.costed ? purse.cost : (purse.cost * sure) / purse.costed;
    purse.profit += (sure === tokenAmount ? quoteAmount : (quoteAmount * sure) / tokenAmount) - cost;
    purse.isSure &&= sure === tokenAmount;
    purse.cost -= cost;
    purse.costed -= sure;
  }
  return purse;
}

/** Everybody who traded a token or was left with some of it, as the API has to show them, by balance; unknown ones last. */
export function trueWallets(truth: readonly BlockFacts[], mint: string): (JsonRow & { readonly trader: string })[] {
  const swaps = factsOf(truth, 'swaps', mint);
  const last = swaps.findLast(({ priced }) => priced);
  const names = namesOf(truth, mint);
  const byTrader = groupBy(
    swaps.filter(({ protocolActor }) => !protocolActor),
    ({ trader }) => trader,
  );
  const moved = movementsByWallet(truth, mint);
  const rows = [...new Set([...byTrader.keys(), ...moved.keys()])].map((trader) => {
    const own = byTrader.get(trader) ?? [];
    const purses = [...groupBy(own, ({ quoteMint }) => quoteMint).values()].map(purseOf);
    const only = purses.length === 1 ? purses[0] : undefined;
    const quote = only?.swaps[0]?.quoteMint;
    const total = (read: (purse: Purse) => bigint) => purses.reduce((sum, purse) => sum + read(purse), 0n);
    const moves = moved.get(trader);
    const holding = moves && trueHolding(own, moves);
    const traded = total((purse) => purse.held);
    const isKnown = holding?.isEstimateKnown ?? (only === undefined ? traded >= 0n : traded === only.costed);
    const held = isKnown ? (holding?.estimate ?? traded) : undefined;
    const result = holding ?? (only && { ...only, isProfitKnown: only.isSure });
    const isSure = isKnown && purses.length < 2;
    const row = present({
      trader,
      mint,
      ...names,
      token_balance: held?.toString(),
      sol_invested: only && String(only.paid),
      sol_received: only && String(only.got),
      tokens_bought: String(total((purse) => purse.bought)),
      tokens_sold: String(total((purse) => purse.sold)),
      realized_pnl: isSure && result?.isProfitKnown ? String(result.profit) : undefined,
      avg_cost: isSure && only && result && result.costed > 0n ? costText({ ...result, swaps: own }) : undefined,
      current_price: last !== undefined && last.quoteMint === quote ? priceText(last) : undefined,
      first_trade_at: own[0] && timeText(own[0].time),
      last_trade_at: own.length > 0 ? timeText(own.at(-1)!.time) : undefined,
      trade_count: own.length,
      partial: isKnown ? undefined : true,
      ...(quote === undefined ? {} : { quote_mint: quote, ...quoteNames(own[0]!) }),
    });
    return { held: held ?? -1n, row: { ...row, trader } };
  });
  return rows
    .sort((a, b) => (a.held === b.held ? (a.row.trader < b.row.trader ? -1 : 1) : a.held > b.held ? -1 : 1))
    .map(({ row }) => row);
}

function costText({ cost, costed, swaps: [first] }: Pick<Purse, 'cost' | 'costed' | 'swaps'>): string {
  return decimalText(cost * 10n ** BigInt(first!.tokenDecimals), costed * 10n ** BigInt(decimalsOfQuote(first!)));
}

function namesOf(truth: readonly BlockFacts[], mint: string): JsonRow {
  const created = truth.flatMap((block) => block.created).find((each) => each.mint === mint);
  const named = created ?? equity(mint as Address);
  return named === undefined ? {} : present({ name: named.name, symbol: named.symbol });
}

/** Numbers of wallets that hold at the end of each bucket, from the first trade's on. */
export function trueHolderCounts(swaps: readonly Swap[], step: number, buckets: number, now: number): JsonRow[] {
  const people = swaps.filter(({ protocolActor }) => !protocolActor);
  const rows: JsonRow[] = [];
  const last = Math.floor(now / step) * step;
  for (let start = last - (buckets - 1) * step; start <= last; start += step) {
    const soFar = people.filter(({ time }) => time < start + step);
    if (soFar.length === 0) continue;
    const balances = groupBy(soFar, ({ trader }) => trader).values();
    const holders = [...balances].filter((own) => purseOf(own).held > 0n).length;
    rows.push({ time: timeText(start), holders });
  }
  return rows;
}
