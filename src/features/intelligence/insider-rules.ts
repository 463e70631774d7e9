import type { Address } from '../../chain/address.ts';
import type { WalletBalance } from './balance-rules.ts';
import type { NotableSwap } from './rule-rows.ts';
import type { Cast } from './wallet-rules.ts';

/** Insiders of a launch, its creator, snipers and bundled wallets: what they have sold, and whether they are gone. */

/** Ten minutes: as long as an exit is in progress, seconds. */
export const EXIT_WINDOW_S = 600;
/** A holder is gone with no more than so many percent left of what it bought, … */
export const LEFT_OVER_PCT = 10n;
/** … and has left by selling when so many percent of that were sold. */
export const LEFT_SOLD_PCT = 50n;
/** Whoever bought less than so many percent of the supply is not missed. */
export const MISSED_PCT = 1n;
/** A creator that bought so many percent of what insiders did decides by itself, however little of the supply that is. */
export const CREATOR_PART_PCT = 10n;

export interface InsiderEvidence {
  /** Raw units that they ever bought. */
  readonly insidersBought: bigint;
  /** Raw units by which they hold less, by their trades, than at the height of the last ten minutes, wallet by wallet. */
  readonly insidersSold: bigint;
  /** The creator bought some, and parted with it in whatever way. */
  readonly isCreatorGone: boolean;
  /** The creator sold what it had bought, at any time; where it never bought a share that matters, all together did. */
  readonly haveInsidersLeft: boolean;
}

export interface InsiderRows {
  readonly cast: Pick<Cast, 'creator' | 'snipers' | 'bundleOf'>;
  readonly walletBalances: ReadonlyMap<Address, WalletBalance>;
  /** False where balances are not told: what trades leave stands for them. */
  readonly isTold: boolean;
  readonly supply: bigint | undefined;
  /** Newest first. */
  readonly swaps: readonly NotableSwap[];
  /** Unix seconds. */
  readonly now: number;
}

export function insiderEvidence({ cast, walletBalances, isTold, supply, swaps, now }: InsiderRows): InsiderEvidence {
  const insiders = new Set<Address>([...cast.snipers, ...cast.bundleOf.keys()]);
  if (cast.creator !== undefined) insiders.add(cast.creator);
  const all = standing(insiders, walletBalances, isTold);
  const creator = standing(cast.creator === undefined ? [] : [cast.creator], walletBalances, isTold);
  const isMissed = ({ bought }: Standing) => supply !== undefined && bought * 100n >= supply * MISSED_PCT;
  const doesCreatorMatter =
    isMissed(creator) || (creator.bought > 0n && creator.bought * 100n >= all.bought * CREATOR_PART_PCT);
  return {
    insidersBought: all.bought,
    insidersSold: soldSinceHeight(insiders, swaps, now - EXIT_WINDOW_S),
    isCreatorGone: isGone(creator),
    // A creator that keeps its own hides nothing of a bundle that is gone.
    haveInsidersLeft: (doesCreatorMatter && hasLeft(creator)) || (isMissed(all) && hasLeft(all)),
  };
}

interface Standing {
  readonly bought: bigint;
  readonly sold: bigint;
  readonly left: bigint;
}

function standing(
  wallets: Iterable<Address>,
  walletBalances: ReadonlyMap<Address, WalletBalance>,
  isTold: boolean,
): Standing {
  let [bought, sold, left] = [0n, 0n, 0n];
  for (const wallet of wallets) {
    const known = walletBalances.get(wallet);
    if (known === undefined) continue;
    const rest = isTold ? known.balance : known.bought - known.sold;
    bought += known.bought;
    sold += known.sold;
    if (rest > 0n) left += rest;
  }
  return { bought, sold, left };
}

function isGone({ bought, left }: Standing): boolean {
  return bought > 0n && left * 100n <= bought * LEFT_OVER_PCT;
}

/** What was given away is not sold: who only hands out has not left by this. */
function hasLeft(standing: Standing): boolean {
  return isGone(standing) && standing.sold * 100n >= standing.bought * LEFT_SOLD_PCT;
}

/** Whoever sells and buys back, as a market maker does, exits by what it does not buy back. */
function soldSinceHeight(wallets: ReadonlySet<Address>, swaps: readonly NotableSwap[], since: number): bigint {
  const net = new Map<Address, bigint>();
  const most = new Map<Address, bigint>();
  for (const { trader, is_buy, time, token_amount } of swaps) {
    if (time <= since || !wallets.has(trader)) continue;
    const sold = (net.get(trader) ?? 0n) + (is_buy ? -token_amount : token_amount);
    net.set(trader, sold);
    if (sold > (most.get(trader) ?? 0n)) most.set(trader, sold);
  }
  let sum = 0n;
  for (const sold of most.values()) sum += sold;
  return sum;
}
