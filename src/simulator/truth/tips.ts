import type { Address } from '../../chain/address.ts';
import type { Landing } from '../runtime/land.ts';
import type { Tip } from '../truth.ts';

/** Lamports of all tips, and who got the largest one; the first of equals. */
export function tipsOf({ tips }: Landing): { readonly tip: bigint; readonly tipWallet: Address | undefined } {
  let tip = 0n;
  let largest: Tip | undefined;
  for (const paid of tips) {
    tip += paid.lamports;
    if (largest === undefined || paid.lamports > largest.lamports) largest = paid;
  }
  return { tip, tipWallet: largest?.wallet };
}
