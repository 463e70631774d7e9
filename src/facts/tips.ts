import type { Address } from '../chain/address.ts';
import type { Transaction } from '../chain/block.ts';
import { tipProvider } from '../programs/registry/index.ts';
import type { LamportTransfer } from './lamport-transfers.ts';

export interface Tip {
  readonly wallet: Address;
  readonly lamports: bigint;
}

/** A transaction's tips: transfers of lamports to registered tip accounts. Declared, and paid unless the transaction reverted. */
export interface TipSummary {
  readonly total: bigint;
  /** Receiver of the largest tip; the first of equals. */
  readonly wallet: Address | undefined;
  readonly tips: readonly Tip[];
}

export const NO_TIPS: TipSummary = { total: 0n, wallet: undefined, tips: [] };

export function summariseTips(transaction: Transaction, transfers: readonly LamportTransfer[]): TipSummary {
  let tips: Tip[] | undefined;
  let largest: Tip | undefined;
  let total = 0n;
  for (const transfer of transfers) {
    const wallet = transaction.keys.at(transfer.to);
    if (tipProvider(wallet) === undefined) continue;
    const tip = { wallet, lamports: transfer.lamports };
    tips ??= [];
    tips.push(tip);
    total += tip.lamports;
    if (largest === undefined || tip.lamports > largest.lamports) largest = tip;
  }
  return tips === undefined ? NO_TIPS : { total, wallet: largest?.wallet, tips };
}

/** Lamports of a transaction's tips that those who were to pay them had before it. */
export function payableTips(transaction: Transaction, transfers: readonly LamportTransfer[]): bigint {
  const declared = new Map<number, bigint>();
  for (const { from, to, lamports } of transfers) {
    if (tipProvider(transaction.keys.at(to)) === undefined) continue;
    declared.set(from, (declared.get(from) ?? 0n) + lamports);
  }
  let payable = 0n;
  for (const [payer, lamports] of declared) {
    const had = transaction.preBalances.at(payer) ?? 0n;
    payable += lamports < had ? lamports : had;
  }
  return payable;
}
