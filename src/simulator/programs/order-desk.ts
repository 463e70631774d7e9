import type { Address } from '../../chain/address.ts';
import type { Instruction } from '../runtime/execution.ts';
import { associatedAccount, type TokenKind, transferTokens } from './token.ts';

/**
 * A venue's trade under the desk's address, which is the customer's in truth: the event does not say so. Where it
 * reverts, all that can be known is the keeper who signed.
 */
export function onBehalf(trade: Instruction, customer: Address, keeper: Address): Instruction {
  return {
    ...trade,
    trade: trade.trade === undefined ? undefined : { ...trade.trade, trader: keeper },
    run(execution) {
      const { record } = execution;
      const before = record.swaps.length;
      trade.run?.(execution);
      record.swaps = record.swaps.map((swap, place) => (place < before ? swap : { ...swap, trader: customer }));
    },
  };
}

/** Tokens of an order on their way between the desk and its customer, by the customers' leave. */
export function handOver(
  token: TokenKind,
  from: Address,
  to: Address,
  authority: Address,
  amount: bigint,
): Instruction {
  return transferTokens(token, associatedAccount(from, token), associatedAccount(to, token), authority, amount);
}

/** A part of what was bought for the customer, which goes to the keeper: no event tells of it. */
export function keepPart(
  token: TokenKind,
  authority: Address,
  customer: Address,
  keeper: Address,
  amount: bigint,
): Instruction {
  const transfer = handOver(token, authority, keeper, authority, amount);
  return {
    ...transfer,
    run(execution) {
      transfer.run?.(execution);
      execution.record.handed.push({ mint: token.mint, decimals: token.decimals, from: customer, to: keeper, amount });
    },
  };
}
