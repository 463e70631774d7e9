import type { Address } from '../../chain/address.ts';
import type { Execution, Instruction } from '../runtime/execution.ts';
import { associatedAccount, type TokenKind, transferTokens } from './token.ts';

/** Tokens that somebody hands on in a transaction that trades: no event tells of it. */
export function handOn(token: TokenKind, from: Address, to: Address, amount: bigint): Instruction {
  return passOn(token, from, to, amount, ({ record }) => {
    record.handed.push({ mint: token.mint, decimals: token.decimals, from, to, amount });
  });
}

/** A router's share of what somebody bought, which no event tells of either: a fee is given to nobody. */
export function takeShare(token: TokenKind, from: Address, to: Address, amount: bigint): Instruction {
  return passOn(token, from, to, amount, ({ record }) => {
    record.unexplained.push({ mint: token.mint, owner: from, delta: -amount });
    record.unexplained.push({ mint: token.mint, owner: to, delta: amount });
  });
}

function passOn(
  token: TokenKind,
  from: Address,
  to: Address,
  amount: bigint,
  note: (execution: Execution) => void,
): Instruction {
  const transfer = transferTokens(token, associatedAccount(from, token), associatedAccount(to, token), from, amount);
  return {
    ...transfer,
    run(execution) {
      transfer.run?.(execution);
      note(execution);
    },
  };
}
