import type { Address } from '../../src/chain/address.ts';
import type { Attempt, BlockFacts, Swap } from '../../src/facts/fact.ts';
import { quoteMint, routerName, tipProvider } from '../../src/programs/registry/index.ts';

/** The flow by router and the tip market by going through the blocks, without a store. */

const LENGTHS = { '5m': 300, '1h': 3_600, '24h': 86_400, '7d': 604_800 } as const;
const STEPS = { '5m': 10, '1h': 60, '24h': 900, '7d': 7_200 } as const;
const STEP_NAMES = { '5m': '10s', '1h': '1m', '24h': '15m', '7d': '2h' } as const;
export type FeeWindow = keyof typeof LENGTHS;
export const FEE_WINDOWS = Object.keys(LENGTHS) as FeeWindow[];

const isExact = (window: FeeWindow) => window === '5m' || window === '1h';
const order = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);

/** The first three digits, and zeros. */
export const cut = (amount: bigint) => {
  const text = String(amount);
  return text.length < 4 ? amount : BigInt(text.slice(0, 3).padEnd(text.length, '0'));
};

function grouped<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

/** Where a window begins that ends with a time. */
export function beginOf(window: FeeWindow, now: number): number {
  const begin = now - LENGTHS[window];
  return isExact(window) ? begin : Math.floor(begin / 60) * 60;
}

const within = (known: readonly BlockFacts[], from: number, now: number) =>
  known.filter(({ time }) => time >= from && time <= now);

function median(values: readonly bigint[], window: FeeWindow): string | undefined {
  const sorted = values.map((value) => (isExact(window) ? value : cut(value))).sort(order);
  if (sorted.length === 0) return undefined;
  return String((sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2n);
}

/** Lamports of swaps in SOL and in dollars, at so many dollars a SOL; undefined where these are not known. */
function volumeOf(swaps: readonly Swap[], solUsd: bigint | undefined): bigint | undefined {
  const sol = sum(swaps.filter((swap) => swap.quoteMint === undefined).map(({ quoteAmount }) => quoteAmount));
  const nano = swaps.flatMap(({ quoteMint: mint, quoteAmount }) => {
    const quote = mint === undefined ? undefined : quoteMint(mint);
    return quote?.class === 'usd' ? quoteAmount * 10n ** BigInt(9 - quote.decimals!) : [];
  });
  if (solUsd === undefined) return sum(nano) === 0n ? sol : undefined;
  return sol + sum(nano) / solUsd;
}

const ratio = (part: number | bigint, whole: number | bigint) => Math.round((Number(part) / Number(whole)) * 1e6) / 1e6;
const transactionsOf = <T extends Swap | Attempt>(rows: readonly T[]) =>
  [...grouped(rows, ({ slot, blockIndex }) => `${slot} ${blockIndex}`).values()] as T[][];

/** What swaps of a window went through. `traders` are told besides, by router. */
export function trueRouters(
  known: readonly BlockFacts[],
  { window, now, venue, solUsd }: { window: FeeWindow; now: number; venue?: number | undefined; solUsd?: bigint },
) {
  const from = beginOf(window, now);
  const isShown = (row: Swap | Attempt) => venue === undefined || row.venue === venue;
  const swaps = within(known, from, now).flatMap((block) => block.swaps.filter(isShown));
  const attempts = within(known, from, now).flatMap((block) => block.attempts.filter(isShown));
  const byHours = isExact(window) ? from : from - (from % 3_600);
  const older = within(known, byHours, now).flatMap((block) => block.swaps.filter(isShown));
  const all = volumeOf(swaps, solUsd);
  const traders = new Map<string, number>();
  const rowOf = (router: string) => {
    const isOwn = (row: Swap | Attempt) => (row.router ?? '') === router;
    const own = swaps.filter(isOwn);
    const landed = transactionsOf(own);
    const reverted = transactionsOf(attempts.filter(isOwn)).length;
    // Reverted trades of equities are not known.
    const tried = reverted + landed.filter((legs) => legs.some((leg) => leg.venue < 2)).length;
    const volume = volumeOf(own, solUsd);
    const wallets = older.filter((swap) => isOwn(swap) && !swap.protocolActor).map(({ trader }) => trader);
    traders.set(router, new Set(wallets).size);
    const tips = landed.flatMap(([leg]) => (leg!.tip > 0n ? [leg!.tip] : []));
    const bids = landed.flatMap((legs) => {
      const onCurve = legs.filter((leg) => leg.venue === 0 && leg.budget.source !== 2);
      return onCurve.length === 0 ? [] : [onCurve[0]!.budget.cuPrice];
    });
    return {
      ...{ router, router_name: router === '' ? undefined : routerName(router as Address) },
      ...{ swaps: own.length, volume: volume?.toString() },
      share: !all || volume === undefined ? undefined : ratio(volume, all),
      revert_rate: tried === 0 || venue === 2 ? undefined : ratio(reverted, tried),
      ...{ median_tip: median(tips, window), median_cu_price: median(bids, window) },
    };
  };
  const solOf = (router: string) =>
    volumeOf(
      swaps.filter((swap) => swap.router === router && !swap.quoteMint),
      undefined,
    )!;
  const ranked = ({ router, volume }: ReturnType<typeof rowOf>) => (volume ? BigInt(volume) : solOf(router));
  const routers = [...new Set(swaps.flatMap(({ router }) => router ?? []))];
  const rows = routers
    .map(rowOf)
    .sort((a, b) => order(ranked(b), ranked(a)) || b.swaps - a.swaps || (a.router < b.router ? -1 : 1));
  const flow = {
    window,
    swaps: swaps.length,
    volume: all?.toString(),
    data: [rowOf(''), ...rows],
    since: '2026-07-06',
  };
  return { flow, traders };
}

/** What one transaction tipped a provider, as a list of all of them. */
export interface PaidTip {
  readonly time: number;
  readonly provider: string;
  readonly lamports: bigint;
}

/** Tips of some blocks: the truth of their transactions, not what facts sum up. */
export function trueTipMarket(paid: readonly PaidTip[], window: FeeWindow, now: number) {
  const from = beginOf(window, now);
  const step = STEPS[window];
  const inWindow = paid.filter(({ time }) => time >= from && time <= now);
  const data = [...grouped(inWindow, ({ time, provider }) => `${time - (time % step)} ${provider}`)].map(
    ([key, tips]) => {
      const sorted = tips.map(({ lamports }) => lamports).sort(order);
      const at = (share: number) => String(cut(sorted[Math.ceil(sorted.length * share) - 1]!));
      return {
        ...{ t: Number(key.split(' ')[0]), provider: tips[0]!.provider, count: tips.length },
        ...{ p25: at(0.25), p50: at(0.5), p75: at(0.75), p95: at(0.95), max: String(sorted.at(-1)) },
        lamports: String(sum(sorted)),
      };
    },
  );
  return {
    ...{ window, step: STEP_NAMES[window] },
    data: data.sort(
      (a, b) => a.t - b.t || order(BigInt(b.lamports), BigInt(a.lamports)) || (a.provider < b.provider ? -1 : 1),
    ),
  };
}

/** Tips of a transaction together, by provider. */
export function tipsOfTransaction(tips: readonly { wallet: Address; lamports: bigint }[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { wallet, lamports } of tips) {
    const provider = tipProvider(wallet)!;
    sums.set(provider, (sums.get(provider) ?? 0n) + lamports);
  }
  return sums;
}
