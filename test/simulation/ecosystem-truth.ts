import type { Address } from '../../src/chain/address.ts';
import { decodeBase58 } from '../../src/chain/keys/base58.ts';
import type { BlockFacts, Swap } from '../../src/facts/fact.ts';
import type { HistoryMetric } from '../../src/features/ecosystem/contract-limits.ts';
import { tipProvider } from '../../src/programs/registry/index.ts';
import { ratioPrice } from '../../src/token/price-string.ts';
import { timeOf, trueTips } from './discovery-truth.ts';

/** The ecosystem report by going through the blocks, without a store. */

const HOUR = 3_600;
const LENGTHS = { '1h': HOUR, '24h': 86_400, '7d': 604_800 } as const;
const LAUNCHES = { '1h': HOUR, '24h': 6 * HOUR, '7d': 6 * HOUR } as const;
const CRASHED_FROM = { '1h': 10n ** 10n, '24h': 5n * 10n ** 10n, '7d': 10n ** 11n } as const;
const ROWS = 15;

export type WindowName = keyof typeof LENGTHS;

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);
const order = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);
const bytesOrder = (a: string, b: string) => Buffer.compare(decodeBase58(a), decodeBase58(b));
const percent = (part: bigint, whole: bigint) => Number((part * 20_000n + whole) / (2n * whole)) / 100;

function grouped<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row)) ?? [];
    group.push(row);
    groups.set(keyOf(row), group);
  }
  return groups;
}

export const isTraded = ({ venue }: Swap) => venue !== 2;
export const inSol = (swap: Swap) => swap.quoteMint === undefined;
const feesOf = (swaps: readonly Swap[], which: 'fee' | 'creatorFee') =>
  sum(swaps.filter((swap) => inSol(swap) && !swap.feeInToken).map((swap) => swap[which]));
/** Swaps by their transaction. */
const byTransaction = (swaps: readonly Swap[]) => [
  ...grouped(swaps, ({ slot, blockIndex }) => `${slot} ${blockIndex}`).values(),
];
/** A transaction's budget is told on each of its swaps on a curve, and counts once. */
const priorityOf = (swaps: readonly Swap[]) => {
  const largest = (legs: readonly Swap[]) =>
    legs
      .map(({ budget }) => budget.priorityFee)
      .toSorted(order)
      .at(-1)!;
  return sum(byTransaction(swaps).map(largest));
};
const tradersOf = (swaps: readonly Swap[]) =>
  new Set(swaps.filter(({ protocolActor }) => !protocolActor).map(({ trader }) => trader)).size;

/** Where the window begins that ends with a block's time: by seconds, by minutes, and its lists of tippers and crashes by hours. */
export function beginnings(window: WindowName, now: number) {
  const begin = now - LENGTHS[window];
  const from = window === '1h' ? begin : begin - (begin % 60);
  return { from, byHours: window === '1h' ? from : from - (from % HOUR) };
}

/** What is in the report of the blocks up to the last of some. */
export function trueReport(known: readonly BlockFacts[], window: WindowName) {
  const now = known.at(-1)!.time;
  const { from, byHours } = beginnings(window, now);
  const since = (time: number) => known.filter((block) => block.time >= time);
  const swapsSince = (time: number) => since(time).flatMap(({ swaps }) => swaps.filter(isTraded));
  const swaps = swapsSince(from);
  const hour = swapsSince(now - HOUR);
  const created = since(from).flatMap((block) => block.created);
  const launches = since(now - LAUNCHES[window]).flatMap((block) =>
    block.created.flatMap((creation) => trueBundle(creation, block) ?? []),
  );
  return {
    ...{ window, rule_version: 1, new_tokens: created.length },
    graduated: since(from).flatMap((block) => block.graduated).length,
    volume: String(sum(swaps.filter(inSol).map(({ quoteAmount }) => quoteAmount))),
    trades: swaps.length,
    tips_total: String(
      sum(
        since(from)
          .flatMap(tipsOf)
          .map(({ lamports }) => lamports),
      ),
    ),
    tip_swaps_1h: hour.filter(({ tip }) => tip > 0n).length,
    active_traders_1h: tradersOf(hour),
    buys_1h: hour.filter(({ isBuy }) => isBuy).length,
    sells_1h: hour.filter(({ isBuy }) => !isBuy).length,
    fees_1h: String(feesOf(hour, 'fee')),
    creator_fees_1h: String(feesOf(hour, 'creatorFee')),
    priority_fees_1h: String(priorityOf(hour)),
    tip_wallets: trueTipWallets(since(from), from, now),
    providers: trueTips(known, from),
    tippers: trueTippers(swapsSince(byHours)),
    bundled_launches: launches
      .toSorted((a, b) => order(b.tokens * a.supply, a.tokens * b.supply) || (a.mint < b.mint ? -1 : 1))
      .slice(0, ROWS)
      .map(({ mint, tokens, supply, wallets, time }) => ({
        ...{ mint, created_at: timeOf(time), pct_supply: percent(tokens, supply), wallets: wallets.size },
        lamports: String(sum([...wallets.values()])),
      })),
    bundlers: trueBundlers(launches),
    creators: trueCreators(created, known),
    dev_dumps: trueDumps(known, swaps),
    crashes: trueCrashes(known, swapsSince(byHours), CRASHED_FROM[window]),
  };
}

function tipsOf({ economics }: BlockFacts) {
  return economics.tipsByWallet;
}

function trueTipWallets(blocks: readonly BlockFacts[], from: number, now: number) {
  const quarterOf = (time: number) => Math.floor(((Math.max(time - (time % 60), from) - from) * 4) / (now - from + 1));
  const tips = blocks.flatMap((block) => tipsOf(block).map((tip) => ({ ...tip, quarter: quarterOf(block.time) })));
  return [...grouped(tips, ({ tipWallet }) => tipWallet)]
    .map(([wallet, all]) => ({
      ...{ wallet, provider: tipProvider(wallet as Address)! },
      count: all.reduce((total, { count }) => total + count, 0),
      lamports: sum(all.map(({ lamports }) => lamports)),
      recurring: new Set(all.map(({ quarter }) => quarter)).size === 4,
    }))
    .sort((a, b) => order(b.lamports, a.lamports) || (a.wallet < b.wallet ? -1 : 1))
    .slice(0, ROWS)
    .map((row) => ({ ...row, lamports: String(row.lamports) }));
}

function trueTippers(swaps: readonly Swap[]) {
  const tipping = byTransaction(swaps.filter(({ tip }) => tip > 0n)).map((legs) => legs[0]!);
  return [...grouped(tipping, ({ feePayer }) => feePayer)]
    .map(([wallet, all]) => ({ wallet, count: all.length, lamports: sum(all.map(({ tip }) => tip)) }))
    .sort((a, b) => order(b.lamports, a.lamports) || b.count - a.count || bytesOrder(a.wallet, b.wallet))
    .slice(0, ROWS)
    .map((row) => ({ ...row, lamports: String(row.lamports) }));
}

interface TrueBundle {
  readonly mint: Address;
  readonly time: number;
  readonly tokens: bigint;
  readonly supply: bigint;
  readonly wallets: ReadonlyMap<Address, bigint>;
}

/** What was bought beside others in the slot of a creation; undefined for a launch without a bundle. */
export function trueBundle(creation: BlockFacts['created'][number], { swaps }: BlockFacts): TrueBundle | undefined {
  const { mint, creator, time, mayhem, decimals } = creation;
  const own = swaps.filter((swap) => swap.mint === mint && isTraded(swap));
  const places = new Set(own.map(({ blockIndex }) => blockIndex));
  const isIn = (place: number): boolean => {
    let [first, last] = [place, place];
    while (places.has(first - 1)) first -= 1;
    while (places.has(last + 1)) last += 1;
    const others = own.filter(({ blockIndex, trader, protocolActor }) => {
      return blockIndex >= first && blockIndex <= last && trader !== creator && !protocolActor;
    });
    return last > first && others.length > 0;
  };
  const told = own.filter(({ blockIndex }) => isIn(blockIndex));
  if (told.length === 0) return undefined;
  const wallets = new Map<Address, bigint>();
  let tokens = 0n;
  for (const swap of told.filter(({ isBuy, protocolActor }) => isBuy && !protocolActor)) {
    tokens += swap.tokenAmount;
    wallets.set(swap.trader, (wallets.get(swap.trader) ?? 0n) + (inSol(swap) ? swap.quoteAmount : 0n));
  }
  const supply = (mayhem ? 2n : 1n) * 10n ** BigInt(9 + decimals);
  return { mint, time, tokens, supply, wallets };
}

function trueBundlers(launches: readonly TrueBundle[]) {
  const bought = launches.flatMap(({ wallets }) => [...wallets].map(([wallet, lamports]) => ({ wallet, lamports })));
  return [...grouped(bought, ({ wallet }) => wallet)]
    .filter(([, all]) => all.length > 1)
    .map(([wallet, all]) => ({ wallet, tokens: all.length, lamports: sum(all.map(({ lamports }) => lamports)) }))
    .sort((a, b) => b.tokens - a.tokens || order(b.lamports, a.lamports) || (a.wallet < b.wallet ? -1 : 1))
    .slice(0, ROWS)
    .map((row) => ({ ...row, lamports: String(row.lamports) }));
}

function trueCreators(created: readonly BlockFacts['created'][number][], known: readonly BlockFacts[]) {
  const migrated = new Set(known.flatMap(({ graduated }) => graduated.map(({ mint }) => mint)));
  return [...grouped(created, ({ creator }) => creator)]
    .map(([creator, all]) => ({
      ...{ creator, tokens: all.length },
      graduated: all.filter(({ mint }) => migrated.has(mint)).length,
    }))
    .sort((a, b) => b.tokens - a.tokens || b.graduated - a.graduated || bytesOrder(a.creator, b.creator))
    .slice(0, ROWS);
}

function trueDumps(known: readonly BlockFacts[], swaps: readonly Swap[]) {
  const creatorOf = new Map(known.flatMap(({ created }) => created).map(({ mint, creator }) => [mint, creator]));
  const all = known.flatMap((block) => block.swaps);
  const isDevs = (swap: Swap) => creatorOf.get(swap.mint) === swap.trader;
  const tokensOf = (mint: string, isBuy: boolean) =>
    sum(
      all.filter((swap) => swap.mint === mint && isDevs(swap) && swap.isBuy === isBuy).map((swap) => swap.tokenAmount),
    );
  const sales = swaps.filter((swap) => !swap.isBuy && inSol(swap) && isDevs(swap));
  return [...grouped(sales, ({ mint }) => mint)]
    .map(([mint, sold]) => ({ mint, lamports: sum(sold.map(({ quoteAmount }) => quoteAmount)) }))
    .filter(({ lamports }) => lamports >= 10n ** 9n)
    .sort((a, b) => order(b.lamports, a.lamports) || bytesOrder(a.mint, b.mint))
    .map((row) => ({ ...row, bought: tokensOf(row.mint, true), sold: tokensOf(row.mint, false) }))
    .filter(({ bought, sold }) => bought > 0n && sold * 2n >= bought)
    .slice(0, ROWS)
    .map(({ mint, lamports, bought, sold }) => ({
      ...{ mint, sold_pct: sold >= bought ? 100 : percent(sold, bought), lamports: String(lamports) },
    }));
}

/** Volume in SOL and the highest price of each token, most volume first. */
export function trueVolumes(swaps: readonly Swap[]) {
  const ratioOf = ({ priceQuote, priceToken }: Swap) => Number(priceQuote) / Number(priceToken);
  return [...grouped(swaps.filter(inSol), ({ mint }) => mint)]
    .map(([mint, all]) => {
      const priced = all.filter((swap) => swap.priced);
      // Of equal ones the earliest: `swaps` are in order.
      const high = priced.reduce<Swap | undefined>(
        (best, swap) => (best === undefined || ratioOf(swap) > ratioOf(best) ? swap : best),
        undefined,
      );
      return { mint, volume: sum(all.map(({ quoteAmount }) => quoteAmount)), high };
    })
    .sort((a, b) => order(b.volume, a.volume) || bytesOrder(a.mint, b.mint));
}

function trueCrashes(known: readonly BlockFacts[], swaps: readonly Swap[], least: bigint) {
  const priced = known.flatMap((block) => block.swaps).filter((swap) => swap.priced);
  const newest = new Map(priced.map((swap) => [swap.mint as string, swap]));
  const text = ({ priceQuote: quote, priceToken: token, tokenDecimals }: Swap) =>
    ratioPrice({ quote, token, quoteDecimals: 9, tokenDecimals });
  return trueVolumes(swaps)
    .filter(({ volume }) => volume >= least)
    .flatMap(({ mint, volume, high }) => {
      const last = newest.get(mint);
      if (high === undefined || last === undefined || !inSol(last)) return [];
      const [part, whole] = [last.priceQuote * high.priceToken, last.priceToken * high.priceQuote];
      if (part * 5n > whole) return [];
      return [
        { mint, high: text(high), cur: text(last), drawdown: percent(whole - part, whole), volume: String(volume) },
      ];
    })
    .slice(0, ROWS);
}

/** A figure of some blocks. */
export function trueFigure(metric: HistoryMetric, blocks: readonly BlockFacts[]): bigint {
  const swaps = blocks.flatMap((block) => block.swaps.filter(isTraded));
  const figures: Record<HistoryMetric, () => bigint | number> = {
    new_tokens: () => blocks.flatMap(({ created }) => created).length,
    graduated: () => blocks.flatMap(({ graduated }) => graduated).length,
    volume: () => sum(swaps.filter(inSol).map(({ quoteAmount }) => quoteAmount)),
    trades: () => swaps.length,
    tips_total: () => sum(blocks.flatMap(({ economics }) => economics.tipsByWallet.map(({ lamports }) => lamports))),
    tip_swaps_1h: () => swaps.filter(({ tip }) => tip > 0n).length,
    active_traders_1h: () => tradersOf(swaps),
    buys_1h: () => swaps.filter(({ isBuy }) => isBuy).length,
    sells_1h: () => swaps.filter(({ isBuy }) => !isBuy).length,
    fees_1h: () => feesOf(swaps, 'fee'),
    creator_fees_1h: () => feesOf(swaps, 'creatorFee'),
    priority_fees_1h: () => priorityOf(swaps),
  };
  return BigInt(figures[metric]());
}
