import type { Address } from '../chain/address.ts';
import { INCINERATOR } from '../chain/well-known.ts';
import { compareAddresses } from './address-order.ts';
import { smaller } from './amounts.ts';
import type { Burn, Transfer } from './fact.ts';
import { isOneOfAKind } from './quotes.ts';
import type { TransactionScope } from './transaction-scope.ts';

/** One owner's part in the moves of a mint, raw units. Pairing takes away what it has told. */
export interface Side {
  readonly owner: Address;
  left: bigint;
}

/** Owners of one mint who gave some, and those who got some. */
export interface MintMoves {
  readonly mint: Address;
  readonly decimals: number;
  readonly senders: Side[];
  readonly receivers: Side[];
}

/** Tokens from one owner to another. */
export interface Send {
  readonly mint: Address;
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
  readonly decimals: number;
  readonly ambiguous: boolean;
}

/** Place of the first send in its transaction, and whether a venue's transaction hides them. */
export interface SendsPlace {
  readonly firstIxIndex: number;
  readonly hidden: boolean;
}

/**
 * Appends the pairs of a mint's senders and receivers, in order of address. One sender or one receiver gives exact
 * pairs; several of both one possible pairing, marked ambiguous. What has no other side stays in `left`.
 */
export function pairUp({ mint, decimals, senders, receivers }: MintMoves, sends: Send[]): void {
  if (receivers.length === 1 && isOneOfAKind(decimals, receivers[0]!.left)) return;
  const ambiguous = senders.length > 1 && receivers.length > 1;
  senders.sort(byAddress);
  receivers.sort(byAddress);
  let s = 0;
  for (const receiver of receivers) {
    while (receiver.left > 0n && s < senders.length) {
      const sender = senders[s]!;
      const amount = smaller(sender.left, receiver.left);
      sends.push({ mint, from: sender.owner, to: receiver.owner, amount, decimals, ambiguous });
      sender.left -= amount;
      receiver.left -= amount;
      if (sender.left === 0n) s++;
    }
  }
}

/** Sorts sends by owner, and appends them as facts: those to the incinerator are burns. Each takes the next place. */
export function appendSends(
  { slot, blockIndex, time, signature }: TransactionScope,
  sends: Send[],
  { firstIxIndex, hidden }: SendsPlace,
  transfers: Transfer[],
  burns: Burn[],
): void {
  sends.sort(byOwner);
  let ixIndex = firstIxIndex;
  for (const { mint, from, to, amount, decimals, ambiguous } of sends) {
    if (to === INCINERATOR) {
      burns.push({ slot, blockIndex, ixIndex, time, signature, mint, owner: from, amount, decimals });
    } else {
      transfers.push({
        slot,
        blockIndex,
        ixIndex,
        time,
        signature,
        mint,
        from,
        to,
        amount,
        decimals,
        ambiguous,
        hidden,
      });
    }
    ixIndex++;
  }
}

function byAddress(a: Side, b: Side): number {
  return compareAddresses(a.owner, b.owner);
}

function byOwner(a: Send, b: Send): number {
  return compareAddresses(a.from, b.from) || compareAddresses(a.mint, b.mint) || compareAddresses(a.to, b.to);
}
