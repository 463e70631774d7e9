import type { Address } from '../chain/address.ts';
import type { Instruction, Transaction } from '../chain/block.ts';
import { addressBytes } from '../chain/keys/address-table.ts';
import { isOnCurve } from '../chain/keys/pda.ts';
import { equity } from '../programs/registry/index.ts';
import { readTokenInstructions } from '../programs/spl-token/instructions.ts';
import { compareAddresses } from './address-order.ts';
import { magnitude } from './amounts.ts';
import type { OwnerDelta } from './owner-deltas.ts';
import { isStablecoin } from './quotes.ts';
import { isHelper } from './router.ts';
import { callSpan } from './token-moves.ts';
import type { TransactionScope } from './transaction-scope.ts';

/** Amounts that one pool gave and got: an equity one way, a stablecoin the other. */
export interface EquityLeg {
  /** Owner of the shares. */
  readonly pool: Address;
  readonly shares: OwnerDelta;
  /** Of the same owner, unless each of the pool's vaults has an owner of its own. */
  readonly money: OwnerDelta;
  /** Place of the innermost instruction that has both vaults; undefined when none was recorded. */
  readonly call: number | undefined;
}

/** The legs of a transaction, in order of pool. `told` are pools whose own events have told already. */
export function equityLegsOf(scope: TransactionScope, told: ReadonlySet<Address>): readonly EquityLeg[] {
  const { transaction } = scope;
  const movers = scope.deltas.filter(({ owner, delta }) => delta !== 0n && !told.has(owner) && !scope.hasSigned(owner));
  const owned = movers.flatMap((shares) => {
    const money = moneyOfOwner(movers, shares);
    return money === undefined ? [] : [legOf(transaction, shares, money)];
  });
  const split = splitLegs(transaction, movers, owned);
  // Dollars that no call ties to the shares are a stranger's gift when another vault took the price.
  const paired = owned.filter(({ call, shares }) => call !== undefined || !split.some((leg) => leg.shares === shares));
  const found = [...paired, ...split];
  const legs = found.filter((leg) => !isCustomer(transaction, leg, found));
  return legs.sort((a, b) => compareAddresses(a.pool, b.pool));
}

function moneyOfOwner(movers: readonly OwnerDelta[], shares: OwnerDelta): OwnerDelta | undefined {
  if (equity(shares.mint) === undefined) return undefined;
  const moved = movers.filter(({ owner }) => owner === shares.owner);
  const [money, otherMoney] = moved.filter(({ mint }) => isStablecoin(mint));
  const equities = moved.filter(({ mint }) => equity(mint) !== undefined);
  // An owner of many pools may have traded several pairs at once: what was paid for which, nothing tells.
  if (money === undefined || otherMoney !== undefined || equities.length > 1) return undefined;
  return isOpposite(shares, money) ? money : undefined;
}

/**
 * Legs of pools whose vaults own themselves, or have an address of their program each as their owner. Only the call
 * that has both ties them together.
 */
function splitLegs(
  transaction: Transaction,
  movers: readonly OwnerDelta[],
  owned: readonly EquityLeg[],
): readonly EquityLeg[] {
  const shares = movers.filter(({ mint }) => equity(mint) !== undefined);
  const money = movers.filter(({ mint }) => isStablecoin(mint));
  const seated = owned.filter(({ call }) => call !== undefined);
  const isSeated = ({ owner }: OwnerDelta) => seated.some(({ pool }) => pool === owner);
  const found = transaction.instructions.flatMap((instruction) => {
    if (isHelper(transaction.keys.at(instruction.programIndex))) return [];
    return [true, false].flatMap((gives) => {
      const within = (delta: OwnerDelta) => hasVault(transaction, instruction, delta);
      // Its largest amounts, whoever's they are: what a call hands out beside them is a fee, and no price.
      const given = largest(shares.filter((delta) => delta.delta < 0n === gives && within(delta)));
      const paid = largest(money.filter((delta) => delta.delta > 0n === gives && within(delta)));
      if (given === undefined || paid === undefined || given.owner === paid.owner) return [];
      if (isSeated(given) || isSeated(paid)) return [];
      if (!isProgramsOwn(transaction, given) || !isProgramsOwn(transaction, paid)) return [];
      const leg = legOf(transaction, given, paid);
      return leg.call === instruction.index ? [leg] : [];
    });
  });
  // A vault of several pools moved for several pairs: what was paid for which, nothing tells.
  const sole = found.filter(
    (leg) => !found.some((other) => other !== leg && (other.shares === leg.shares || other.money === leg.money)),
  );
  return sole.filter((leg) => ![...seated, ...sole].some((other) => isCrumbOf(leg, other)));
}

/** Beside the swap of a call, another that is far smaller is made of the fees that it hands out and gives back. */
function isCrumbOf(leg: EquityLeg, other: EquityLeg): boolean {
  return leg.call === other.call && magnitude(leg.shares.delta) * 2n < magnitude(other.shares.delta);
}

function legOf(transaction: Transaction, shares: OwnerDelta, money: OwnerDelta): EquityLeg {
  let innermost: Instruction | undefined;
  for (const instruction of transaction.instructions) {
    const hasBoth = hasVault(transaction, instruction, shares) && hasVault(transaction, instruction, money);
    if (hasBoth && instruction.depth > (innermost?.depth ?? 0)) innermost = instruction;
  }
  return { pool: shares.owner, shares, money, call: innermost?.index };
}

/** True when an account of the owner that holds the mint is among the instruction's. */
function hasVault({ tokenBalances }: Transaction, { accounts }: Instruction, { owner, mint }: OwnerDelta): boolean {
  return tokenBalances.some(
    (held) =>
      held.mint === mint &&
      (held.postOwner ?? held.preOwner) === owner &&
      Array.from(accounts).includes(held.accountIndex),
  );
}

/** True when nobody can sign for the tokens but a program: their account owns itself, or the owner has no key. */
function isProgramsOwn({ keys, tokenBalances }: Transaction, { owner, mint }: OwnerDelta): boolean {
  const isOwn = tokenBalances.some((held) => held.mint === mint && keys.at(held.accountIndex) === owner);
  return isOwn || !isOnCurve(addressBytes(owner));
}

/**
 * A keeper fills orders of people who do not sign: then both sides look like
 * pools that traded the opposite way. The customer's accounts belong to the call
 * that calls the pool; where nothing was called, or both are of one call, and
 * one mirrors the other or it is the same call, who pays first is the customer.
 */
function isCustomer(transaction: Transaction, leg: EquityLeg, legs: readonly EquityLeg[]): boolean {
  return legs.some((other) => {
    if (leg.shares.mint !== other.shares.mint || leg.money.mint !== other.money.mint) return false;
    if (!isOpposite(leg.shares, other.shares)) return false;
    if (leg.call !== undefined && other.call !== undefined && leg.call !== other.call) {
      if (isWithin(transaction, other.call, leg.call)) return true;
      if (isWithin(transaction, leg.call, other.call)) return false;
    }
    const isMirror = leg.shares.delta === -other.shares.delta && leg.money.delta === -other.money.delta;
    const isOneCall = leg.call !== undefined && leg.call === other.call;
    return (isMirror || isOneCall) && findFirstPayer(transaction, [leg, other]) === leg;
  });
}

function isWithin(transaction: Transaction, call: number, outer: number): boolean {
  const { first, last } = callSpan(transaction, outer);
  return first <= call && call <= last;
}

function findFirstPayer(transaction: Transaction, legs: readonly EquityLeg[]): EquityLeg | undefined {
  for (const instruction of transaction.instructions) {
    for (const step of readTokenInstructions(transaction, instruction)) {
      if (step.kind !== 'transfer') continue;
      const source = transaction.tokenBalances.find(({ accountIndex }) => accountIndex === step.source);
      if (source === undefined) continue;
      const isOf = ({ owner, mint }: OwnerDelta) => owner === source.preOwner && mint === source.mint;
      const payer = legs.find(({ shares, money }) => isOf(shares) || isOf(money));
      if (payer !== undefined) return payer;
    }
  }
  return undefined;
}

function isOpposite(a: OwnerDelta, b: OwnerDelta): boolean {
  return a.delta > 0n !== b.delta > 0n;
}

/** The first of equal ones in the order of the transaction's accounts. */
function largest(deltas: readonly OwnerDelta[]): OwnerDelta | undefined {
  let found: OwnerDelta | undefined;
  for (const delta of deltas) if (magnitude(delta.delta) > magnitude(found?.delta ?? 0n)) found = delta;
  return found;
}
