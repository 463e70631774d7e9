import type { Address } from '../../chain/address.ts';
import type { Instruction } from '../runtime/execution.ts';
import { associatedAccount, type TokenKind, transferTokens } from './token.ts';

/** Tokens that somebody hands on in a transaction that trades, as a router's share or to friends: no event tells of it. */
export function handOn(token: TokenKind, from: Address, to: Address, amount: bigint): Instruction {
  const transfer = transferTokens(token, associatedAccount(from, token), associatedAccount(to, token), from, amount);
  return {
    ...transfer,
    run(execution) {
      transfer.run?.(execution);
      const { mint, decimals } = token;
      execution.record.handed.push({ mint, decimals, from, to, amount });
    },
  };
}
