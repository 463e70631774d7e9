import type { Address } from '../chain/address.ts';
import type { Instruction } from '../chain/block.ts';
import { addressBytes } from '../chain/keys/address-table.ts';
import { isOnCurve } from '../chain/keys/pda.ts';
import { magnitude } from './amounts.ts';
import type { OwnerDelta } from './owner-deltas.ts';
import { isHelper } from './router.ts';
import type { TransactionScope } from './transaction-scope.ts';
import type { Remainder } from './unexplained.ts';

/**
 * Token vaults of markets that publish no event and keep what they are paid under another owner: each vault owns
 * itself, or belongs to an address of the program that has no key. Only the innermost call that has both ties them
 * together, and each paying vault stands for the largest of the tokens that the call moved the other way: what it
 * hands out beside that was paid by nobody.
 */
export function findPaidVaults(
  scope: TransactionScope,
  ofMint: readonly Remainder[],
  venueAccounts: ReadonlySet<Address>,
): readonly Remainder[] {
  const isProgramsOwn = (owner: Address) => !scope.hasSigned(owner) && !isWallet(scope, owner);
  const vaults = ofMint.filter(({ owner }) => isProgramsOwn(owner));
  const [mint] = vaults.map((vault) => vault.mint);
  if (mint === undefined) return [];
  const payers = scope.deltas.filter(
    ({ owner, mint: paid, delta }) =>
      paid !== mint && delta !== 0n && !venueAccounts.has(owner) && isProgramsOwn(owner),
  );
  return payers.flatMap((payer) => {
    const tied = vaults.filter(({ delta }) => delta > 0n !== payer.delta > 0n);
    const depth = Math.max(0, ...tied.map((vault) => depthOfCall(scope, vault, payer)));
    const inCall = tied.filter((vault) => depth > 0 && depthOfCall(scope, vault, payer) === depth);
    return inCall.toSorted((a, b) => Number(magnitude(b.delta) - magnitude(a.delta))).slice(0, 1);
  });
}

/** Depth of the innermost instruction that has an account of both; 0 without one. */
function depthOfCall({ transaction }: TransactionScope, vault: Remainder, payer: OwnerDelta): number {
  let depth = 0;
  const [ofVault, ofPayer] = [vault, payer].map(({ owner, mint }) =>
    transaction.tokenBalances
      .filter((held) => held.mint === mint && (held.postOwner ?? held.preOwner) === owner)
      .map(({ accountIndex }) => accountIndex),
  ) as [number[], number[]];
  const has = ({ accounts }: Instruction, some: readonly number[]) =>
    some.some((account) => Array.from(accounts).includes(account));
  for (const instruction of transaction.instructions) {
    if (instruction.depth <= depth || isHelper(transaction.keys.at(instruction.programIndex))) continue;
    if (has(instruction, ofVault) && has(instruction, ofPayer)) depth = instruction.depth;
  }
  return depth;
}

/** False for addresses that no key can belong to, and for vaults that own themselves, whatever their address is. */
export function isWallet({ transaction }: TransactionScope, owner: Address): boolean {
  const isVault = transaction.tokenBalances.some(({ accountIndex }) => transaction.keys.at(accountIndex) === owner);
  return !isVault && isOnCurve(addressBytes(owner));
}
