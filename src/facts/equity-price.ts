import type { Instruction, Transaction } from '../chain/block.ts';
import { readTokenInstructions, type TokenTransfer } from '../programs/spl-token/instructions.ts';
import { magnitude } from './amounts.ts';
import type { EquityLeg } from './equity-legs.ts';
import type { OwnerDelta } from './owner-deltas.ts';
import { MIN_PRICED_UNITS } from './price.ts';
import { isHelper } from './router.ts';
import { callSpan } from './token-moves.ts';
import type { TransactionScope } from './transaction-scope.ts';

/**
 * True of a swap that is a price: large enough to show one, and made by a program in one call. Everything else that looks
 * like a swap may be a wallet's that gives to itself at whatever price it likes, for the fee of a transaction: balances
 * that a delegate moved, a trade to which liquidity or a gift was added.
 */
export function showsPrice(scope: TransactionScope, { call, shares, money }: EquityLeg): boolean {
  if (magnitude(shares.delta) < MIN_PRICED_UNITS || magnitude(money.delta) < MIN_PRICED_UNITS) return false;
  const { transaction } = scope;
  const swap = call === undefined ? undefined : transaction.instructions[call];
  if (swap === undefined || isHelper(transaction.keys.at(swap.programIndex))) return false;
  const transfers = transfersUnder(transaction, swap);
  return explains(transaction, transfers, shares) && explains(transaction, transfers, money);
}

/** Those that a call made, to whatever depth. */
function transfersUnder(transaction: Transaction, { index }: Instruction): readonly TokenTransfer[] {
  const { last } = callSpan(transaction, index);
  const made = transaction.instructions.slice(index + 1, last + 1);
  return made.flatMap((each) => readTokenInstructions(transaction, each).filter((step) => step.kind === 'transfer'));
}

/**
 * True when the transfers come to the delta, and the pool itself gave what it gave. Its owner signed for no instruction of
 * the transaction, so that only its program can have signed for it in a call; a delegate has another name.
 */
function explains(transaction: Transaction, transfers: readonly TokenTransfer[], delta: OwnerDelta): boolean {
  let net = 0n;
  for (const { amount, authority, destination, fee, source } of transfers) {
    const isGiven = isOf(transaction, source, delta);
    if (isGiven && transaction.keys.at(authority) !== delta.owner) return false;
    if (isGiven) net -= amount;
    if (isOf(transaction, destination, delta)) net += amount - (fee ?? 0n);
  }
  return net === delta.delta;
}

function isOf({ tokenBalances }: Transaction, accountIndex: number, { owner, mint }: OwnerDelta): boolean {
  const held = tokenBalances.find((each) => each.accountIndex === accountIndex);
  return held !== undefined && held.mint === mint && (held.postOwner ?? held.preOwner) === owner;
}
