import type { Address } from '../../chain/address.ts';
import { supplyPct } from '../../token/supply.ts';
import type { LaunchAnalysis } from '../launch/launch-rules.ts';
import { MIN_FLAGGED_RECEIVERS } from '../movements/crumb-rules.ts';
import type { FunderCluster } from '../movements/funding-rules.ts';
import {
  type BalanceRows,
  RECONCILED,
  type Reconciliation,
  reconcile,
  reconstruct,
  type WalletBalance,
} from './balance-rules.ts';
import { MAX_WALLETS } from './contract-limits.ts';
import type { Intelligence as IntelligenceAnswer } from './contract-shapes.ts';
import { findEvents, type WalletEvent } from './event-rules.ts';
import { insiderEvidence } from './insider-rules.ts';
import { type Pattern, patternOf } from './pattern-rules.ts';
import { type PnlStatus, pnlOf, type TokenPrice } from './pnl-rules.ts';
import type { NotableMove, NotableSwap, WalletFunding } from './rule-rows.ts';
import { findSnipers, firstBuys, type Launch, type Snipers } from './sniper-rules.ts';
import { type Cast, holdingStateOf, type Ownership, rankWallets, viewOf, type WalletView } from './wallet-rules.ts';

/** Analysis of all trades and moves of a token at once: docs/research.md, "Holders and intelligence". */

export type OwnershipSource = IntelligenceAnswer['pnl']['source'];

/** Rows that balances are put together from. */
export interface OwnershipRows extends BalanceRows {
  readonly supply: bigint | undefined;
  /** True when every trade and move since the creation is in them. */
  readonly isWhole: boolean;
  /** Balances of all wallets as a node told them, reserves left out. */
  readonly onchain: ReadonlyMap<Address, bigint> | undefined;
}

/** Balances of wallets, and how well they are known. */
export interface Holdings {
  readonly source: OwnershipSource;
  readonly walletBalances: ReadonlyMap<Address, WalletBalance>;
  readonly reconciliation: Reconciliation;
  /** False when nothing that depends on ownership may be told. */
  readonly isTold: boolean;
}

/**
 * Indexed trades and moves when they are whole and agree; what the chain told
 * where they do not; trades alone where nothing else is known.
 */
export function settleHoldings({ supply, isWhole, onchain, ...rows }: OwnershipRows): Holdings {
  const walletBalances = reconstruct(rows);
  const isJudged = isWhole && supply !== undefined;
  const reconciliation = isJudged ? reconcile(walletBalances.values(), supply) : RECONCILED;
  if (isJudged && (!reconciliation.unreconciled || onchain === undefined)) {
    return { source: 'indexed_transfers', walletBalances, reconciliation, isTold: !reconciliation.unreconciled };
  }
  if (onchain === undefined || supply === undefined) {
    return { source: 'swap_estimate', walletBalances, reconciliation: RECONCILED, isTold: false };
  }
  return {
    source: 'onchain',
    walletBalances: withBalances(walletBalances, onchain),
    reconciliation: RECONCILED,
    isTold: true,
  };
}

function withBalances(
  walletBalances: ReadonlyMap<Address, WalletBalance>,
  onchain: ReadonlyMap<Address, bigint>,
): ReadonlyMap<Address, WalletBalance> {
  const told = new Map<Address, WalletBalance>();
  for (const [wallet, walletBalance] of walletBalances)
    told.set(wallet, { ...walletBalance, balance: onchain.get(wallet) ?? 0n });
  for (const [wallet, balance] of onchain) {
    if (told.has(wallet)) continue;
    const nothing = { positions: [], bought: 0n, sold: 0n, flow: undefined, result: undefined };
    told.set(wallet, { wallet, ...nothing, balance });
  }
  return told;
}

/** False when too few wallets ever got some for sends to be flagged: then nobody needs to read them. */
export function maySendsBeFlagged({ walletBalances }: Holdings, isWhole: boolean): boolean {
  if (!isWhole) return true;
  let receivers = 0;
  for (const { flow } of walletBalances.values()) if (flow !== undefined && flow.received > 0n) receivers++;
  return receivers >= MIN_FLAGGED_RECEIVERS;
}

/** Facts of the launch, as far as anybody saw it. */
export interface LaunchFacts {
  readonly launch: Launch | undefined;
  readonly analysis: LaunchAnalysis;
}

/** Launch wallets: whose doings are followed. */
export function castOf(
  { launch, analysis }: LaunchFacts,
  clusters: readonly FunderCluster[],
  fundings: ReadonlyMap<Address, WalletFunding>,
): { readonly cast: Cast; readonly snipers: Snipers | undefined } {
  const snipers = launch === undefined ? undefined : findSnipers(launch);
  const bundleOf = new Map<Address, number>();
  for (const [index, { isBundle, wallets }] of analysis.bundles.entries()) {
    if (isBundle) for (const wallet of wallets) if (!bundleOf.has(wallet)) bundleOf.set(wallet, index);
  }
  const cast: Cast = {
    creator: analysis.creator,
    snipers: snipers?.wallets ?? new Set(),
    bundleOf,
    linked: new Set(clusters.flatMap(({ wallets }) => wallets)),
    fundings,
    firstBuys: firstBuys(launch?.swaps ?? []),
    createdSlot: launch?.createdSlot,
  };
  return { cast, snipers };
}

export interface IntelligenceRows {
  readonly supply: bigint | undefined;
  readonly price: TokenPrice | undefined;
  readonly holdings: Holdings;
  readonly facts: LaunchFacts;
  readonly clusters: readonly FunderCluster[];
  readonly fundings: ReadonlyMap<Address, WalletFunding>;
  readonly swaps: readonly NotableSwap[];
  readonly moves: readonly NotableMove[];
  readonly buyers: number;
  /** All sends that are kept of the token are flagged, by the rule of /sends; undefined where some were never told. */
  readonly isHandedOut: boolean | undefined;
  /** Unix seconds. */
  readonly now: number;
}

export interface SniperFigures extends Snipers {
  readonly total: number;
  readonly holding: number;
  readonly closed: number;
  readonly unknown: number;
  /** Undefined where ownership is not told. */
  readonly supplyPct: number | undefined;
}

export interface Intelligence {
  readonly holdings: Holdings;
  /** Of wallets with a balance; undefined where ownership is not told. */
  readonly pnl: Readonly<Record<PnlStatus, number>> | undefined;
  /** Undefined while nobody saw the launch. */
  readonly snipers: SniperFigures | undefined;
  readonly wallets: readonly WalletView[];
  readonly events: readonly WalletEvent[];
  readonly pattern: Pattern;
}

export function analyseIntelligence(rows: IntelligenceRows): Intelligence {
  const { holdings, supply } = rows;
  const { walletBalances, isTold } = holdings;
  const isTraced = holdings.source === 'indexed_transfers';
  const ownership: Ownership | undefined =
    isTold && supply !== undefined ? { supply, price: rows.price, isTraced } : undefined;
  const { cast, snipers } = castOf(rows.facts, rows.clusters, rows.fundings);
  const ranked = rankWallets(walletBalances.values(), ownership !== undefined, cast.firstBuys, MAX_WALLETS);
  return {
    holdings,
    pnl: ownership === undefined ? undefined : countPnl(walletBalances.values(), ownership),
    snipers: snipers === undefined ? undefined : countSnipers(snipers, walletBalances, ownership),
    wallets: ranked.map((walletBalance) => viewOf(walletBalance, cast, ownership)),
    events: findEvents({ ...rows, walletBalances, cast, ownership, supply }),
    pattern: patternOf(evidenceOf(rows, cast, ownership)),
  };
}

function countPnl(walletBalances: Iterable<WalletBalance>, { price }: Ownership): Record<PnlStatus, number> {
  const counts: Record<PnlStatus, number> = { profit: 0, loss: 0, flat: 0, unknown: 0 };
  for (const { positions, balance, result } of walletBalances) {
    if (balance > 0n) counts[pnlOf(positions, balance, price, result).status] += 1;
  }
  return counts;
}

function countSnipers(
  snipers: Snipers,
  walletBalances: ReadonlyMap<Address, WalletBalance>,
  ownership: Ownership | undefined,
): SniperFigures {
  const counts = { holding: 0, closed: 0, unknown: 0 };
  let held = 0n;
  for (const wallet of snipers.wallets) {
    const walletBalance = walletBalances.get(wallet);
    counts[ownership === undefined || walletBalance === undefined ? 'unknown' : holdingStateOf(walletBalance)] += 1;
    if (walletBalance !== undefined && walletBalance.balance > 0n) held += walletBalance.balance;
  }
  return {
    ...snipers,
    ...counts,
    total: snipers.wallets.size,
    supplyPct: ownership === undefined ? undefined : supplyPct(held, ownership.supply),
  };
}

function evidenceOf(rows: IntelligenceRows, cast: Cast, ownership: Ownership | undefined) {
  const { walletBalances } = rows.holdings;
  const boughtBy = (wallets: Iterable<Address>) => sumOf(wallets, (wallet) => walletBalances.get(wallet)?.bought ?? 0n);
  const devs = [...walletBalances.keys()].filter(
    (wallet) =>
      cast.creator !== undefined && (wallet === cast.creator || cast.fundings.get(wallet)?.funder === cast.creator),
  );
  return {
    supply: rows.supply,
    isLaunchSeen: rows.facts.launch !== undefined,
    buyers: rows.buyers,
    snipersBought: boughtBy(cast.snipers),
    isBundled: rows.facts.analysis.bundles.some(({ isBundle, slot }) => isBundle && slot === cast.createdSlot),
    clusterSize: Math.max(0, ...rows.clusters.map(({ wallets }) => wallets.length)),
    clustersBought: boughtBy(cast.linked),
    devHolds: ownership === undefined ? undefined : sumOf(devs, (wallet) => heldBy(walletBalances.get(wallet))),
    isHandedOut: rows.isHandedOut,
    ...insiderEvidence({ cast, walletBalances, isTold: ownership !== undefined, ...rows }),
  };
}

function heldBy(walletBalance: WalletBalance | undefined): bigint {
  return walletBalance === undefined || walletBalance.balance < 0n ? 0n : walletBalance.balance;
}

function sumOf(wallets: Iterable<Address>, read: (wallet: Address) => bigint): bigint {
  let sum = 0n;
  for (const wallet of wallets) sum += read(wallet);
  return sum;
}
