import type { Address } from '../../chain/address.ts';
import type { TransferRow } from '../../store/clickhouse/schema/tables.ts';

/**
 * Whom a rule about some receivers counts: crumbs thrown to others, which cost nothing, make their share no smaller.
 * docs/research.md, "Sends".
 */

export type Wallets = ReadonlySet<Address | ''>;

/** Below so many receivers nothing is flagged. */
export const MIN_FLAGGED_RECEIVERS = 5;
/** A crumb is less than one in so many parts of what those got whom a rule is about. */
export const CRUMB_PART = 10n;
/** What they got is told by the largest amounts that make up half of it, and by so many of these at least. */
export const LARGEST_AMOUNTS = 5;
/** Where it is told by fewer, a crumb is less than one in so many parts of what the least of those got who count, too. */
export const GAP = 2n;
/** … and all of them come to less than one in so many parts of the worth of these. */
export const FEW_PART = 5n;

/** Amounts of several sends to one wallet as one, and those of several wallets as what they are worth together. */
export interface Weighing {
  readonly joined: (a: bigint, b: bigint) => bigint;
  readonly worth: (amounts: readonly bigint[]) => bigint;
}

/** Amounts that are tried as the measure: four of them leave too few at most, or others do. */
const MAX_LEVELS = 8;

const added = (a: bigint, b: bigint) => a + b;
const larger = (a: bigint, b: bigint) => (a > b ? a : b);

/** What somebody was given counts in all. */
export const GIVEN: Weighing = { joined: added, worth: (given) => given.reduce(added, 0n) };
/** The same tokens go from hand to hand, and back at will: what a chain moved is its largest send. */
export const PASSED: Weighing = { joined: larger, worth: (passed) => passed.reduce(larger, 0n) };

type Amounts = ReadonlyMap<Address | '', bigint>;

/** Sends as far as crumbs are told by them. */
type Given = readonly Pick<TransferRow, 'receiver' | 'amount'>[];

/**
 * Choices of the receivers of some sends, in either of which a rule about some of them may hold. The first is all without
 * those who got crumbs beside what most of these got. Where some of these got next to nothing, everybody would be as large
 * as they are: in the second the measure is the largest amount beside which enough are left, and those of these who got
 * crumbs beside it count no more than others do.
 *
 * Crumbs that come to half of the worth of these together are a distribution of its own, and count; so do all where
 * fewer would be left than can be flagged, or one who moves a bag about would speak for everybody.
 */
export function withoutCrumbs(sends: Given, about: Wallets, { joined, worth }: Weighing): Wallets[] {
  const { these, others } = parted(sends, about, joined);
  const largest = [...these.values()].sort(largestFirst);
  const least = leastOfLargest(largest);
  const all: Wallets = new Set([...these.keys(), ...others.keys()]);

  const crumbs = filtered(others, (amount) => amount * CRUMB_PART < least);
  const left = sum(crumbs) * 2n < worth(largest) ? without(all, crumbs) : all;
  const choices = [left.size < MIN_FLAGGED_RECEIVERS ? all : left];
  for (const level of new Set(largest.slice(0, MAX_LEVELS))) {
    if (level <= least) break;
    const kept = filtered(these, (amount) => amount * CRUMB_PART >= level);
    const leastKept = [...kept.values()].sort(largestFirst).at(-1) ?? 0n;
    const small = filtered(others, (amount) => amount * CRUMB_PART < level && amount * GAP < leastKept);
    const choice = without(
      all,
      small,
      filtered(these, (_, wallet) => !kept.has(wallet)),
    );
    if (choice.size < MIN_FLAGGED_RECEIVERS) continue;
    if (sum(small) * FEW_PART < worth([...kept.values()])) choices.push(choice);
    break;
  }
  return choices;
}

/** All receivers without those, of these and of others, who got crumbs beside what most of these were given. */
export function withoutSmall(sends: Given, about: Wallets): Wallets {
  const { these, others } = parted(sends, about, added);
  const least = leastOfLargest([...these.values()].sort(largestFirst));
  const isCrumb = (amount: bigint) => amount * CRUMB_PART < least;
  const small = filtered(others, isCrumb);
  const all: Wallets = new Set([...these.keys(), ...others.keys()]);
  return sum(small) * FEW_PART < sum(these) ? without(all, small, filtered(these, isCrumb)) : all;
}

/** What these got, several sends to one as `joined` says, and what others were given. */
function parted(sends: Given, about: Wallets, joined: Weighing['joined']) {
  const [these, others] = [new Map<Address | '', bigint>(), new Map<Address | '', bigint>()];
  for (const { receiver, amount } of sends) {
    if (about.has(receiver)) these.set(receiver, joined(these.get(receiver) ?? 0n, amount));
    else others.set(receiver, (others.get(receiver) ?? 0n) + amount);
  }
  return { these, others };
}

function sum(amounts: Amounts): bigint {
  return [...amounts.values()].reduce(added, 0n);
}

/** The least of the largest amounts that come to half of all, so that crumbs among them do not lower it. */
function leastOfLargest(largest: readonly bigint[]): bigint {
  const all = largest.reduce(added, 0n);
  let least = 0n;
  let together = 0n;
  for (const [index, amount] of largest.entries()) {
    if (index >= LARGEST_AMOUNTS && together * 2n >= all) break;
    least = amount;
    together += amount;
  }
  return least;
}

function largestFirst(a: bigint, b: bigint): number {
  return a > b ? -1 : a < b ? 1 : 0;
}

function filtered(amounts: Amounts, is: (amount: bigint, wallet: Address | '') => boolean): Amounts {
  return new Map([...amounts].filter(([wallet, amount]) => is(amount, wallet)));
}

function without(all: Wallets, ...gone: readonly Amounts[]): Wallets {
  return new Set([...all].filter((wallet) => !gone.some((amounts) => amounts.has(wallet))));
}
