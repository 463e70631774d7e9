import type { Address } from '../../chain/address.ts';
import type { Portions } from '../../market/portions.ts';
import type { Traded } from '../../market/window-figures.ts';
import type { WindowTotals } from '../../market/window-totals.ts';
import { equity } from '../../programs/registry/index.ts';
import { quoteLamports } from '../../token/value.ts';

/** What makes a token rank. */
export interface RankedToken {
  readonly mint: Address;
  readonly lamports: bigint;
  /** Swaps in any quote. */
  readonly trades: number;
}

/** Tokens that are looked at between two turns of others. */
const TOKENS_AT_ONCE = 500;

/** A token's place in the ranking; undefined for one without any, as equities and tokens without volume in SOL are. */
export function rankOf(mint: Address, traded: readonly Traded[], solUsd: number | undefined): RankedToken | undefined {
  if (equity(mint) !== undefined) return undefined;
  let [lamports, trades] = [0n, 0];
  for (const each of traded) {
    trades += each.trades;
    lamports += quoteLamports(each.volume, each.quote, solUsd) ?? 0n;
  }
  return lamports > 0n ? { mint, lamports, trades } : undefined;
}

/** Negative when `a` is listed before `b`: it has more volume, of equal ones more swaps. */
export function compareRanked(a: RankedToken, b: RankedToken): number {
  if (a.lamports !== b.lamports) return a.lamports > b.lamports ? -1 : 1;
  return b.trades - a.trades || (a.mint < b.mint ? -1 : 1);
}

/** The first `count` tokens of a window, in order. */
export async function topTokens(
  totals: WindowTotals,
  {
    count,
    solUsd,
    portions,
  }: { readonly count: number; readonly solUsd: number | undefined; readonly portions: Portions },
): Promise<readonly RankedToken[]> {
  let best = new Map<Address, RankedToken>();
  let bar: RankedToken | undefined;
  let looked = 0;
  for (const mint of totals.mints()) {
    looked += 1;
    if (looked % TOKENS_AT_ONCE === 0) await portions.turn();
    const ranked = rankOf(mint, totals.of(mint), solUsd);
    if (ranked === undefined || (bar !== undefined && compareRanked(ranked, bar) >= 0)) continue;
    best.set(mint, ranked);
    if (best.size < 2 * count) continue;
    const kept = [...best.values()].sort(compareRanked).slice(0, count);
    best = new Map(kept.map((each) => [each.mint, each]));
    bar = kept.at(-1);
  }
  return [...best.values()].sort(compareRanked).slice(0, count);
}
