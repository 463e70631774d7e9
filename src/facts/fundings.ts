import type { Transaction } from '../chain/block.ts';
import { METADATA_PROGRAM, SYSTEM_PROGRAM } from '../chain/well-known.ts';
import { MAYHEM_PROGRAM } from '../programs/pump/ids.ts';
import { PUMP_FEES_PROGRAM } from '../programs/pump-fees/ids.ts';
import { feeWallet, tipProvider } from '../programs/registry/index.ts';
import type { Funding } from './fact.ts';
import type { FactRules } from './fact-rules.ts';
import type { LamportTransfer } from './lamport-transfers.ts';
import { isHelper, isVenue } from './router.ts';
import type { TransactionScope } from './transaction-scope.ts';

/** Tags of the System instructions that give an account to a program, with the account's place among theirs. */
const TAKING_INSTRUCTIONS: ReadonlyMap<number, number> = new Map([
  [0, 1], // CreateAccount
  [3, 1], // CreateAccountWithSeed
  [1, 0], // Assign
  [8, 0], // Allocate
  [9, 0], // AllocateWithSeed
  [10, 0], // AssignWithSeed
]);

/**
 * Lamports that made a wallet, or notably fed one. What programs pay among their
 * own accounts, token accounts, tips and platform fees are no wallets' fundings.
 */
export function fundingsOf(scope: TransactionScope, rules: FactRules, fundings: Funding[]): void {
  const { transaction, slot, blockIndex, time } = scope;
  for (const transfer of scope.lamportTransfers) {
    const { from, to, lamports } = transfer;
    if (from === to) continue;
    const createdAccount = transaction.preBalances.at(to) === 0n && isFirst(scope.lamportTransfers, transfer);
    if (!createdAccount && lamports < rules.notableFundingLamports) continue;
    if (!reachesWallet(transaction, transfer)) continue;
    const wallet = transaction.keys.at(to);
    if (tipProvider(wallet) !== undefined || feeWallet(wallet) !== undefined) continue;
    fundings.push({
      slot,
      blockIndex,
      ixIndex: transfer.ixIndex,
      time,
      signature: scope.signature,
      wallet,
      funder: transaction.keys.at(from),
      amount: lamports,
      createdAccount,
    });
  }
}

/** True for the first lamports that an account gets: later ones find it made. */
function isFirst(transfers: readonly LamportTransfer[], { ixIndex, to }: LamportTransfer): boolean {
  return transfers.every((each) => each.to !== to || each.ixIndex >= ixIndex);
}

function reachesWallet(transaction: Transaction, { ixIndex, to }: LamportTransfer): boolean {
  // Emptied again before the end: a purse for one transaction.
  if ((transaction.postBalances.at(to) ?? 0n) === 0n) return false;
  if (transaction.tokenBalances.some((balance) => balance.accountIndex === to)) return false;
  return !isPaidByProgram(transaction, ixIndex) && !isTaken(transaction, to);
}

/** Venues and helpers pay fees and rent to accounts of theirs. */
export function isPaidByProgram(transaction: Transaction, ixIndex: number): boolean {
  const caller = transaction.instructions[transaction.instructions[ixIndex]?.parent ?? -1];
  if (caller === undefined) return false;
  const program = transaction.keys.at(caller.programIndex);
  return (
    isVenue(program) ||
    isHelper(program) ||
    program === PUMP_FEES_PROGRAM ||
    program === MAYHEM_PROGRAM ||
    program === METADATA_PROGRAM
  );
}

/** True for an account that the transaction gives to a program. */
export function isTaken(transaction: Transaction, account: number): boolean {
  const system = transaction.keys.indexOf(SYSTEM_PROGRAM);
  return transaction.instructions.some(({ programIndex, accounts, data }) => {
    if (programIndex !== system) return false;
    const place = TAKING_INSTRUCTIONS.get(data[0] ?? -1);
    return place !== undefined && accounts[place] === account;
  });
}
