import type { Address } from '../chain/address.ts';
import type { Transaction } from '../chain/block.ts';

/** Change of one owner's balance of one mint in a transaction, over all its token accounts. */
export interface OwnerDelta {
  readonly owner: Address;
  readonly mint: Address;
  readonly decimals: number;
  /** Signed raw units; may be 0 when accounts changed and the sum did not. */
  delta: bigint;
}

/**
 * Balance deltas by (owner, mint), in the order of the transaction's token
 * accounts. An account that changed hands counts as given away by its old owner
 * and received by the new one. Accounts whose owner the source does not tell are
 * left out.
 */
export function ownerDeltas(transaction: Transaction): OwnerDelta[] {
  const deltas: OwnerDelta[] = [];
  for (const balance of transaction.tokenBalances) {
    const before = balance.preOwner ?? balance.postOwner;
    const after = balance.postOwner ?? balance.preOwner;
    if (before === after) {
      add(deltas, after, balance.mint, balance.decimals, balance.post - balance.pre);
    } else {
      add(deltas, before, balance.mint, balance.decimals, -balance.pre);
      add(deltas, after, balance.mint, balance.decimals, balance.post);
    }
  }
  return deltas;
}

function add(deltas: OwnerDelta[], owner: Address | undefined, mint: Address, decimals: number, delta: bigint): void {
  if (owner === undefined) return;
  for (const known of deltas) {
    if (known.owner === owner && known.mint === mint) {
      known.delta += delta;
      return;
    }
  }
  deltas.push({ owner, mint, decimals, delta });
}
