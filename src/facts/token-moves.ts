import type { Address } from '../chain/address.ts';
import type { TokenBalance, Transaction } from '../chain/block.ts';
import { readTokenInstructions } from '../programs/spl-token/instructions.ts';

/** A transfer of one mint, as the call tree has it. */
export interface TokenMove {
  /** Place of its instruction. */
  readonly index: number;
  /** Owners before the transaction; undefined for an account that was opened and closed within it. */
  readonly from: Address | undefined;
  readonly to: Address | undefined;
  /** Raw units that arrived: without a fee that was withheld. */
  readonly amount: bigint;
}

/** A run of instructions: a call and everything that it called. */
export interface CallSpan {
  readonly first: number;
  readonly last: number;
}

/** Transfers of a mint in the order of execution; none where the source recorded no inner instructions. */
export function tokenMoves(transaction: Transaction, mint: Address): TokenMove[] {
  const moves: TokenMove[] = [];
  for (const instruction of transaction.instructions) {
    for (const step of readTokenInstructions(transaction, instruction)) {
      if (step.kind !== 'transfer') continue;
      const source = balanceAt(transaction, step.source);
      const destination = balanceAt(transaction, step.destination);
      const named = step.mint === undefined ? undefined : transaction.keys.at(step.mint);
      if ((named ?? source?.mint ?? destination?.mint) !== mint) continue;
      const amount = step.amount - (step.fee ?? 0n);
      moves.push({ index: instruction.index, from: ownerOf(source), to: ownerOf(destination), amount });
    }
  }
  return moves;
}

/** The span of the venue's call that published the event at `ixIndex`. */
export function venueSpan(transaction: Transaction, ixIndex: number): CallSpan {
  const { instructions } = transaction;
  const event = instructions[ixIndex];
  const caller = event === undefined ? undefined : instructions[event.parent];
  return callSpan(transaction, caller?.programIndex === event?.programIndex ? (caller?.index ?? ixIndex) : ixIndex);
}

export function callSpan({ instructions }: Transaction, first: number): CallSpan {
  const depth = instructions[first]?.depth ?? 0;
  let last = first;
  while ((instructions[last + 1]?.depth ?? 0) > depth) last++;
  return { first, last };
}

function balanceAt({ tokenBalances }: Transaction, account: number): TokenBalance | undefined {
  return tokenBalances.find(({ accountIndex }) => accountIndex === account);
}

function ownerOf(balance: TokenBalance | undefined): Address | undefined {
  return balance?.preOwner ?? balance?.postOwner;
}
