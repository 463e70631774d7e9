import type { Written } from '../../contract/written.ts';
import { routerName } from '../../programs/registry/index.ts';
import { MAX_ROUTERS, type RouterRow } from './contract-routers.ts';
import type { RouterSums, RouterSumsOfAll } from './routers-reads.ts';

/** Dollars are in billionths, and the price of SOL in millionths of one. */
const MICROS = 1_000_000;
const SHARE_DIGITS = 1_000_000n;

/** Lamports of swaps in SOL and in stablecoins, rounded down; undefined where there are dollars and no price of SOL. */
export function flowLamports({ sol, usd }: Pick<RouterSums, 'sol' | 'usd'>, solUsd: number | undefined) {
  if (usd === 0n) return sol;
  const solMicros = solUsd === undefined ? 0n : BigInt(Math.round(solUsd * MICROS));
  return solMicros === 0n ? undefined : sol + (usd * BigInt(MICROS)) / solMicros;
}

/** A router's place, before what reverted and who traded is known. */
export interface RankedRouter extends RouterSums {
  /** Undefined where it is not known. */
  readonly volume: bigint | undefined;
}

const NO_SWAPS: RouterSums = {
  ...{ router: '', swaps: 0n, sol: 0n, usd: 0n, transactions: 0n },
  ...{ medianTip: undefined, medianBid: undefined },
};

/** Direct swaps first, whether there are any, then most volume, most swaps and the smaller address. Volume in SOL stands for what is not known. */
export function rankRouters({ routers }: RouterSumsOfAll, solUsd: number | undefined): readonly RankedRouter[] {
  const direct = routers.find(({ router }) => router === '') ?? NO_SWAPS;
  const routed = routers
    .filter(({ router }) => router !== '')
    .map((sums) => ({ ...sums, volume: flowLamports(sums, solUsd) }))
    .sort(
      (a, b) =>
        Number((b.volume ?? b.sol) - (a.volume ?? a.sol)) ||
        Number(b.swaps - a.swaps) ||
        (a.router < b.router ? -1 : 1),
    );
  return [{ ...direct, volume: flowLamports(direct, solUsd) }, ...routed.slice(0, MAX_ROUTERS - 1)];
}

/** A part of a whole, to six digits; undefined of nothing. */
export function ratioOf(part: bigint, whole: bigint): number | undefined {
  return whole === 0n ? undefined : Number((part * SHARE_DIGITS + whole / 2n) / whole) / Number(SHARE_DIGITS);
}

export interface RouterNews {
  /** Of all routers; undefined where it is not known. */
  readonly volume: bigint | undefined;
  /** Transactions that reverted, by router; undefined where they are not known. */
  readonly reverted: ReadonlyMap<string, bigint> | undefined;
  /** Wallets by router. */
  readonly traders: ReadonlyMap<string, number>;
}

export function routerRow(ranked: RankedRouter, { volume, reverted, traders }: RouterNews): Written<RouterRow> {
  const { router, swaps, transactions, medianTip, medianBid } = ranked;
  const failed = reverted?.get(router) ?? 0n;
  return {
    router,
    router_name: router === '' ? undefined : routerName(router),
    ...{ swaps: Number(swaps), volume: ranked.volume?.toString() },
    share: ranked.volume === undefined || volume === undefined ? undefined : ratioOf(ranked.volume, volume),
    // A sketch may tell more than there can be, and can be made to.
    traders: Math.min(traders.get(router) ?? 0, Number(swaps)),
    revert_rate: reverted === undefined ? undefined : ratioOf(failed, failed + transactions),
    ...{ median_tip: medianTip?.toString(), median_cu_price: medianBid?.toString() },
  };
}
