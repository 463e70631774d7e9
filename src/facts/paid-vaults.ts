import type { Address } from '../chain/address.ts';
import { addressBytes } from '../chain/keys/address-table.ts';
import { isOnCurve } from '../chain/keys/pda.ts';
import { bondingCurveAddress, creatorVaultAddress, userVolumeAccumulatorAddress } from '../programs/pump/addresses.ts';
import { coinCreatorVaultAuthorityAddress } from '../programs/pump-amm/addresses.ts';
import { isProtocolActor } from '../programs/registry/index.ts';
import { magnitude } from './amounts.ts';
import type { DraftSwap } from './draft-swap.ts';
import type { OwnerDelta } from './owner-deltas.ts';
import type { IsPaid } from './payment.ts';
import type { Remainder } from './remainders.ts';
import { isHelper } from './router.ts';
import type { TransactionScope } from './transaction-scope.ts';

/** Facts of the transaction that moves are told apart by. */
export interface VenueTrades {
  readonly swaps: readonly DraftSwap[];
  /** Pools and curves of the events. */
  readonly venueAccounts: ReadonlySet<Address>;
}

/**
 * Token vaults of markets that publish no event and keep what they are paid under another owner: each vault owns
 * itself, or belongs to an address of the program that has no key. Only the innermost call that has both ties them
 * together, and each paying vault stands for the largest of the tokens that the call moved the other way, where these
 * are paid for: what it hands out beside that was paid by nobody.
 */
export function findPaidVaults(
  scope: TransactionScope,
  ofMint: readonly Remainder[],
  trades: VenueTrades,
  isPaid: IsPaid,
): readonly Remainder[] {
  const isProgramsOwn = (owner: Address) => !scope.hasSigned(owner) && !isWallet(scope, owner);
  const vaults = ofMint.filter(({ owner }) => isProgramsOwn(owner));
  const [first] = vaults;
  if (first === undefined) return [];
  const told = venuesOwn(trades);
  const payers = scope.deltas.filter(
    ({ owner, mint, delta }) =>
      mint !== first.mint &&
      delta !== 0n &&
      !told.has(owner) &&
      !isProtocolActor(owner) &&
      // Who moved the tokens itself was paid for its own.
      !ofMint.some((moved) => moved.owner === owner) &&
      isProgramsOwn(owner),
  );
  if (payers.length === 0) return [];
  return [...vaultsOfPayers(scope, vaults, payers)].flatMap(([payer, tied]) => {
    const [largest] = tied.toSorted((a, b) => compareSizes(b.delta, a.delta));
    if (largest === undefined) return [];
    return isPaid(largest.delta, payer.mint, magnitude(payer.delta)) ? [largest] : [];
  });
}

/** Accounts of the venues that tell: their sides of a trade, and where fees of it wait, pay for nothing else. */
function venuesOwn({ swaps, venueAccounts }: VenueTrades): ReadonlySet<Address> {
  const own = new Set(venueAccounts);
  for (const { mint, trader, feeCreator } of swaps) {
    own.add(bondingCurveAddress(mint)).add(userVolumeAccumulatorAddress(trader));
    if (feeCreator === undefined) continue;
    own.add(creatorVaultAddress(feeCreator)).add(coinCreatorVaultAuthorityAddress(feeCreator));
  }
  return own;
}

type Moved = Remainder | OwnerDelta;

interface Tied {
  readonly depth: number;
  readonly vaults: Set<Remainder>;
}

/**
 * The vaults of each payer that moved the other way in the innermost instruction that it shares with any. Accounts of
 * an instruction are gone through once, however long a list somebody pads.
 */
function vaultsOfPayers(
  { transaction }: TransactionScope,
  vaults: readonly Remainder[],
  payers: readonly OwnerDelta[],
): ReadonlyMap<OwnerDelta, readonly Remainder[]> {
  const accounts = accountsOf(transaction.tokenBalances, [...vaults, ...payers]);
  const tied = new Map<OwnerDelta, Tied>();
  for (const { accounts: list, depth, programIndex } of transaction.instructions) {
    if (isHelper(transaction.keys.at(programIndex))) continue;
    const named = new Set<Moved>();
    for (let place = 0; place < list.length; place++) {
      const moved = accounts.get(list[place]!);
      if (moved !== undefined) named.add(moved);
    }
    if (named.size < 2) continue;
    const present = vaults.filter((vault) => named.has(vault));
    for (const payer of payers) {
      const known = tied.get(payer);
      if (!named.has(payer) || depth < (known?.depth ?? 0)) continue;
      const opposite = present.filter(({ delta }) => delta > 0n !== payer.delta > 0n);
      if (opposite.length === 0) continue;
      const beside = known?.depth === depth ? known.vaults : [];
      tied.set(payer, { depth, vaults: new Set([...beside, ...opposite]) });
    }
  }
  return new Map([...tied].map(([payer, found]) => [payer, [...found.vaults]]));
}

/** Whose a token account is, of some owners' parts in a mint. */
function accountsOf(
  balances: TransactionScope['transaction']['tokenBalances'],
  moved: readonly Moved[],
): ReadonlyMap<number, Moved> {
  const parts = new Map(moved.map((each) => [`${each.owner} ${each.mint}`, each]));
  const accounts = new Map<number, Moved>();
  for (const { accountIndex, mint, preOwner, postOwner } of balances) {
    const owned = parts.get(`${postOwner ?? preOwner} ${mint}`);
    if (owned !== undefined) accounts.set(accountIndex, owned);
  }
  return accounts;
}

function compareSizes(a: bigint, b: bigint): number {
  const [left, right] = [magnitude(a), magnitude(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** False for addresses that no key can belong to, and for vaults that own themselves, whatever their address is. */
export function isWallet({ transaction }: TransactionScope, owner: Address): boolean {
  const isVault = transaction.tokenBalances.some(({ accountIndex }) => transaction.keys.at(accountIndex) === owner);
  return !isVault && isOnCurve(addressBytes(owner));
}
