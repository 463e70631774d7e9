import type { Address } from '../chain/address.ts';
import type { Transaction } from '../chain/block.ts';
import { seekKey } from '../chain/keys/sought-keys.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../chain/well-known.ts';
import { mayChangeSupply, readTokenInstructions } from '../programs/spl-token/instructions.ts';
import type { Burn } from './fact.ts';
import { isCurrency, isOneOfAKind, mintDecimals } from './quotes.ts';
import type { TransactionScope } from './transaction-scope.ts';

const TOKEN = seekKey(TOKEN_PROGRAM);
const TOKEN_2022 = seekKey(TOKEN_2022_PROGRAM);

/** Tokens of one mint that instructions made for or destroyed of one owner's balance. */
export interface SupplyDelta {
  readonly owner: Address;
  readonly mint: Address;
  /** Of the first of them. */
  readonly ixIndex: number;
  burnt: bigint;
  minted: bigint;
}

/** Mints and burns by (owner, mint), whichever program called for them, in order of the first of each. */
export function supplyDeltas(transaction: Transaction): SupplyDelta[] {
  const deltas: SupplyDelta[] = [];
  const token = transaction.keys.find(TOKEN);
  const token2022 = transaction.keys.find(TOKEN_2022);
  for (const instruction of transaction.instructions) {
    const { programIndex, index } = instruction;
    if ((programIndex !== token && programIndex !== token2022) || !mayChangeSupply(instruction)) continue;
    for (const change of readTokenInstructions(transaction, instruction)) {
      if (change.kind !== 'burn' && change.kind !== 'mint') continue;
      const delta = deltaOf(deltas, transaction, change, index);
      if (change.kind === 'burn') delta.burnt += change.amount;
      else delta.minted += change.amount;
    }
  }
  return deltas;
}

function deltaOf(
  deltas: SupplyDelta[],
  { keys, tokenBalances }: Transaction,
  change: { mint: number; account: number; authority: number },
  ixIndex: number,
): SupplyDelta {
  const mint = keys.at(change.mint);
  const balance = tokenBalances.find((candidate) => candidate.accountIndex === change.account);
  // An account that lived only inside the transaction has no balance: whoever may act for it stands for it.
  const owner = balance?.preOwner ?? balance?.postOwner ?? keys.at(change.authority);
  const known = deltas.find((delta) => delta.owner === owner && delta.mint === mint);
  if (known !== undefined) return known;
  const delta = { owner, mint, ixIndex, burnt: 0n, minted: 0n };
  deltas.push(delta);
  return delta;
}

/** Burns that instructions confirm. `ignored` are mints of pools' shares, which nobody researches. */
export function burnsOf(
  scope: TransactionScope,
  supply: readonly SupplyDelta[],
  ignored: ReadonlySet<Address>,
  burns: Burn[],
): void {
  for (const { owner, mint, ixIndex, burnt } of supply) {
    if (burnt === 0n || isCurrency(mint) || ignored.has(mint)) continue;
    const decimals = mintDecimals(scope.transaction, mint);
    // Tokens that no balance shows came and went inside the transaction.
    if (decimals === undefined || isOneOfAKind(decimals, burnt)) continue;
    burns.push({ ...scope.base(ixIndex), mint, owner, amount: burnt, decimals });
  }
}
