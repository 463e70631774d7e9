import type { Address } from '../../chain/address.ts';
import { groupBy } from './group-by.ts';

/** Buyers of a token that the same wallet funded: evidence of common control, not proof. docs/research.md, "Funding clusters". */

/** A wallet that bought early, and the transfer that funded it first, as far as any is known. */
export interface FundedBuyer {
  readonly wallet: Address;
  readonly funder: Address | undefined;
  /** Lamports of that transfer; 0 without one. */
  readonly amount: bigint;
  /** Unix seconds of that transfer; 0 while unknown. */
  readonly time: number;
}

/** Facts of a funder besides the buyers that it funded. */
export interface FunderProfile {
  /** The registry's name of an exchange, a bridge, a market maker or a platform; undefined for anybody else. */
  readonly label: string | undefined;
  /** Wallets that it is known to have made, at all and on its busiest day; 0 while none is known. */
  readonly wallets: number;
  readonly busiestDay: number;
}

export interface FundingContext {
  /** The launch's signer, while known. */
  readonly creator: Address | undefined;
  /** Wallet that funded the creator first, as far as known. */
  readonly creatorFunder: Address | undefined;
  /** A funder that is not listed has no label and made no wallet that is known. */
  readonly profiles: ReadonlyMap<Address, FunderProfile>;
}

export interface FunderCluster {
  readonly funder: Address;
  readonly label: string | undefined;
  /** The funder is the creator, or the wallet that funded the creator too. */
  readonly isDev: boolean;
  /** Buyers in the order given: those that it funded, and itself when it is one. */
  readonly wallets: readonly Address[];
}

/** A funder that made more wallets serves the public, whoever it is. */
export const BUSY_FUNDER_WALLETS = 1_000;
/** One in so many of the wallets of its busiest day at least has to be among the buyers. */
export const BUSY_DAY_SHARE = 10;
/** Buyers that a public funder paid alike, in lamports, and within so many seconds, belong together from this many on. */
export const ALIKE_BUYERS = 3;
export const ALIKE_SECONDS = 600;

const NOBODY: FunderProfile = { label: undefined, wallets: 0, busiestDay: 0 };

/** Clusters of buyers, the largest first, then by funder. The creator and protocol actors are not among `buyers`. */
export function clusterByFunder(buyers: readonly FundedBuyer[], context: FundingContext): FunderCluster[] {
  const funded = groupBy(buyers, ({ funder }) => funder);
  const bought = new Set(buyers.map(({ wallet }) => wallet));
  const clusters: FunderCluster[] = [];
  for (const [funder, siblings] of funded) {
    if (funder === undefined) continue;
    const wallets = linkedBuyers(funder, siblings, bought, context);
    if (wallets.size === 0) continue;
    clusters.push({
      funder,
      label: context.profiles.get(funder)?.label,
      isDev: isDevFunder(funder, siblings.length, context),
      wallets: buyers.filter(({ wallet }) => wallets.has(wallet)).map(({ wallet }) => wallet),
    });
  }
  return clusters.sort((a, b) => b.wallets.length - a.wallets.length || (a.funder < b.funder ? -1 : 1));
}

/** Buyers that a funder links; none when it links nobody. */
function linkedBuyers(
  funder: Address,
  siblings: readonly FundedBuyer[],
  bought: ReadonlySet<Address>,
  context: FundingContext,
): ReadonlySet<Address> {
  const isCreator = funder === context.creator;
  if (!isCreator && isPublicFunder(context.profiles.get(funder) ?? NOBODY, siblings.length)) {
    return new Set(paidAlike(siblings));
  }
  const wallets = new Set(siblings.map(({ wallet }) => wallet));
  if (bought.has(funder)) wallets.add(funder);
  // The creator and one buyer that it funded are two already.
  return wallets.size >= 2 || isCreator ? wallets : new Set();
}

/** True for a funder whose clients have no more to do with each other than anybody. */
export function isPublicFunder({ label, wallets, busiestDay }: FunderProfile, buyers: number): boolean {
  return label !== undefined || wallets > BUSY_FUNDER_WALLETS || busiestDay > BUSY_DAY_SHARE * buyers;
}

function isDevFunder(funder: Address, buyers: number, { creator, creatorFunder, profiles }: FundingContext): boolean {
  if (funder === creator) return true;
  return funder === creatorFunder && !isPublicFunder(profiles.get(funder) ?? NOBODY, buyers);
}

/** Clients of a public funder that got the same amount within minutes: withdrawals by one hand. */
function paidAlike(siblings: readonly FundedBuyer[]): Address[] {
  const timed = siblings.filter(({ time }) => time > 0);
  const alike = new Set<Address>();
  for (const same of groupBy(timed, ({ amount }) => amount).values()) {
    const inOrder = same.toSorted((a, b) => a.time - b.time);
    let end = 0;
    for (const [start, { time }] of inOrder.entries()) {
      while (end < inOrder.length && inOrder[end]!.time - time <= ALIKE_SECONDS) end += 1;
      if (end - start < ALIKE_BUYERS) continue;
      for (const { wallet } of inOrder.slice(start, end)) alike.add(wallet);
    }
  }
  return [...alike];
}
