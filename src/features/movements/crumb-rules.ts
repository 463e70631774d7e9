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
/** Largest amounts of which each is half of the one before, that are the measure one after the other. */
const MAX_LEVELS = 8;

/** Amounts of several sends to one wallet as one, and those of several wallets as what they are worth together. */
export interface Weighing {
  readonly joined: (a: bigint, b: bigint) => bigint;
  readonly worth: (amounts: readonly bigint[]) => bigint;
}

const added = (a: bigint, b: bigint) => a + b;
const larger = (a: bigint, b: bigint) => (a > b ? a : b);

/** What somebody was given counts in all. */
export const GIVEN: Weighing = { joined: added, worth: (given) => given.reduce(added, 0n) };
/** The same tokens go from hand to hand, and back at will: what a chain moved is its largest send. */
export const PASSED: Weighing = { joined: larger, worth: (passed) => passed.reduce(larger, 0n) };

type Amounts = ReadonlyMap<Address | '', bigint>;

/**
 * Choices of the receivers of some sends, in any of which a rule about some of them may hold. The first is all without
 * those who got crumbs beside what most of these got. In the others what the largest of these got is the measure, one
 * half as large after the other, and those of these who got crumbs beside it count no more than others do: or some of
 * them would be given next to nothing, for everybody to be as large as they are.
 *
 * Crumbs that come to half of the worth of these together are a distribution of its own, and count; so do all where
 * fewer would be left than can be flagged, or one who moves a bag about would speak for everybody.
 */
export function withoutCrumbs(
  sends: readonly Pick<TransferRow, 'receiver' | 'amount'>[],
  about: Wallets,
  { joined, worth }: Weighing,
): Wallets[] {
  const [these, others] = [new Map<Address | '', bigint>(), new Map<Address | '', bigint>()];
  for (const { receiver, amount } of sends) {
    if (about.has(receiver)) these.set(receiver, joined(these.get(receiver) ?? 0n, amount));
    else others.set(receiver, (others.get(receiver) ?? 0n) + amount);
  }
  const largest = [...these.values()].sort(largestFirst);
  const least = leastOfLargest(largest);
  const all: Wallets = new Set([...these.keys(), ...others.keys()]);
  const isFew = (crumbs: Amounts, amounts: readonly bigint[]) =>
    [...crumbs.values()].reduce(added, 0n) * 2n < worth(amounts);

  const crumbs = filtered(others, (amount) => amount * CRUMB_PART < least);
  const left = isFew(crumbs, largest) ? without(all, crumbs) : all;
  const choices = [left.size < MIN_FLAGGED_RECEIVERS ? all : left];
  for (const level of levelsAbove(least, largest)) {
    const kept = filtered(these, (amount) => amount * CRUMB_PART >= level);
    const leastKept = [...kept.values()].sort(largestFirst).at(-1) ?? 0n;
    const small = filtered(others, (amount) => amount * CRUMB_PART < level && amount * GAP < leastKept);
    const choice = without(
      all,
      small,
      filtered(these, (_, wallet) => !kept.has(wallet)),
    );
    if (choice.size >= MIN_FLAGGED_RECEIVERS && isFew(small, [...kept.values()])) choices.push(choice);
  }
  return choices;
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

/** The largest amount, the largest that is half of it or less, and so on, some above a least one. */
function levelsAbove(least: bigint, largest: readonly bigint[]): readonly bigint[] {
  const levels: bigint[] = [];
  for (const amount of largest) {
    if (amount <= least || levels.length === MAX_LEVELS) break;
    const above = levels.at(-1);
    if (above === undefined || amount * 2n <= above) levels.push(amount);
  }
  return levels;
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
