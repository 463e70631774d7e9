import type { Address } from '../chain/address.ts';
import type { Block, Transaction } from '../chain/block.ts';
import { PUMP_FEES_PROGRAM } from '../programs/pump-fees/ids.ts';
import {
  exchangeWallet,
  feeWallet,
  findProgram,
  institution,
  isProtocolActor,
  tipProvider,
} from '../programs/registry/index.ts';
import type { Swap } from './fact.ts';
import { isPaidByProgram, isTaken } from './fundings.ts';
import { type LamportTransfer, lamportTransfers } from './lamport-transfers.ts';
import { isVenue } from './router.ts';

/** A small System transfer beside a trade, to an account that no list of ours names. */
export interface StrayPayment {
  readonly wallet: Address;
  /** Fee payer of the transaction. */
  readonly payer: Address;
  /** A token that the transaction trades. */
  readonly mint: Address;
  readonly lamports: bigint;
}

/** 0.00001 SOL: below it are the crumbs that are sent to be noticed. */
const MIN_LAMPORTS = 10_000n;
/** 1 SOL: the largest that anybody pays to land, and less than most trades. */
const MAX_LAMPORTS = 1_000_000_000n;

/**
 * Payments beside the block's trades that may be tips or fees of a platform that we do not know. Left out are those to
 * whom a list names, who signed, to accounts of tokens, accounts that are made or taken over, and whatever venues pay
 * or name: their vaults are paid by everybody who trades.
 */
export function strayPayments(
  block: Block,
  swaps: readonly Pick<Swap, 'blockIndex' | 'mint'>[],
): readonly StrayPayment[] {
  const mints = new Map<number, Address>();
  for (const { blockIndex, mint } of swaps) if (!mints.has(blockIndex)) mints.set(blockIndex, mint);
  const payments: StrayPayment[] = [];
  for (const transaction of block.transactions) {
    const mint = mints.get(transaction.index);
    if (mint === undefined) continue;
    for (const transfer of lamportTransfers(transaction)) {
      if (!isStray(transaction, transfer)) continue;
      const { keys } = transaction;
      payments.push({ wallet: keys.at(transfer.to), payer: keys.at(0), mint, lamports: transfer.lamports });
    }
  }
  return payments;
}

/** True for accounts that a list names, so that they are no candidates. */
export function isListed(wallet: Address): boolean {
  return (
    tipProvider(wallet) !== undefined ||
    feeWallet(wallet) !== undefined ||
    exchangeWallet(wallet) !== undefined ||
    institution(wallet) !== undefined ||
    findProgram(wallet) !== undefined ||
    isProtocolActor(wallet)
  );
}

function isStray(transaction: Transaction, { ixIndex, from, to, lamports }: LamportTransfer): boolean {
  if (lamports < MIN_LAMPORTS || lamports > MAX_LAMPORTS) return false;
  const { signerCount, preBalances, tokenBalances } = transaction;
  // Paid by who signed, to somebody else who was there before: rent goes to accounts that were not.
  if (from >= signerCount || to < signerCount) return false;
  if ((preBalances.at(to) ?? 0n) === 0n) return false;
  if (tokenBalances.some(({ accountIndex }) => accountIndex === to)) return false;
  if (isPaidByProgram(transaction, ixIndex) || isTaken(transaction, to) || isNamedByVenue(transaction, to))
    return false;
  return !isListed(transaction.keys.at(to));
}

/** Vaults, pools and whoever a venue pays fees to stand among the accounts of its instruction. */
function isNamedByVenue({ instructions, keys }: Transaction, account: number): boolean {
  return instructions.some(({ programIndex, accounts }) => {
    const program = keys.at(programIndex);
    if (!isVenue(program) && program !== PUMP_FEES_PROGRAM) return false;
    for (let place = 0; place < accounts.length; place += 1) if (accounts[place] === account) return true;
    return false;
  });
}
