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

/** Lamports of the declared tips that their payers had before the transaction. */
export function payableTips({ tips, transaction }: Landing): bigint {
  const { keys, preBalances } = transaction.meta;
  let payable = 0n;
  for (const payer of new Set(tips.map(({ from }) => from))) {
    const declared = tips.reduce((sum, { from, lamports }) => (from === payer ? sum + lamports : sum), 0n);
    const had = preBalances[keys.indexOf(payer)] ?? 0n;
    payable += declared < had ? declared : had;
  }
  return payable;
}
